// What the papers that match have in common, as `paperlake search --facets` has it: each with what narrows the search by it.
import { keywords } from './conditions.js'
import { dayIn } from './ranking.js'
import { all, has } from './tables.js'
import { fieldOf, make, searchAddress, theirs } from './words.js'

/** @typedef {{ value: string, count: number, narrow: string }} Facet */

const MOST = 8 // of each kind
const KINDS = /** @type {Record<string, string>} */ ({ year: 'Years', organization: 'Organizations', keyword: 'Keywords', has: 'Linked' })
const FEWEST = 2 // papers that are worth narrowing

/**
 * Kind → what most papers have of it, the most first.
 * @param {any[]} papers
 * @returns {Promise<Map<string, Facet[]>>}
 */
export async function facets(papers) {
  const ids = new Set(papers.map((row) => row.paper_id))
  const [said, links] = await Promise.all([keywords(), has('paper_links') ? all('paper_links', ['paper_id', 'kind']) : []])
  /** @type {[string, string, string, string][]} */
  const found = []
  for (const row of papers) {
    const day = dayIn(row)
    const year = day === null ? '' : `${new Date(day).getUTCFullYear()}`
    if (year) found.push(['year', year, `year:${year}`, row.paper_id])
    const [login, name] = [row.organization_login, row.organization_name]
    if (login ?? name) found.push(['organization', name ?? login, fieldOf('org', login ?? name), row.paper_id])
  }
  for (const { paper_id, keyword } of said) if (ids.has(paper_id)) found.push(['keyword', keyword, fieldOf('keyword', keyword), paper_id])
  for (const { paper_id, kind } of links) if (ids.has(paper_id) && kind === 'github') found.push(['has', 'code', 'has:code', paper_id])
  const byKind = Map.groupBy(found, ([kind]) => kind)
  return new Map(Object.keys(KINDS).map((kind) => [kind, counted(byKind.get(kind) ?? [])]))
}

/** @param {[string, string, string, string][]} found @returns {Facet[]} */
function counted(found) {
  const byValue = [...Map.groupBy(found, ([, value]) => value)]
  const each = byValue.map(([value, some]) => ({ value, count: new Set(some.map(([, , , id]) => id)).size, narrow: some.map(([, , narrow]) => narrow).reduce((least, one) => (one < least ? one : least)) }))
  return each.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)).slice(0, MOST)
}

/**
 * Links that narrow a search, folded; none where the papers are too few.
 * @param {string} text that was searched for
 * @param {any[]} papers
 */
export async function narrowing(text, papers) {
  if (papers.length < FEWEST) return []
  const kinds = [...(await facets(papers))].filter(([, found]) => found.length)
  const item = (/** @type {Facet} */ { value, count, narrow }) => make('li', {}, make('a', { href: searchAddress(`${narrow} ${text.trim()}`) }, theirs(value)), ` ${count.toLocaleString('en')}`)
  const parts = kinds.map(([kind, found]) => make('section', {}, make('h2', {}, KINDS[kind]), make('ul', { class: 'keywords' }, ...found.map(item))))
  return parts.length ? [make('details', {}, make('summary', {}, 'Narrow by year, organization, keyword, code'), make('div', { class: 'names' }, ...parts))] : []
}
