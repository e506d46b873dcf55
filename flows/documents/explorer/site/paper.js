// A paper: what it is, where it was listed, how its counts went, and which captured page each of it was read from.
import { atArxiv, publishedAs, recorded, retracted, venues, warned } from './arxiv.js'
import { lines } from './charts.js'
import { cited, coins, isContradicted, shared } from './cite.js'
import { claimed, results } from './claims.js'
import { history, marked, sources } from './facts.js'
import { captures } from './history.js'
import { similar } from './similar.js'
import { has, rows } from './tables.js'
import { untexed } from './tex.js'
import { authorAddress, dayOf, evidenceOf, fieldOf, listAddress, make, momentOf, organizationAddress, outward, paperAddress, searchAddress, shown, theirs, whenSeen } from './words.js'

const LINKS = /** @type {Record<string, string>} */ ({ github: 'Code', project: 'Project page', media: 'Media' })
const COUNTS = /** @type {Record<string, string>} */ ({ upvote_count: 'Upvotes', comment_count: 'Comments', github_star_count: 'GitHub stars' })
const BUILT = /** @type {Record<string, string>} */ ({ model_count: 'Models that cite it', dataset_count: 'Datasets that cite it', space_count: 'Spaces that cite it', download_count: 'Downloads of these in 30 days', score: 'Adoption, by the formula of its table' })
const FIELDS = /** @type {Record<string, string>} */ ({ title: 'Title', abstract: 'Abstract', ai_summary: 'AI summary' })
const STANDINGS = /** @type {Record<string, string>} */ ({ agreed: 'agreed: two looks show this title, abstract and authors', provisional: 'provisional: one look alone shows it so far', disputed: 'disputed: looks differ in title, abstract or authors' })
const AUTHORS = 12 // of a paper with more of them, before one asks for the rest
const FEWEST = 3 // looks that make a chart; of two, words say as much
const FACTS = ['paper_id', 'arxiv_id', 'title', 'published_on', 'published_basis', 'organization_name', 'organization_login', 'author_count', ...Object.keys(COUNTS), 'standing', 'last_seen_at', 'capture_id']

/**
 * @param {string} [asked] an id, or another name of the paper
 * @returns {Promise<import('./lists.js').View>}
 */
export async function paper(asked = '') {
  const found = await named(asked)
  if (!found) return { title: 'No such paper', body: [make('p', {}, 'This release has no paper ', make('code', {}, asked), '. ', make('a', { href: searchAddress(asked) }, 'Search for it'), '.')] }
  const here = { paper_id: { $eq: found.paper_id } }
  const read = (/** @type {string} */ table, /** @type {string[]} */ columns) => (has(table) ? rows(table, ['paper_id', ...columns], here) : Promise.resolve([]))
  const [pages, texts, authors, listed, links, keywords, seen, adopted, systems, claims, there, works] = await Promise.all([
    captures(),
    read('paper_texts', ['abstract', 'capture_id']),
    read('paper_authors', ['position', 'name', 'capture_id']),
    read('daily_listings', ['listed_on', 'rank']),
    read('paper_links', ['kind', 'url', 'capture_id']),
    read('paper_keywords', ['keyword', 'capture_id']),
    read('paper_observations', ['observed_at', ...Object.keys(COUNTS)]),
    read('adoption', ['observed_at', ...Object.keys(BUILT)]),
    read('paper_systems', ['name', 'kind', 'field', 'span_start', 'span_end', 'capture_id']),
    claimed(here),
    atArxiv(found.paper_id),
    publishedAs(found.paper_id),
  ])
  const fetched = new Map(pages.map((row) => [row.capture_id, row]))
  const { note: from, list } = sources(fetched)
  const texts_ = whenSeen('Other texts', (section) => texted(section, found.paper_id, from))
  authors.sort((one, other) => one.position - other.position)
  const names = authors.map((row) => row.name)
  /** @type {Node[]} */
  const body = []
  if (found.paper_id !== asked) body.push(make('p', { class: 'soft' }, make('code', {}, asked), ' is another name of ', make('a', { href: paperAddress(found.paper_id) }, found.paper_id), '.'))
  body.push(...retracted(works, from), ...warned(there, from))
  if (names.length) body.push(authorsIn(names, from(authors[0])))
  const told = [...abstract(texts[0], claims, systems, from), ...results(claims, texts[0]?.abstract ?? '', from)]
  if (keywords.length) {
    const items = keywords.map((row) => make('li', {}, make('a', { href: searchAddress(fieldOf('keyword', row.keyword)), dir: 'auto' }, row.keyword)))
    told.push(make('h2', {}, 'Keywords', from(keywords[0])), make('ul', { class: 'keywords' }, ...items))
  }
  body.push(make('div', { class: 'paper' }, make('div', {}, ...told), make('aside', { 'aria-label': 'Facts' }, facts(found, listed, links, systems, there, works, from), shared(found.paper_id))))
  body.push(...counts(seen, COUNTS, 'Counts'), ...counts(adopted, BUILT, 'Built upon'), texts_, similar(found.paper_id), cited(found.paper_id), list, coins(found, names))
  return { title: untexed(found.title ?? found.paper_id), body }
}

