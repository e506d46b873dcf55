// Results over time: the benchmarks that papers claim numbers on, and of one each number, the best of their time joined.
import { saidOf } from './arxiv.js'
import { legend, lines } from './charts.js'
import { marked, sources } from './facts.js'
import { captures } from './history.js'
import { shownFirst } from './periods.js'
import { all, has, rows } from './tables.js'
import { untexed } from './tex.js'
import { boardAddress, counted, dayOf, make, paperAddress, shown, theirs } from './words.js'

const SHOWN = ['benchmark', 'split', 'metric', 'is_metric_said', 'scale', 'polarity', 'value', 'apart_because', 'is_best', 'paper_id', 'title', 'system', 'sentence', 'text', 'version_number', 'position', 'first_seen_at', 'is_current', 'capture_id']
const MORE = ['arxiv_version_on'] // of releases that have it
const STEP = 20 // numbers of a board at once
const SIGNS = /** @type {Record<string, string>} */ ({ percent: '%', factor: '×' })
const LONG = 1e5 // numbers from which on an axis has room for `120K` only
const BETTER = /** @type {Record<string, string>} */ ({ more: 'more is better', less: 'less is better' })
/** Why a number stands apart → what is said of such numbers. */
const APART = /** @type {Record<string, string>} */ ({
  'other work': 'of other work',
  'a change': 'by which something changed',
  'a range': 'from one value to another',
  bounded: 'with a bound, such as up to',
  'a part': 'of a part of the benchmark',
  'no metric': 'without a metric',
  'no polarity': 'of which nobody can say whether more is better',
  'not dated': 'first seen at no known time',
})

