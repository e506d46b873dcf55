// What was trending on a day, and what made it so: the mart `trending_papers`.
import { mark } from './arxiv.js'
import { item, papersNamed, skimmed, unreadable } from './lists.js'
import { all, has, rows } from './tables.js'
import { counted, dayInWords, dayOf, isDay, make } from './words.js'

const SHOWN = ['trending_on', 'rank', 'paper_id', 'listed_on', 'upvote_count', 'observed_hours', 'expected_count', 'previous_upvote_count']
const FEW = 5 // beside a list

/**
 * The newest day of which the release has something, or the one named.
 * @param {string} [named]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function trending(named) {
  if (!has('trending_papers')) return { title: 'Trending', body: [make('p', {}, 'This release has no mart of trending papers.')] }
  const days = await daysOf()
  const day = named ?? days.at(-1)
  if (!day) return { title: 'Trending', body: [make('p', {}, 'No paper of this release has been observed on a day of its lists.')] }
  if (!isDay(day)) return unreadable('A day is written as 2026-10-02.')
  const found = await trendingOn(day)
  const papers = await papersNamed(found.map((row) => row.paper_id))
  const items = found.map((row) => item({ ...(papers.get(row.paper_id) ?? row), upvote_count: row.upvote_count }, row.rank, terms(row)))
  const words = found.length
    ? `Upvotes as they stood then, against those of other papers at that age, less for older lists. ${counted(found.length, 'paper')}.`
    : 'The release has no trending papers of this day.'
  return { title: `Trending on ${dayInWords(day)}`, body: [turns(day, days), make('p', { class: 'lead' }, words), skimmed(make('ol', { class: 'papers' }, ...items))] }
}

/**
 * What trends beside the newest list: of the newest day the first that are not on the list.
 * @param {string} newest day of that list, which is as a rule the newest of which something trends
 * @param {Set<string>} listed
 */
export async function trendingBeside(newest, listed) {
  const since = await rows('trending_papers', SHOWN, { trending_on: { $gte: new Date(`${newest}T00:00:00Z`) } })
  const day = since.length ? since.map((row) => dayOf(row.trending_on)).sort().at(-1) : (await daysOf()).at(-1)
  const found = day ? await trendingOn(day) : []
  const others = found.filter((row) => !listed.has(row.paper_id)).slice(0, FEW)
  const papers = await papersNamed(others.map((row) => row.paper_id))
  const items = others.map((row) => item({ paper_id: row.paper_id, title: papers.get(row.paper_id)?.title, upvote_count: row.upvote_count }, null, terms(row)))
  const words = items.length ? 'Of earlier lists:' : found.length ? 'All that trends is on this list.' : 'No paper has been observed on a day of its lists.'
  await mark(items)
  return [make('p', { class: 'soft' }, words), make('ol', { class: 'papers' }, ...items), make('p', {}, make('a', { href: '#/trending' }, 'All that trends'))]
}

/** Days of which something trends, from the first. */
const daysOf = async () => [...new Set((await all('trending_papers', ['trending_on'])).map((row) => dayOf(row.trending_on)))].sort()

/** @param {string} day */
async function trendingOn(day) {
  const at = new Date(`${day}T00:00:00Z`)
  const found = await rows('trending_papers', SHOWN, { trending_on: { $gte: at, $lte: at } })
  return found.sort((one, other) => one.rank - other.rank)
}

/** Why it stands where it does, in the words of `paperlake trending`. @param {any} row */
function terms(row) {
  const times = row.expected_count ? `${(row.upvote_count / row.expected_count).toFixed(1)} times ` : ''
  const gained = row.upvote_count - row.previous_upvote_count
  const since = row.previous_upvote_count === null ? '' : `, ${gained < 0 ? '' : '+'}${gained} since the look before`
  return `after ${row.observed_hours.toFixed(0)} h, ${times}the ${row.expected_count.toFixed(0)} expected${since}; list of ${dayOf(row.listed_on)}`
}

/**
 * @param {string} day
 * @param {string[]} days
 */
function turns(day, days) {
  const [before, after] = [days.findLast((one) => one < day), days.find((one) => one > day)]
  return make(
    'nav',
    { 'aria-label': 'Other days', class: 'turns' },
    before && make('a', { href: `#/trending/${before}`, rel: 'prev' }, `← ${before}`),
    after && make('a', { href: `#/trending/${after}`, rel: 'next' }, `${after} →`),
  )
}
