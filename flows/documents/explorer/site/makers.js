// The papers of an author, by the name that papers print, and of an organization, newest first.
import { item, papersNamed } from './lists.js'
import { shownFirst } from './periods.js'
import { rows } from './tables.js'
import { counted, dayOf, fieldOf, make, outward, searchAddress } from './words.js'

const STEP = 20 // papers that are drawn at once: older ones lie in other files
const DATED = ['paper_id', 'first_listed_on', 'submitted_at', 'published_on']

/**
 * @param {string} [name] as papers print it
 * @returns {Promise<import('./lists.js').View>}
 */
export async function author(name = '') {
  const found = name ? await rows('paper_authors', ['paper_id', 'name'], { name: { $eq: name } }) : []
  const ids = [...new Set(found.map((row) => row.paper_id))]
  const papers = ids.length ? await rows('papers', DATED, { paper_id: { $in: ids } }) : []
  const others = make('a', { href: searchAddress(fieldOf('author', name)) }, 'search for other forms of it')
  const about = make('p', { class: 'soft' }, 'Papers that print this very name. People who share it are not told apart; ', others, '.')
  return { title: name || 'No author', body: await body('An author', papers, about) }
}

/**
 * @param {string} [login] of the organization on the Hub
 * @returns {Promise<import('./lists.js').View>}
 */
export async function organization(login = '') {
  const papers = login ? await rows('papers', [...DATED, 'organization_login', 'organization_name'], { organization_login: { $eq: login } }) : []
  const hub = outward(`https://huggingface.co/${encodeURIComponent(login)}`, login)
  const about = make('p', { class: 'soft' }, 'Papers that the Hub shows with it, as it does since 2025-09-29. Its page there: ', hub, '.')
  const made = await body('An organization', papers, about)
  return { title: papers[0]?.organization_name ?? (login || 'No organization'), body: made }
}

/** @param {any} paper */
const dayOfPaper = (paper) => dayOf(paper.first_listed_on ?? paper.submitted_at ?? paper.published_on)

/**
 * @param {string} kind
 * @param {any[]} papers sorted here, by their days
 * @param {Node} about
 */
async function body(kind, papers, about) {
  if (!papers.length) return [make('p', {}, 'This release has no paper of this name. ', make('a', { href: searchAddress('') }, 'Search'), '.')]
  const isBefore = (/** @type {any} */ one, /** @type {any} */ other) => (dayOfPaper(one) === dayOfPaper(other) ? one.paper_id > other.paper_id : dayOfPaper(one) > dayOfPaper(other))
  papers.sort((one, other) => (isBefore(one, other) ? -1 : 1))
  const lead = make('p', { class: 'lead' }, `${kind}: ${counted(papers.length, 'paper')}, newest first; upvotes as last seen.`)
  const drawn = async (/** @type {any[]} */ some) => {
    const known = await papersNamed(some.map((row) => row.paper_id))
    const own = some[0].organization_login // every paper of an organization has it
    const bare = own === undefined ? {} : { organization_name: null, organization_login: null }
    return some.map((row) => item({ paper_id: row.paper_id, ...known.get(row.paper_id), ...bare }, null, dayOfPaper(row)))
  }
  return [lead, about, ...(await shownFirst(papers, STEP, drawn))]
}
