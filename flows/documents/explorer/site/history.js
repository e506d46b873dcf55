// How a day's list stood at a moment: the macro `listing_as_of` of the release, step by step.
import { all, rows } from './tables.js'
import { dayOf } from './words.js'

const READ = new Set(['read', 'partial', 'empty'])
const FULL = 50 // papers of a page whose address names no limit

export const captures = () => all('captures', ['capture_id', 'fetched_at', 'url', 'list_kind', 'listed_on', 'state', 'item_count'])

/**
 * The looks at a day's list, in order.
 * @param {string} day
 */
export async function dailyCaptures(day) {
  const found = (await captures()).filter((row) => row.list_kind === 'daily' && dayOf(row.listed_on) === day && READ.has(row.state) && row.fetched_at)
  return found.sort((one, other) => one.fetched_at - other.fetched_at || (one.capture_id < other.capture_id ? -1 : 1))
}

/**
 * @param {any[]} looks of the day, in order
 * @param {string[]} paperIds that were ever on the list
 * @param {Date} moment
 * @returns {Promise<any[]>}
 */
export async function asOf(looks, paperIds, moment) {
  const placed = pagesOf(looks.filter((row) => row.fetched_at <= moment))
  if (!placed.length || !paperIds.length) return []
  const filter = { paper_id: { $in: paperIds }, capture_id: { $in: placed.map((one) => one.capture_id) } }
  const seen = await rows('sightings', ['capture_id', 'position', 'paper_id', 'title', 'upvote_count'], filter)
  const pages = new Map(placed.map((one) => [one.capture_id, one]))
  const found = seen.map((/** @type {any} */ row) => ({ ...row, ...pages.get(row.capture_id) }))
  for (const row of found) row.rank = row.above + row.position
  found.sort((one, other) => one.page - other.page || one.position - other.position)
  const first = new Map(found.toReversed().map((row) => [row.paper_id, row]))
  return [...first.values()].sort((one, other) => one.rank - other.rank)
}

/**
 * The pages of the last answer, of each the last capture, as far as those above are full.
 * @param {any[]} looks
 */
function pagesOf(looks) {
  const captured = looks.map((row) => ({
    ...row,
    answer: row.url?.replace(/[?&]p=[0-9]+/, '') ?? row.capture_id,
    page: Number(/[?&]p=([0-9]+)/.exec(row.url ?? '')?.[1] ?? 0),
    full: Number(/[?&]limit=([0-9]+)/.exec(row.url ?? '')?.[1] ?? FULL),
  }))
  const last = captured.at(-1)
  const pages = new Map(captured.filter((row) => row.answer === last?.answer).map((row) => [row.page, row]))
  const placed = []
  let above = 0
  for (const row of [...pages.values()].sort((one, other) => one.page - other.page)) {
    placed.push({ capture_id: row.capture_id, page: row.page, above })
    above += row.item_count
    if (row.item_count < row.full) break
  }
  return placed
}
