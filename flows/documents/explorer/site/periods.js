// The papers of a week and of a month; and how one shows many: the first of them, and more on request.
import { covered, daysOf, listings, listOf, outcomeOf } from './days.js'
import { item, papersNamed, skimmed, unreadable } from './lists.js'
import { counted, dayOf, listAddress, make, monthInWords, weekOf } from './words.js'

/** @typedef {import('./lists.js').View} View */

const STEP = 100 // papers that are drawn at once

/** The newest day that has papers. */
const newest = async () => (await listOf('')).day || '2026-01-01'

/** @param {string} [named] @returns {Promise<View>} */
export async function week(named) {
  const found = /^(\d{4})-W(\d\d)$/.exec(named ?? weekOf(await newest()))
  if (!found || Number(found[2]) < 1 || Number(found[2]) > 53) return unreadable('A week is written as 2026-W41.')
  const fourth = new Date(Date.UTC(Number(found[1]), 0, 4)) // always of week 1
  const monday = new Date(fourth.getTime() + ((Number(found[2]) - 1) * 7 - ((fourth.getUTCDay() + 6) % 7)) * 864e5)
  const [first, last] = [dayOf(monday), dayOf(new Date(monday.getTime() + 6 * 864e5))]
  const near = [-7, 7].map((days) => weekOf(dayOf(new Date(monday.getTime() + days * 864e5))))
  return period(`Week ${found[2]} of ${found[1]}`, first, last, '#/week/', near)
}

/** @param {string} [named] @returns {Promise<View>} */
export async function month(named) {
  const asked = named ?? (await newest()).slice(0, 7)
  const found = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(asked)
  if (!found) return unreadable('A month is written as 2026-10.')
  const moved = (/** @type {number} */ by) => dayOf(new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1 + by, 1)))
  const last = dayOf(new Date(Date.parse(moved(1)) - 864e5))
  return period(monthInWords(asked), moved(0), last, '#/month/', [moved(-1).slice(0, 7), moved(1).slice(0, 7)])
}

/**
 * The papers of several days, most upvotes first.
 * @param {string} title
 * @param {string} first
 * @param {string} last
 * @param {string} address
 * @param {string[]} near
 * @returns {Promise<View>}
 */
async function period(title, first, last, address, near) {
  const [states, listed] = await Promise.all([covered(), listings()])
  const ids = [...new Set(listed.filter((row) => dayOf(row.listed_on) >= first && dayOf(row.listed_on) <= last).map((row) => row.paper_id))]
  const papers = [...(await papersNamed(ids)).values()]
  papers.sort((one, other) => (other.upvote_count ?? -1) - (one.upvote_count ?? -1) || (one.paper_id < other.paper_id ? -1 : 1))
  const expected = daysOf(first, last).flatMap((day) => states.get(day) ?? []).filter((day) => day.is_expected)
  const whole = expected.filter((day) => day.state === 'complete').length
  const isLate = daysOf(first, last).some((day) => !states.has(day) && outcomeOf(day, states).name === 'unfetched')
  const late = isLate ? ` No list after ${[...states.keys()].sort().at(-1)} was fetched.` : ''
  const about = `${counted(papers.length, 'paper')}, most upvotes first, as last seen. Complete lists: ${whole} of ${expected.length} expected.${late}`
  const lacking = expected.filter((day) => day.state !== 'complete').map((day) => make('li', {}, make('a', { href: listAddress(dayOf(day.listed_on)) }, dayOf(day.listed_on)), `: ${outcomeOf(dayOf(day.listed_on), states).words}`))
  const links = [`← ${near[0]}`, `${near[1]} →`].map((words, at) => make('a', { href: address + near[at] }, words))
  const body = [make('nav', { 'aria-label': 'Other lists', class: 'turns' }, ...links, make('a', { href: `#/calendar/${first.slice(0, 4)}` }, 'Calendar')), make('p', { class: 'lead' }, about)]
  if (lacking.length) body.push(make('details', {}, make('summary', {}, `${counted(lacking.length, 'list')} not complete`), make('ul', {}, ...lacking)))
  return { title, body: [...body, ...(await shownFirst(papers, STEP, async (some, from) => some.map((paper, at) => item(paper, from + at + 1))))] }
}

/**
 * The first of many papers, and more on request.
 * @param {any[]} found
 * @param {number} step how many at once
 * @param {(some: any[], from: number) => Promise<HTMLElement[]>} drawn
 */
export async function shownFirst(found, step, drawn) {
  const list = make('ol', { class: 'papers' }, ...(await drawn(found.slice(0, step), 0)))
  let count = step
  const words = () => `Show ${Math.min(step, found.length - count)} more of ${found.length.toLocaleString('en')}`
  const more = make('button', { type: 'button' }, words())
  const go = async () => {
    const some = found.slice(count, count + step)
    list.append(...(await drawn(some, count)))
    count += some.length
    skimmed(list)
    if (count < found.length) more.textContent = words()
    else more.remove()
  }
  more.addEventListener('click', () => go().catch((error) => more.replaceWith(make('p', { class: 'fault' }, error.message))))
  return found.length > step ? [skimmed(list), more] : [skimmed(list)]
}
