// The daily lists: one day's, and the calendar that leads to each.
import { all, rows } from './tables.js'
import { counted, dayInWords, dayOf, listAddress, make, paperAddress, theirs } from './words.js'

/** @typedef {{ title: string, body: Node[] }} View */

const WORDS = /** @type {Record<string, string>} */ ({
  complete: 'the whole list',
  partial: 'some papers of the list',
  empty: 'the source said that there are none',
  missing: 'no page of the list',
})
const UNLISTED = 'no list expected'

const listings = () => all('daily_listings', ['listed_on', 'paper_id', 'rank', 'first_seen_at'])

/** Day → what `coverage` says of the API's list of it. */
async function covered() {
  const found = await all('coverage', ['source', 'listed_on', 'is_expected', 'state', 'reason', 'paper_count'])
  return new Map(found.filter((row) => row.source === 'api').map((row) => [dayOf(row.listed_on), row]))
}

/** Every day that has papers, in order. @returns {Promise<string[]>} */
async function listDays() {
  return [...new Set((await listings()).map((row) => dayOf(row.listed_on)))].sort()
}

/** @param {any} day */
const stateOf = (day) => (day && (day.is_expected || day.state !== 'missing') ? WORDS[day.state] ?? day.state : UNLISTED)

/**
 * The list of a day, the newest where none is named.
 * @param {string} [named]
 * @returns {Promise<View>}
 */
export async function list(named) {
  const [days, states, listed] = await Promise.all([listDays(), covered(), listings()])
  const day = named ?? days.at(-1)
  if (!day) return { title: 'No list', body: [make('p', {}, 'No daily list of this release has papers yet.')] }
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return { title: 'No such day', body: [make('p', {}, 'A day is written as 2026-10-02.')] }
  const onIt = listed.filter((row) => dayOf(row.listed_on) === day)
  onIt.sort((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity) || (one.paper_id < other.paper_id ? -1 : 1))
  const papers = await papersNamed(onIt.map((row) => row.paper_id))
  const state = states.get(day)
  const about = make('p', {}, `${counted(onIt.length, 'paper')}, counts as last seen. Captured: ${stateOf(state)}`)
  if (state?.reason) about.append(': ', theirs(state.reason))
  about.append('.')
  const before = days.filter((one) => one < day).at(-1)
  const after = days.find((one) => one > day)
  const turns = make(
    'nav',
    { 'aria-label': 'Other days', class: 'turns' },
    before && make('a', { href: listAddress(before), rel: 'prev' }, `← ${before}`),
    make('a', { href: `#/calendar/${day.slice(0, 4)}` }, 'Calendar'),
    after && make('a', { href: listAddress(after), rel: 'next' }, `${after} →`),
  )
  const items = onIt.map((row) => item(papers.get(row.paper_id) ?? { paper_id: row.paper_id }, row.rank))
  return { title: dayInWords(day), body: [turns, about, make('ol', { class: 'papers' }, ...items)] }
}

const SHOWN = ['paper_id', 'title', 'author_count', 'organization_name', 'organization_login', 'upvote_count']

/**
 * Paper → its row.
 * @param {string[]} ids
 */
async function papersNamed(ids) {
  const found = ids.length ? await rows('papers', SHOWN, { paper_id: { $in: ids } }) : []
  return new Map(found.map((row) => [row.paper_id, row]))
}

/**
 * A paper in a list.
 * @param {any} paper
 * @param {number | null} [rank]
 */
export function item(paper, rank) {
  const organization = paper.organization_name ?? paper.organization_login
  const facts = [
    paper.upvote_count !== null && paper.upvote_count !== undefined && make('span', {}, counted(paper.upvote_count, 'upvote')),
    paper.author_count !== null && paper.author_count !== undefined && make('span', {}, counted(paper.author_count, 'author')),
    organization && theirs(organization),
  ]
  return make(
    'li',
    rank ? { value: rank } : { class: 'unranked' },
    make('a', { href: paperAddress(paper.paper_id), class: 'title', dir: 'auto' }, paper.title ?? paper.paper_id),
    make('p', { class: 'about' }, ...facts),
  )
}

/**
 * A year, a table a month: every cell says its day, its count and its state, and opens its list.
 * @param {string} [named]
 * @returns {Promise<View>}
 */
export async function calendar(named) {
  const [states, listed] = await Promise.all([covered(), listings()])
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const row of listed) counts.set(dayOf(row.listed_on), (counts.get(dayOf(row.listed_on)) ?? 0) + 1)
  const days = [...new Set([...states.keys(), ...counts.keys()])].sort()
  const years = [...new Set(days.map((day) => day.slice(0, 4)))].reverse()
  const year = named ?? years[0] ?? ''
  const months = [...new Set(days.filter((day) => day.startsWith(year)).map((day) => day.slice(0, 7)))].reverse()
  const links = years.map((one) => make('a', { href: `#/calendar/${one}`, 'aria-current': one === year ? 'page' : null }, one))
  return {
    title: `Lists of ${year}`,
    body: [
      make('nav', { 'aria-label': 'Years', class: 'turns' }, ...links),
      make('p', {}, 'How many papers the release has of each day’s list; a filled cell is a whole list.'),
      make('div', { class: 'months' }, ...months.map((month) => monthTable(month, states, counts))),
    ],
  }
}

const WEEK = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/**
 * @param {string} month
 * @param {Map<string, any>} states
 * @param {Map<string, number>} counts
 */
function monthTable(month, states, counts) {
  const first = new Date(`${month}-01T00:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const lead = (first.getUTCDay() + 6) % 7 // a week begins on Monday
  const cells = [...Array(lead).fill(null), ...Array.from({ length }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, at) => cells.slice(7 * at, 7 * at + 7))
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first)
  return make(
    'table',
    { class: 'month' },
    make('caption', {}, name),
    make('thead', {}, make('tr', {}, ...WEEK.map((day) => make('th', { scope: 'col' }, day)))),
    make('tbody', {}, ...weeks.map((week) => make('tr', {}, ...week.map((day) => cell(day, states, counts))))),
  )
}

/**
 * @param {string | null} day
 * @param {Map<string, any>} states
 * @param {Map<string, number>} counts
 */
function cell(day, states, counts) {
  if (day === null) return make('td')
  const [state, count] = [states.get(day), counts.get(day) ?? 0]
  const words = `${dayInWords(day)}: ${counted(count, 'paper')}, ${stateOf(state)}`
  const number = make('span', { class: 'day', 'aria-hidden': 'true' }, Number(day.slice(8)))
  if (!count) return make('td', { title: words, class: state?.is_expected ? state.state : 'unexpected' }, number)
  const link = make('a', { href: listAddress(day), title: words, 'aria-label': words }, number, make('span', { class: 'count', 'aria-hidden': 'true' }, count))
  return make('td', { class: state?.state ?? 'partial' }, link)
}