/**
 * Links to what else they wrote; of very many the first, and the others on request.
 * @param {string[]} names
 * @param {Node} from
 */
function authorsIn(names, from) {
  const link = (/** @type {string} */ name, /** @type {number} */ at) => [at ? ', ' : '', make('a', { href: authorAddress(name), dir: 'auto' }, name)]
  const few = names.length > AUTHORS + 3 ? AUTHORS : names.length
  const line = make('p', { class: 'authors' }, ...names.slice(0, few).flatMap(link))
  const more = make('button', { type: 'button', class: 'quote' }, `and ${(names.length - few).toLocaleString('en')} more`)
  more.addEventListener('click', () => more.replaceWith(...names.slice(few).flatMap((name, at) => link(name, few + at))))
  line.append(few < names.length ? ' ' : '', few < names.length ? more : '', from)
  return line
}

/** The paper of an id, or the one that goes by this alias. @param {string} asked */
async function named(asked) {
  const bare = asked.replace(/(?<=\d)v\d+$/, '')
  for (const id of new Set([asked, bare])) {
    const [found] = await rows('papers', FACTS, { paper_id: { $eq: id } })
    if (found) return found
  }
  const aliases = has('paper_aliases') ? await rows('paper_aliases', ['alias', 'paper_id'], { alias: { $in: [asked, bare] } }) : []
  const ids = [...new Set(aliases.map((row) => row.paper_id))]
  return ids.length === 1 ? (await rows('papers', FACTS, { paper_id: { $eq: ids[0] } }))[0] : undefined
}

/**
 * @param {any} found
 * @param {any[]} listed
 * @param {any[]} links
 * @param {any[]} systems
 * @param {any} there
 * @param {any[]} works
 * @param {(row: any) => Node} from
 */
function facts(found, listed, links, systems, there, works, from) {
  const entries = make('dl', { class: 'facts' })
  const tell = (/** @type {string} */ name, /** @type {(Node | string | null | false)[]} */ ...values) => entries.append(make('dt', {}, name), make('dd', {}, ...values))
  const organization = found.organization_name ?? found.organization_login
  if (organization) tell('Organization', make('a', { href: found.organization_login ? organizationAddress(found.organization_login) : searchAddress(fieldOf('org', organization)), dir: 'auto' }, organization))
  for (const row of systems) tell('Builds', theirs(untexed(row.name)), row.kind ? `, a ${row.kind}` : null, `, named in its ${row.field}`, from(row))
  if (found.published_on) tell('Published', dayOf(found.published_on), isContradicted(found) ? ', which the arXiv id contradicts' : null)
  if (found.arxiv_id) tell('arXiv', outward(`https://arxiv.org/abs/${found.arxiv_id}`, found.arxiv_id))
  for (const [name, ...values] of [...venues(works, from), ...recorded(there, from)]) tell(name, ...values)
  for (const row of listed) tell('Listed', make('a', { href: listAddress(dayOf(row.listed_on)) }, dayOf(row.listed_on)), row.rank ? `, place ${row.rank} ` : ' ', evidenceOf(found.paper_id, 'listing', dayOf(row.listed_on), `its place on the list of ${dayOf(row.listed_on)}`))
  for (const [column, words] of Object.entries(COUNTS)) {
    if (found[column] !== null && found[column] !== undefined) tell(words, `${found[column].toLocaleString('en')} `, found.last_seen_at && evidenceOf(found.paper_id, column, found.last_seen_at.toISOString(), words))
  }
  for (const row of links) tell(LINKS[row.kind] ?? shown(row.kind), outward(row.url), from(row))
  if (found.standing) tell('Standing', STANDINGS[found.standing] ?? shown(found.standing))
  tell('Last seen', momentOf(found.last_seen_at), from(found))
  return entries
}

