// The papers of a day's list, as it is and as it stood at each capture.
import { mark } from './arxiv.js'
import { covered, listOf, outcomeOf } from './days.js'
import { asOf, dailyCaptures } from './history.js'
import { fleshOut } from './skim.js'
import { all, rows } from './tables.js'
import { untexed } from './tex.js'
import { counted, dayInWords, isDay, led, listAddress, make, momentOf, monthInWords, organizationAddress, paperAddress, theirs, weekOf } from './words.js'

/** @typedef {{ title: string, body: Node[], tab?: string }} View `tab` names its tab, where the title would not tell two apart */

const SHOWN = ['paper_id', 'title', 'author_count', 'organization_name', 'organization_login', 'upvote_count', 'github_star_count']

/**
 * The list of a day, the newest where none is named; `2026-10-02/2026-10-02T12:30` as it stood at that minute.
 * @param {string} [named]
 * @returns {Promise<View>}
 */
export async function list(named = '') {
  const [asked, moment] = named.split('/')
  const [{ day, days, onIt }, states] = await Promise.all([listOf(asked), covered()])
  if (!day) return { title: 'No list', body: [make('p', {}, 'No daily list of this release has papers yet.')] }
  if (!isDay(day)) return unreadable('A day is written as 2026-10-02.')
  if (moment && Number.isNaN(lastOf(moment).getTime())) return unreadable('A moment is written as 2026-10-02T08:05.')
  const captures = await dailyCaptures(day)
  onIt.sort((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity) || (one.paper_id < other.paper_id ? -1 : 1))
  const top = [turns(day, days), stood(day, captures, moment)].filter((one) => one !== null)
  if (moment) return { title: dayInWords(day), body: [...top, ...(await past(onIt, captures, moment))] }
  const papers = await papersNamed(onIt.map((row) => row.paper_id))
  const state = states.get(day)
  const outcome = outcomeOf(day, states)
  const about = make('p', { class: 'lead' }, `${counted(onIt.length, 'paper')}, counts as last seen. Captured: ${outcome.words}`)
  if (state?.reason && !outcome.reason) about.append(': ', theirs(state.reason))
  about.append('.')
  const begun = captures[0]?.fetched_at
  const late = (/** @type {any} */ row) => begun && row.first_seen_at > begun && `joined late, first seen ${momentOf(row.first_seen_at)}`
  const items = onIt.map((row) => item(papers.get(row.paper_id) ?? { paper_id: row.paper_id }, row.rank, late(row)))
  const joined = onIt.filter(late).length
  if (joined) about.append(` ${counted(joined, 'paper')} joined after the first capture, at ${momentOf(begun)}.`)
  return { title: dayInWords(day), body: [...top, about, skimmed(make('ol', { class: 'papers' }, ...items))] }
}

/** @param {string} words @returns {View} */
export const unreadable = (words) => ({ title: 'No such list', body: [make('p', {}, words)] })

/** The last millisecond of a minute. @param {string} minute */
const lastOf = (minute) => new Date(`${minute}:59.999Z`)

/**
 * @param {any[]} onIt
 * @param {any[]} captures
 * @param {string} moment
 */
async function past(onIt, captures, moment) {
  const until = lastOf(moment)
  const then = await asOf(captures, onIt.map((row) => row.paper_id), until)
  const papers = await papersNamed(then.map((row) => row.paper_id))
  const items = then.map((row) => item({ ...(papers.get(row.paper_id) ?? row), upvote_count: row.upvote_count }, row.rank))
  const words = `${counted(then.length, 'paper')} of the ${onIt.length} that the list has now, with their places and upvotes as they stood at ${momentOf(until)}.`
  await mark(items, until)
  return [make('p', { class: 'lead' }, words), make('ol', { class: 'papers' }, ...items)]
}

/**
 * A link for each look at a day's list.
 * @param {string} day
 * @param {any[]} captures
 * @param {string} [moment]
 */
function stood(day, captures, moment) {
  const looks = [...new Set(captures.map((row) => row.fetched_at.toISOString().slice(0, 16)))]
  if (looks.length < 2 && !moment) return null
  const links = looks.map((look) => make('a', { href: `${listAddress(day)}/${look}`, 'aria-current': look === moment ? 'page' : null }, look.replace('T', ' ')))
  const now = make('a', { href: listAddress(day), 'aria-current': moment ? null : 'page' }, 'as last seen')
  return make('nav', { 'aria-label': 'The list as it stood, UTC', class: 'turns stood' }, make('span', { class: 'soft' }, 'As of (UTC):'), ...links, now)
}

/**
 * @param {string} day
 * @param {string[]} days
 */
function turns(day, days) {
  const before = days.filter((one) => one < day).at(-1)
  const after = days.find((one) => one > day)
  const week = weekOf(day)
  return make(
    'nav',
    { 'aria-label': 'Other lists', class: 'turns' },
    before && make('a', { href: listAddress(before), rel: 'prev' }, `← ${before}`),
    after && make('a', { href: listAddress(after), rel: 'next' }, `${after} →`),
    make('a', { href: `#/week/${week}` }, `Week ${week.slice(6)}`),
    make('a', { href: `#/month/${day.slice(0, 7)}` }, monthInWords(day.slice(0, 7))),
    make('a', { href: `#/calendar/${day.slice(0, 4)}` }, 'Calendar'),
  )
}

/** Every paper, as lists and searches show it. */
export const everyPaper = () => all('papers', [...SHOWN, 'first_listed_on', 'published_on', 'submitted_at'])

/**
 * Paper → its row.
 * @param {string[]} ids
 */
export async function papersNamed(ids) {
  const found = ids.length ? await rows('papers', SHOWN, { paper_id: { $in: ids } }) : []
  return new Map(found.map((row) => [row.paper_id, row]))
}

/** A list whose items say more once that is read. @param {HTMLElement} list */
export function skimmed(list) {
  fleshOut([...list.children]).catch((error) => list.after(make('p', { class: 'fault' }, error.message))).finally(() => (list.dataset.skimmed = ''))
  return list
}

/**
 * A paper in a list.
 * @param {any} paper
 * @param {number | null} [rank]
 * @param {Node | string | false | null} [more]
 */
export function item(paper, rank, more) {
  const organization = paper.organization_name ?? paper.organization_login
  const facts = [
    paper.upvote_count !== null && paper.upvote_count !== undefined && make('span', { class: 'upvotes' }, counted(paper.upvote_count, 'upvote')),
    paper.author_count !== null && paper.author_count !== undefined && make('span', { class: 'by', 'data-count': paper.author_count }, counted(paper.author_count, 'author')),
    organization && (paper.organization_login ? led(organizationAddress(paper.organization_login), organization) : theirs(organization)),
    make('span', { class: 'system' }),
    make('span', { class: 'code' }),
    Boolean(paper.github_star_count) && make('span', {}, counted(paper.github_star_count, 'star')),
    more && make('span', { class: 'more' }, more),
  ]
  return make(
    'li',
    { 'data-paper': paper.paper_id, ...(rank ? { value: rank } : { class: 'unranked' }) },
    make('a', { href: paperAddress(paper.paper_id), class: 'title', dir: 'auto' }, untexed(paper.title ?? paper.paper_id)),
    make('p', { class: 'about' }, ...facts),
  )
}
