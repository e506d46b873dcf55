// The papers of an author, by the name that papers print, and of an organization, newest first.
import { datedPapers, item, shownFirst } from './lists.js'
import { rows } from './tables.js'
import { counted, dayOf, make, outward, searchAddress } from './words.js'

/**
 * @param {string} [named] as papers print it
 * @returns {Promise<import('./lists.js').View>}
 */
export async function author(named = '') {
  const found = named ? await rows('paper_authors', ['paper_id', 'name'], { name: { $eq: named } }) : []
  const papers = await datedPapers({ paper_id: { $in: [...new Set(found.map((row) => row.paper_id))] } })
  const others = make('a', { href: searchAddress(`author:"${named.replaceAll('"', '')}"`) }, 'Search for it in other forms')
  const about = make('p', { class: 'soft' }, 'Papers that print this name: people who share it are not told apart. ', others, '.')
  return page('Author', named, papers, [about])
}

/**
 * @param {string} [login] of the organization on the Hub
 * @returns {Promise<import('./lists.js').View>}
 */
export async function organization(login = '') {
  const papers = login ? await datedPapers({ organization_login: { $eq: login } }) : []
  const [{ organization_name: name = null } = {}] = newestFirst(papers)
  const hub = outward(`https://huggingface.co/${encodeURIComponent(login)}`, `${login} on Hugging Face`)
  const about = make('p', { class: 'soft' }, 'Papers that the Hub shows with this organization, as it does since 2025-09-29. ', hub, '.')
  return page('Organization', name ?? login, papers, papers.length ? [about] : [])
}

/** @param {any} paper */
const dayOfPaper = (paper) => dayOf(paper.first_listed_on ?? paper.submitted_at ?? paper.published_on)

/** @param {any[]} papers */
const newestFirst = (papers) =>
  papers.sort((one, other) => (dayOfPaper(one) === dayOfPaper(other) ? (one.paper_id < other.paper_id ? 1 : -1) : dayOfPaper(one) < dayOfPaper(other) ? 1 : -1))

/**
 * @param {string} kind
 * @param {string} title
 * @param {any[]} papers
 * @param {Node[]} about
 * @returns {import('./lists.js').View}
 */
function page(kind, title, papers, about) {
  if (!papers.length) return { title: title || `No ${kind.toLowerCase()}`, body: [make('p', {}, `This release has no papers of an ${kind.toLowerCase()} of this name. `, make('a', { href: searchAddress(title) }, 'Search for it'), '.')] }
  const upvotes = papers.reduce((sum, paper) => sum + (paper.upvote_count ?? 0), 0)
  const lead = make('p', { class: 'lead' }, `${kind}. ${counted(papers.length, 'paper')}, newest first; ${counted(upvotes, 'upvote')} as last seen.`)
  return { title, body: [lead, ...about, ...shownFirst(newestFirst(papers), (paper) => item(paper, null, dayOfPaper(paper)))] }
}