/**
 * @param {any} text
 * @param {any[]} claims
 * @param {any[]} systems
 * @param {(row: any) => Node} from
 */
function abstract(text, claims, systems, from) {
  if (!text?.abstract) return []
  const spans = claims.map((row) => ({ start: row.span_start, end: row.span_end, text: row.text, id: `claim-${row.position}` }))
  for (const row of systems) if (row.field === 'abstract') spans.push({ start: row.span_start, end: row.span_end, text: row.name, id: 'system' })
  return [make('h2', {}, 'Abstract', from(text)), marked(text.abstract, spans)]
}

/**
 * How counts went: a chart of each, or where there are few looks, words.
 * @param {any[]} seen
 * @param {Record<string, string>} named
 * @param {string} title
 */
function counts(seen, named, title) {
  seen.sort((one, other) => one.observed_at - other.observed_at)
  /** @type {Node[]} */
  const few = []
  const drawn = Object.entries(named).flatMap(([column, words]) => {
    const looks = seen.filter((row) => row[column] !== null && row.observed_at)
    if (looks.length < 2) return []
    const [first, last] = [looks[0], looks[looks.length - 1]]
    const [begin, end] = [first, last].map((row) => `${row[column].toLocaleString('en')} on ${dayOf(row.observed_at)}`)
    const told = `${words}: from ${begin} to ${end}, seen ${looks.length} times`
    if (looks.length < FEWEST) {
      few.push(make('li', {}, told))
      return []
    }
    const points = looks.map((row) => ({ at: row.observed_at, value: row[column], words: `${row[column].toLocaleString('en')}, ${momentOf(row.observed_at)}` }))
    return [make('section', {}, make('h2', {}, words), lines(told, [{ name: words, points }], undefined, true))]
  })
  const told = few.length ? [make('h2', {}, title), make('ul', { class: 'claims' }, ...few)] : []
  return [...told, ...(drawn.length ? [make('div', { class: 'counts' }, ...drawn)] : [])]
}

/**
 * The AI summary, and how texts changed. A summary that never changed stands in `sightings` alone.
 * @param {HTMLElement} section
 * @param {string} paperId
 * @param {(row: any) => Node} from
 */
async function texted(section, paperId, from) {
  const columns = ['paper_id', 'field', 'version_number', 'text', 'first_seen_at', 'last_seen_at', 'capture_id']
  const versions = await rows('paper_versions', columns, { paper_id: { $eq: paperId } })
  versions.sort((one, other) => one.version_number - other.version_number)
  const last = versions.filter((row) => row.field === 'ai_summary').at(-1)
  if (last) {
    const filter = { paper_id: { $eq: paperId }, capture_id: { $eq: last.capture_id } }
    const text = last.text ?? (await rows('sightings', ['paper_id', 'capture_id', 'ai_summary'], filter))[0]?.ai_summary
    section.append(make('h3', {}, 'AI summary', from(last)), make('p', { class: 'abstract', dir: 'auto' }, text ? untexed(text) : 'This release does not have it.'))
  }
  const several = Object.entries(FIELDS).map(([field, words]) => ({ words, found: versions.filter((row) => row.field === field) })).filter(({ found }) => found.length > 1)
  for (const { words, found } of several) section.append(make('details', {}, make('summary', {}, `${words}: ${found.length} versions`), make('ol', { class: 'versions' }, ...history(found, from))))
  if (!several.length) section.append(make('p', { class: 'soft' }, versions.length ? 'Its title, abstract and summary were the same at every capture.' : 'This release has none of its texts.'))
}
