// The first page: a box to search from, how old the data is, the newest list, and what is trending.
import { whenSeen } from './facts.js'
import { captures } from './history.js'
import { list } from './lists.js'
import { has } from './tables.js'
import { counted, make, searchAddress } from './words.js'

const DAY = 864e5 // milliseconds
const FEW = 5

/** @returns {Promise<import('./lists.js').View>} */
export async function front() {
  const [{ title, body }, pages] = await Promise.all([list(), captures()])
  const newest = pages.reduce((last, row) => Math.max(last, Number(row.fetched_at ?? 0)), 0)
  const parts = [searchBox(), ...(newest > 0 ? [make('p', { class: 'soft' }, `The newest page was fetched ${ago(newest)}.`)] : []), ...body]
  return { title, body: has('trending_papers') ? [...parts, whenSeen('Trending', trendingIn)] : parts }
}

function searchBox() {
  const field = /** @type {HTMLInputElement} */ (make('input', { type: 'search', autocomplete: 'off', placeholder: 'words, an author, an arXiv id…', 'aria-label': 'Find papers' }))
  const form = make('form', { role: 'search', class: 'front' }, field, make('button', {}, 'Search'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    location.hash = searchAddress(field.value.trim())
  })
  return form
}

/** @param {number} moment */
function ago(moment) {
  const days = Math.floor(Date.now() / DAY) - Math.floor(moment / DAY)
  return days < 1 ? 'today' : days === 1 ? 'yesterday' : `${counted(days, 'day')} ago`
}

/** @param {HTMLElement} section */
async function trendingIn(section) {
  const { trending } = await import('./trending.js')
  const { title, body } = await trending(undefined, FEW)
  section.append(make('p', {}, make('a', { href: '#/trending' }, title)), ...body.slice(1))
}
