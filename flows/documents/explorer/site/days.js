// List days: what was captured of each, and the calendar that leads to them.
import { all, allOf, release } from './tables.js'
import { counted, dayInWords, dayOf, listAddress, make, monthInWords, weekOf } from './words.js'

const LISTED = ['listed_on', 'paper_id', 'rank', 'first_seen_at']

export const listings = () => all('daily_listings', LISTED)

/**
 * The list of a day, the newest where none is named, and the days around it that have papers, in order. Only files that
 * can have papers of the day are read; of all others the first or the last day is known.
 * @param {string} asked
 * @param {string[]} [more] columns
 */
export async function listOf(asked, more = []) {
  const files = (release.tables.daily_listings ?? []).flatMap((file) => (file.first && file.last ? [{ file, first: file.first, last: file.last }] : []))
  const day = asked || (files.map((one) => one.last).sort().at(-1) ?? '')
  const near = files.filter((one) => one.first <= day && day <= one.last)
  const found = (await Promise.all(near.map((one) => allOf(one.file, [...LISTED, ...more])))).flat()
  const others = files.filter((one) => !near.includes(one)).map((one) => (one.last < day ? one.last : one.first))
  const days = [...new Set([...others, ...found.map((row) => dayOf(row.listed_on))])].sort()
  const onIt = found.filter((row) => dayOf(row.listed_on) === day)
  return { day: days.length ? day : '', days, onIt }
}

/** Day → what `coverage` says of the API's list of it. */
export async function covered() {
  const found = await all('coverage', ['source', 'listed_on', 'is_expected', 'state', 'reason', 'paper_count'])
  return new Map(found.filter((row) => row.source === 'api').map((row) => [dayOf(row.listed_on), row]))
}

const UNEXPECTED = release.outcomes[release.outcomes.length - 1]

/** Whether a day is one of a list. @param {string} day */
const isWeekday = (day) => new Date(day).getUTCDay() % 6 !== 0

/**
 * What became of the list of a day, of which `coverage` says this; after its last day nothing was fetched any more.
 * @param {string} day
 * @param {Map<string, any>} states
 */
export function outcomeOf(day, states) {
  const found = states.get(day)
  const isAfter = [...states.keys()].every((covered) => covered < day)
  const isLate = !found && isAfter && day < release.version.slice(0, 10).replaceAll('.', '-') && isWeekday(day)
  if (isLate) return release.outcomes.find((one) => one.name === 'unfetched') ?? UNEXPECTED
  if (!found || (!found.is_expected && found.state === UNEXPECTED.state)) return UNEXPECTED
  return release.outcomes.find((one) => one.state === found.state && (!one.reason || one.reason === found.reason)) ?? UNEXPECTED
}

/**
 * @param {string} first
 * @param {string} last
 */
export function daysOf(first, last) {
  const count = (Date.parse(last) - Date.parse(first)) / 864e5 + 1
  return Array.from({ length: count }, (_, at) => dayOf(new Date(Date.parse(first) + at * 864e5)))
}

/**
 * A year, a table a month: every cell says its day, its count and its state, and opens its list.
 * @param {string} [named]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function calendar(named) {
  const [states, listed] = await Promise.all([covered(), listings()])
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const row of listed) counts.set(dayOf(row.listed_on), (counts.get(dayOf(row.listed_on)) ?? 0) + 1)
  const days = [...new Set([...states.keys(), ...counts.keys()])].sort()
  const years = [...new Set(days.map((day) => day.slice(0, 4)))].reverse()
  const year = named ?? years[0] ?? ''
  const months = [...new Set(days.filter((day) => day.startsWith(`${year}-`)).map((day) => day.slice(0, 7)))].reverse()
  const links = years.map((one) => make('a', { href: `#/calendar/${one}`, 'aria-current': one === year ? 'page' : null }, one))
  const most = Math.max(...counts.values(), 1)
  return {
    title: `Lists of ${year}`,
    body: [
      make('nav', { 'aria-label': 'Years', class: 'turns' }, ...links),
      make('p', {}, 'Each cell counts the papers of a day’s list. Arrow keys move from day to day; the name of a month and the number of a week open their papers.'),
      make('ul', { class: 'key' }, ...release.outcomes.map((one) => make('li', {}, make('span', { class: `cell ${one.name}`, 'aria-hidden': 'true' }), one.words))),
      make('div', { class: 'months' }, ...months.map((month) => monthTable(month, states, counts, most))),
    ],
  }
}

const WEEK = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 })

/**
 * @param {string} month
 * @param {Map<string, any>} states
 * @param {Map<string, number>} counts
 * @param {number} most
 */
function monthTable(month, states, counts, most) {
  const first = new Date(`${month}-01T00:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const lead = (first.getUTCDay() + 6) % 7 // a week begins on Monday
  const cells = [...Array(lead).fill(null), ...Array.from({ length }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, at) => cells.slice(7 * at, 7 * at + 7))
  const row = (/** @type {(string | null)[]} */ week) => {
    const name = weekOf(week.find((day) => day !== null) ?? month)
    const link = make('a', { href: `#/week/${name}`, 'aria-label': `Week ${name}`, tabindex: -1 }, name.slice(6))
    return make('tr', {}, make('th', { scope: 'row', class: 'week' }, link), ...week.map((day) => cell(day, states, counts, most)))
  }
  const table = make(
    'table',
    { class: 'month' },
    make('caption', {}, make('a', { href: `#/month/${month}` }, monthInWords(month))),
    make('thead', {}, make('tr', {}, make('td'), ...WEEK.map((day) => make('th', { scope: 'col' }, day)))),
    make('tbody', {}, ...weeks.map(row)),
  )
  table.addEventListener('keydown', stepped)
  return table
}

/** From day to day by arrows. @param {KeyboardEvent} event */
function stepped(event) {
  const at = event.target instanceof HTMLElement ? event.target.dataset.day : undefined
  const step = STEPS[event.key]
  if (!at || !step) return
  const to = dayOf(new Date(Date.parse(at) + step * 864e5))
  const found = document.querySelector(`[data-day="${to}"]`)
  if (!(found instanceof HTMLElement)) return
  event.preventDefault()
  found.focus()
}

/**
 * @param {string | null} day
 * @param {Map<string, any>} states
 * @param {Map<string, number>} counts
 * @param {number} most
 */
function cell(day, states, counts, most) {
  if (day === null) return make('td')
  const [outcome, count] = [outcomeOf(day, states), counts.get(day) ?? 0]
  const words = `${dayInWords(day)}: ${counted(count, 'paper')}, ${outcome.words}`
  const number = make('span', { class: 'day', 'aria-hidden': 'true' }, Number(day.slice(8)))
  const papers = make('span', { class: 'count', 'aria-hidden': 'true' }, count || '·')
  const link = make('a', { href: listAddress(day), title: words, 'aria-label': words, 'data-day': day }, number, papers)
  const strength = Math.ceil((4 * count) / most)
  return make('td', { class: `${count && outcome === UNEXPECTED ? 'early' : outcome.name} strength-${strength}` }, link)
}
