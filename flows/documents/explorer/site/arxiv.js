// What became of a paper: at arXiv, by the newest look at its record, withdrawn, and what took its place, its versions;
// and where it was published, whether that was retracted. Of papers in lists it is said beside their titles.
import { has, rows } from './tables.js'
import { dayOf, make, outward, paperAddress, theirs } from './words.js'

const STATUS = ['paper_id', 'is_newest', 'observed_at', 'status', 'is_undone', 'withdrawn_on', 'superseded_by', 'is_superseding_known', 'comments', 'version_count', 'last_version_on', 'journal_ref', 'doi', 'capture_id']
const WORDS = /** @type {Record<string, string>} */ ({ suspected: 'Perhaps withdrawn at arXiv: one of two signs says so', deleted: 'Deleted at arXiv' })

/** The newest look at a paper's record; nothing where nobody looked. @param {string} paperId */
export async function atArxiv(paperId) {
  const looks = has('paper_status') ? await rows('paper_status', STATUS, { paper_id: { $eq: paperId } }) : []
  return looks.find((row) => row.is_newest)
}

/** What a row of a look says of a paper that is withdrawn, or may be. @param {any} row */
const wordsOf = (row) => (row?.status === 'withdrawn' ? `Withdrawn at arXiv on ${dayOf(row.withdrawn_on)}` : WORDS[row?.status])

/**
 * Paper → what is to be said of it, of those of which anything is; as it was known at a moment.
 * @param {string[]} ids
 * @param {Date} [until]
 */
export async function saidOf(ids, until) {
  const of = (/** @type {string} */ table, /** @type {string[]} */ columns) => (has(table) && ids.length ? rows(table, columns, { paper_id: { $in: ids } }) : [])
  const looks = await of('paper_status', ['paper_id', 'observed_at', 'status', 'withdrawn_on'])
  const works = await of('paper_publications', ['paper_id', 'known_from', 'known_until', 'rank', 'status', 'retracted_on'])
  const known = looks.filter((row) => !until || row.observed_at <= until).sort((one, other) => one.observed_at - other.observed_at)
  const then = works.filter((row) => Number(row.rank) === 1 && (until ? row.known_from <= until && (!row.known_until || row.known_until > until) : !row.known_until))
  const newest = new Map(known.map((row) => [row.paper_id, wordsOf(row)]))
  const first = new Map(then.map((row) => [row.paper_id, doubtOf(row)]))
  return new Map(ids.flatMap((id) => {
    const words = [newest.get(id), first.get(id)].filter((one) => one).join('. ')
    return words ? [[id, make('strong', { class: 'gone' }, words)]] : []
  }))
}

/**
 * Say so beside the titles of items, each of which names its paper.
 * @param {Element[]} items
 * @param {Date} [until]
 */
export async function mark(items, until) {
  const named = new Map(items.map((one) => [one.getAttribute('data-paper') ?? '', one]))
  for (const [id, words] of await saidOf([...named.keys()], until)) named.get(id)?.querySelector('.title')?.after(' ', words)
}

/**
 * What is to be said before all else of a paper that is withdrawn, or may be.
 * @param {any} row
 * @param {(row: any) => Node} from
 */
export function warned(row, from) {
  const words = wordsOf(row)
  if (!words) return []
  const named = row.superseded_by && (row.is_superseding_known ? make('a', { href: paperAddress(row.superseded_by) }, row.superseded_by) : outward(`https://arxiv.org/abs/${row.superseded_by}`, row.superseded_by))
  const place = named ? ['. Its author names ', named, ' in its place'] : []
  const why = row.comments ? [': ', make('q', {}, theirs(row.comments))] : []
  return [make('p', { class: 'fault' }, make('strong', {}, words), ...place, ...why, ' ', from(row))]
}

/**
 * The facts of a record, each as a name and its values.
 * @param {any} row
 * @param {(row: any) => Node} from
 * @returns {[string, ...(Node | string | null | false)[]][]}
 */
export function recorded(row, from) {
  if (!row) return []
  const back = row.is_undone ? ', was withdrawn and is back' : null
  const versions = row.version_count ? `${row.version_count} ${row.version_count === 1 ? 'version' : 'versions'}, the last of ${dayOf(row.last_version_on)}` : null
  return [
    ...(versions ? [/** @type {[string, ...any[]]} */ (['Versions', versions, back, from(row)])] : []),
    ...(row.journal_ref ? [/** @type {[string, ...any[]]} */ (['Published in', theirs(row.journal_ref), ', by its author’s words'])] : []),
    ...(row.doi ? [/** @type {[string, ...any[]]} */ (['DOI', theirs(row.doi)])] : []),
  ]
}

const WORK = ['paper_id', 'rank', 'known_until', 'status', 'registry', 'doi', 'venue', 'volume', 'issue', 'pages', 'published', 'retracted_on', 'capture_id']
const DOUBTED = /** @type {Record<string, string>} */ ({ retracted: 'Retracted', concern: 'Doubted, or partly retracted' })

/** What a row says of a work that was retracted, or is doubted. @param {any} row */
const doubtOf = (row) => DOUBTED[row.status] && DOUBTED[row.status] + (row.retracted_on ? ` on ${dayOf(row.retracted_on)}` : '')

/** The works that a paper is published as, as known today, the first of them first. @param {string} paperId */
export async function publishedAs(paperId) {
  const works = has('paper_publications') ? await rows('paper_publications', WORK, { paper_id: { $eq: paperId } }) : []
  return works.filter((row) => !row.known_until).sort((one, other) => one.rank - other.rank)
}

/** @param {any} row */
const nameOf = (row) => (row.registry === 'openalex' ? 'OpenAlex' : 'Crossref')

/** @param {any} row */
const doiOf = (row) => outward(`https://doi.org/${encodeURI(row.doi)}`, row.doi)

/**
 * What is to be said before all else of a paper that was retracted where it was published.
 * @param {any[]} works
 * @param {(row: any) => Node} from
 */
export function retracted(works, from) {
  const gone = works.filter((row) => DOUBTED[row.status])
  return gone.map((row) => make('p', { class: 'fault' }, make('strong', {}, doubtOf(row)), ', as ', doiOf(row), `, by ${nameOf(row)} `, from(row)))
}

/**
 * Where a paper was published, each work once, by the registry that goes first, as a name and its values.
 * @param {any[]} works
 * @param {(row: any) => Node} from
 * @returns {[string, ...(Node | string | null | false)[]][]}
 */
export function venues(works, from) {
  const placed = works.filter((row) => row.venue && ['published', 'retracted', 'concern'].includes(row.status))
  const told = placed.filter((row, place) => placed.findIndex((one) => one.doi === row.doi) === place)
  return told.map((row) => {
    const place = [row.volume, row.issue, row.pages, row.published].filter((one) => one)
    return ['Published in', theirs([row.venue, ...place].join(' ')), ', ', doiOf(row), `, by ${nameOf(row)} `, from(row)]
  })
}
