// Search over titles and organizations, as one types; every word must stand somewhere in them.
import { item } from './lists.js'
import { all } from './tables.js'
import { counted, make } from './words.js'

const MOST = 50
const COLUMNS = ['paper_id', 'title', 'author_count', 'organization_name', 'organization_login', 'upvote_count', 'last_listed_on']

/** Without case and accents. @param {string} text */
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * @param {string} [asked]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function search(asked = '') {
  const papers = (await all('papers', COLUMNS)).map((paper) => ({
    paper,
    text: plain([paper.title, paper.organization_name, paper.organization_login, paper.paper_id].filter(Boolean).join(' ')),
  }))
  papers.sort((one, other) => (other.paper.last_listed_on ?? 0) - (one.paper.last_listed_on ?? 0))
  const field = /** @type {HTMLInputElement} */ (make('input', { type: 'search', id: 'words', autocomplete: 'off', value: asked }))
  const told = make('p', { role: 'status' })
  const found = make('ol', { class: 'papers' })
  const look = () => {
    const words = plain(field.value).split(/\s+/).filter(Boolean)
    const hits = words.length ? papers.filter(({ text }) => words.every((word) => text.includes(word))) : []
    const more = hits.length > MOST ? `; the ${MOST} listed last` : ''
    told.textContent = words.length ? `${counted(hits.length, 'paper')} of ${papers.length.toLocaleString('en')}${more}` : ''
    found.replaceChildren(...hits.slice(0, MOST).map(({ paper }) => item(paper)))
    history.replaceState(null, '', `#/search/${encodeURIComponent(field.value)}`)
  }
  field.addEventListener('input', look)
  look()
  return { title: 'Search', body: [make('label', { for: 'words' }, 'Words of a title, or an organization'), field, told, found] }
}
