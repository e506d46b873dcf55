// The first page: a box to search from, how old the data is, the newest list, and what is trending.
import { covered, listOf } from './days.js'
import { captures } from './history.js'
import { ifKept } from './kept.js'
import { list } from './lists.js'
import { has } from './tables.js'
import { counted, listAddress, make, searchAddress, whenSeen } from './words.js'

const DAY = 864e5 // milliseconds
const MOST = 10 // lists that are named
const SEEN = 'paperlake-newest-list'

/** @returns {Promise<import('./lists.js').View>} */
export async function front() {
  const [{ title, body }, pages, states, { day, onIt }] = await Promise.all([list(), captures(), covered(), listOf('')])
  const newest = pages.reduce((last, row) => Math.max(last, Number(row.fetched_at ?? 0)), 0)
  const age = newest > 0 ? [make('p', { class: 'soft' }, `The newest page was fetched ${ago(newest)}.`)] : []
  const parts = [searchBox(), ...age, ...sinceVisit(day, states)]
  if (!has('trending_papers')) return { title, body: [...parts, ...body] }
  const trends = async (/** @type {HTMLElement} */ section) => {
    const { trendingBeside } = await import('./trending.js')
    section.append(...(await trendingBeside(day, new Set(onIt.map((row) => row.paper_id)))))
  }
  const beside = make('aside', {}, whenSeen('Trending', trends))
  return { title, body: [...parts, make('div', { class: 'beside' }, make('div', {}, ...body), beside)] }
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

/**
 * The lists that came since the visit before, where there are some beside the newest, and the browser keeps anything.
 * @param {string} day the newest list's
 * @param {Map<string, any>} states
 */
function sinceVisit(day, states) {
  const before = lastSeen(day)
  const days = before ? [...states].filter(([one, row]) => one > before && one <= day && row.paper_count > 0) : []
  if (days.length < 2) return []
  const links = days.slice(-MOST).map(([one, row]) => make('a', { href: listAddress(one) }, `${one} (${row.paper_count})`))
  const more = days.length > MOST ? [make('a', { href: '#/calendar' }, `and ${counted(days.length - MOST, 'earlier list')}`)] : []
  return [make('nav', { 'aria-label': 'Since your last visit', class: 'turns' }, make('span', { class: 'soft' }, 'New since your last visit:'), ...links, ...more)]
}

/** The newest list of the visit before; that of this one is kept for the next. @param {string} day */
function lastSeen(day) {
  return ifKept(() => {
    const before = sessionStorage.getItem(SEEN) ?? localStorage.getItem(SEEN) ?? ''
    sessionStorage.setItem(SEEN, before)
    localStorage.setItem(SEEN, day)
    return before
  }, '')
}

/** @param {number} moment */
function ago(moment) {
  const days = Math.floor(Date.now() / DAY) - Math.floor(moment / DAY)
  return days < 1 ? 'today' : days === 1 ? 'yesterday' : `${counted(days, 'day')} ago`
}