const isThere = () => has('boards') && has('benchmarks')
const older = () => ({ title: 'Results over time', body: [make('p', {}, 'This release is older than results over time: it lacks the marts of benchmarks and boards.')] })
/** What the spellings of one benchmark have in common, as `benchmark_key` in warehouse/schema/benchmarks.py does. @param {string} name */
const folded = (name) => name.replace(/[-\s_'\u2019~]+/g, '').toLowerCase()
const namesOf = (/** @type {any} */ row) => [row.benchmark, ...(row.spellings ?? [])].map(folded)

/** Every benchmark, most papers first. */
async function benchmarks() {
  const found = [...(await all('benchmarks', ['benchmark', 'spellings', 'metric', 'paper_count', 'claim_count', 'first_seen_at']))]
  return found.sort((one, other) => other.paper_count - one.paper_count || (one.benchmark < other.benchmark ? -1 : 1))
}

/** @returns {Promise<import('./lists.js').View>} */
export async function boards() {
  if (!isThere()) return older()
  const found = (await benchmarks()).filter((row) => row.paper_count)
  const items = found.map((row) => {
    const facts = [counted(row.paper_count, 'paper'), counted(row.claim_count, 'number'), row.metric, row.first_seen_at && `since ${dayOf(row.first_seen_at)}`]
    return make('li', {}, make('a', { href: boardAddress(row.benchmark), dir: 'auto' }, row.benchmark), ' ', make('span', { class: 'soft' }, facts.filter(Boolean).join(', ')))
  })
  const told = make('p', { class: 'soft', role: 'status' }, counted(found.length, 'benchmark'))
  const field = /** @type {HTMLInputElement} */ (make('input', { id: 'benchmark', autocomplete: 'off' }))
  field.addEventListener('input', () => {
    const typed = folded(field.value)
    const isMeant = found.map((row) => namesOf(row).some((name) => name.includes(typed)))
    items.forEach((one, at) => one.toggleAttribute('hidden', !isMeant[at]))
    told.textContent = `${isMeant.filter(Boolean).length} of ${counted(found.length, 'benchmark')}`
  })
  const about = 'What papers claim on each benchmark, and since when. Numbers are those of abstracts; nobody checked them.'
  const form = make('p', {}, make('label', { for: field.id }, 'Benchmark'), field)
  return { title: 'Results over time', body: [make('p', { class: 'lead' }, about), form, told, make('ul', { class: 'claims' }, ...items)] }
}

/**
 * A benchmark by any of its spellings.
 * @param {string} [named]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function board(named = '') {
  if (!isThere()) return older()
  const everyone = await benchmarks()
  const known = everyone.find((row) => row.benchmark === named) ?? everyone.find((row) => namesOf(row).includes(folded(named)))
  if (!known) return { title: 'No such benchmark', body: [make('p', {}, 'This release keeps no board of ', theirs(named), '. ', others())] }
  const [pages, found] = await Promise.all([captures(), rows('boards', SHOWN, { benchmark: { $eq: known.benchmark } }, MORE)])
  const said = await saidOf([...new Set(found.map((row) => row.paper_id))])
  for (const row of found) row.said = said.get(row.paper_id)?.cloneNode(true)
  const { note, list } = sources(new Map(pages.map((row) => [row.capture_id, row])))
  const compared = Map.groupBy(found.filter((row) => row.apart_because === null), (row) => JSON.stringify([row.split, row.metric, row.scale]))
  const largest = [...compared].sort(([one, some], [other, more]) => more.length - some.length || (one < other ? -1 : 1))
  const about = 'What abstracts claim, the best first; ★ marks what was the best when it was first seen. Settings differ, and nobody checked a number. '
  const drawn = await Promise.all(largest.map(([, numbers]) => section(numbers, note)))
  const none = found.length ? [] : [make('p', {}, 'No paper claims a number on it.')]
  return { title: known.benchmark, body: [make('p', { class: 'lead' }, about, others(), '.'), ...none, ...drawn, ...apart(found), list] }
}

const others = () => make('a', { href: '#/boards' }, 'All benchmarks')

/**
 * The numbers of one split, metric and scale: a chart where there are two, and the list.
 * @param {any[]} numbers
 * @param {(row: any) => Node} from
 */
async function section(numbers, from) {
  const [{ benchmark, split, metric, scale, polarity }] = numbers
  const merit = (/** @type {any} */ row) => (polarity === 'less' ? -row.value : row.value)
  const order = (/** @type {any} */ row) => [-merit(row), Number(row.first_seen_at), row.paper_id, row.version_number, row.position]
  numbers.sort((one, other) => before(order(one), order(other)))
  const title = `${split ? `${split}, ` : ''}${metric} (${scale}; ${BETTER[polarity]})`
  const chart = numbers.length > 1 ? charted(`${benchmark}: ${title}`, numbers, scale) : []
  const items = async (/** @type {any[]} */ some, /** @type {number} */ at) => some.map((row, place) => item(row, at + place + 1, from))
  return make('section', { class: 'trend' }, make('h2', { dir: 'auto' }, title), ...chart, ...(await shownFirst(numbers, STEP, items)))
}

/** @param {any[]} one @param {any[]} other */
function before(one, other) {
  const at = one.findIndex((value, place) => value !== other[place])
  return at === -1 ? 0 : one[at] < other[at] ? -1 : 1
}

const nameOf = (/** @type {any} */ row) => untexed(row.system ?? row.title ?? row.paper_id)

/**
 * @param {string} title
 * @param {any[]} numbers
 * @param {string} scale
 */
function charted(title, numbers, scale) {
  const inTime = numbers.toSorted((one, other) => one.first_seen_at - other.first_seen_at)
  const points = (/** @type {any[]} */ some) => some.map((row) => ({ at: row.first_seen_at, value: row.value, words: shown(`${untexed(row.text)}, ${nameOf(row)}, ${dayOf(row.first_seen_at)}`) }))
  const series = [
    { name: 'Claimed', points: points(inTime.filter((row) => !row.is_best)), join: /** @type {const} */ ('none') },
    { name: 'Best when first seen', points: points(inTime.filter((row) => row.is_best)), join: /** @type {const} */ ('steps') },
  ]
  const told = (/** @type {number} */ value) => `${value.toLocaleString('en', value < LONG ? { maximumFractionDigits: 6 } : { notation: 'compact' })}${SIGNS[scale] ?? ''}`
  const words = `${title}. ${counted(numbers.length, 'number')}, the best ${series[1].points.at(-1)?.words ?? 'not known'}`
  return [legend(series), lines(shown(words), series, told)]
}

/**
 * @param {any} row
 * @param {number} place
 * @param {(row: any) => Node} from
 */
function item(row, place, from) {
  const facts = [
    row.said,
    row.is_best && '★ best when first seen',
    row.arxiv_version_on && `at arXiv ${dayOf(row.arxiv_version_on)}`,
    `first seen ${dayOf(row.first_seen_at)}`,
    row.system && row.title && theirs(untexed(row.title)),
    !row.is_metric_said && 'its usual metric, as none is named',
    !row.is_current && 'not in the newest abstract',
  ]
  const said = marked(row.sentence, numberIn(row.sentence, row.text))
  said.append(from(row))
  const link = make('a', { href: paperAddress(row.paper_id), class: 'title', dir: 'auto' }, nameOf(row))
  const about = make('p', { class: 'about' }, ...facts.filter(Boolean).map((one) => make('span', {}, one)))
  return make('li', { value: place }, make('strong', { dir: 'auto' }, untexed(row.text)), ' ', link, about, said)
}

/**
 * Where the number stands in its sentence, each time, but not within another number.
 * @param {string} sentence
 * @param {string} text
 */
function numberIn(sentence, text) {
  const letters = text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
  return [...sentence.matchAll(new RegExp(`(?<!\\d|\\d[.,])${letters}(?!\\d|[.,]\\d)`, 'gu'))].map(({ index }) => {
    const start = Array.from(sentence.slice(0, index)).length
    return { start, end: start + Array.from(text).length, text, id: null }
  })
}

/** What is not compared: how many, and why. @param {any[]} found */
function apart(found) {
  const reasons = Map.groupBy(found.filter((row) => row.apart_because !== null), (row) => row.apart_because)
  const items = [...reasons].sort().map(([reason, some]) => make('li', {}, `${counted(some.length, 'number')} ${APART[reason] ?? `apart: ${shown(reason)}`}`))
  return items.length ? [make('h2', {}, 'Not compared'), make('ul', { class: 'claims' }, ...items)] : []
}
