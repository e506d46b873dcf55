// What a paper claims, said as sentences in plain words: of what, how much, from what to what, against what.
import { has, rows } from './tables.js'
import { untexed } from './tex.js'
import { boardAddress, evidenceOf, led, make, shown, theirs } from './words.js'

const CLAIM = ['paper_id', 'position', 'text', 'span_start', 'span_end', 'metric', 'direction', 'bound', 'comparator', 'capture_id']
const MORE = ['role', 'is_own', 'metric_name', 'benchmark', 'benchmark_name', 'baseline_position'] // of releases that have them
/** Metric → what is said of a number by which it rose, by which it fell, at which it stands. */
const METRICS = /** @type {Record<string, [string, string, string]>} */ ({
  speedup: ['Speedup', 'Slowdown', 'Speed'],
  throughput: ['Higher throughput', 'Lower throughput', 'Throughput'],
  latency: ['More time', 'Less time', 'Time'],
  memory: ['More memory', 'Less memory', 'Memory'],
  size: ['Larger size', 'Smaller size', 'Size'],
  energy: ['More energy', 'Less energy', 'Energy'],
  cost: ['Higher cost', 'Lower cost', 'Cost'],
  quality: ['Higher score', 'Lower score', 'Score'],
  error: ['Higher error', 'Lower error', 'Error'],
  utilization: ['Higher utilization', 'Lower utilization', 'Utilization'],
  data: ['More data', 'Less data', 'Data'],
  communication: ['More communication', 'Less communication', 'Communication'],
  compute: ['More compute', 'Less compute', 'Compute'],
})
const OTHER = /** @type {const} */ (['Increase', 'Decrease', 'Result'])
const DIRECTIONS = ['up', 'down']
const BOUNDS = /** @type {Record<string, string>} */ ({ average: 'on average' })
const FROM = /\bfrom[\s$(~]*$/u // what stands before two numbers, and between them, where it went from one to the other
const NEAR = 12 // letters before a number
const TO = /^[\s$)%\\]*to[\s$(~]*$/u

/** @param {Record<string, any>} here of which paper */
export async function claimed(here) {
  const found = has('paper_claims') ? await rows('paper_claims', CLAIM, here, MORE) : []
  return found.sort((one, other) => one.position - other.position)
}

/**
 * Claims of one sentence each; two where the abstract goes from one to the other.
 * @param {any[]} claims in the order of the abstract
 * @param {string} abstract
 * @returns {any[][]}
 */
export function paired(claims, abstract) {
  const letters = Array.from(abstract)
  const isTold = claims.some((claim) => claim.baseline_position !== undefined)
  const places = new Map(claims.map((claim) => [claim.position, claim]))
  const sentences = claims.map((claim, at) => {
    const before = isTold ? places.get(claim.baseline_position) : goes(claims[at - 1], claim, letters) ? claims[at - 1] : undefined
    return before && claim.role !== 'change' ? [before, claim] : [claim]
  })
  const begun = new Set(sentences.filter(({ length }) => length > 1).map(([before]) => before))
  return sentences.filter((one) => one.length > 1 || !begun.has(one[0]))
}

/**
 * Whether the words between two numbers lead from one to the other: of releases that do not say so.
 * @param {any} before
 * @param {any} claim
 * @param {string[]} letters
 */
function goes(before, claim, letters) {
  const isLevel = before && before.metric === claim.metric && ![before.direction, claim.direction].some((one) => DIRECTIONS.includes(one))
  const between = (/** @type {number} */ start, /** @type {number} */ end) => letters.slice(Math.max(start, 0), end).join('')
  return isLevel && TO.test(between(before.span_end, claim.span_start)) && FROM.test(between(before.span_start - NEAR, before.span_start))
}

/** What is said of the number of a claim. @param {any} claim */
function measured({ metric, metric_name: name, direction }) {
  const at = direction === 'up' ? 0 : direction === 'down' ? 1 : 2
  if (name) return [`Higher ${name}`, `Lower ${name}`, /[A-Z@]/.test(name) ? name : name.replace(/^./, (/** @type {string} */ one) => one.toUpperCase())][at]
  return ((Object.hasOwn(METRICS, metric ?? '') && METRICS[metric]) || OTHER)[at]
}

/**
 * The sentence: `Speedup: up to 2.5×, against tar`; each number leads to where the abstract says it.
 * @param {any[]} claims one, or the two of a way from one number to the other
 */
export function sentence(claims) {
  const numbers = claims.flatMap((claim, at) => {
    const link = make('button', { type: 'button', class: 'quote' }, untexed(claim.text))
    link.addEventListener('click', () => document.getElementById(`claim-${claim.position}`)?.focus())
    return [claims.length > 1 && (at ? ' to ' : 'from '), claim.bound && `${BOUNDS[claim.bound] ?? shown(claim.bound)} `, link]
  })
  const claim = claims[claims.length - 1]
  const on = claim.benchmark && untexed(claim.benchmark)
  const board = on && claim.benchmark_name && has('boards') ? led(boardAddress(claim.benchmark_name), on) : on && theirs(on)
  const more = [['on', board], ['against', claim.comparator && theirs(untexed(claim.comparator))]].flatMap(([word, name]) => (name ? [`, ${word} `, name] : []))
  const other = claim.role === 'baseline' ? ' (what it is set against)' : claim.is_own === false ? ' (of other work)' : ''
  return make('li', {}, `${shown(measured(claim))}: `, ...numbers, ...more, other && make('span', { class: 'soft' }, other))
}

/**
 * @param {any[]} claims
 * @param {string} abstract
 * @param {(row: any) => Node} from
 */
export function results(claims, abstract, from) {
  if (!claims.length) return []
  const words = 'As the authors claim it, each number marked in the abstract. Found by simple rules: some are missing.'
  const items = paired(claims, abstract).map((said) => {
    const item = sentence(said)
    item.append(...said.flatMap((claim) => [' ', evidenceOf(claim.paper_id, 'claim', claim.position, claim.text)]))
    return item
  })
  return [make('h2', {}, 'What it claims', from(claims[0])), make('p', { class: 'soft' }, words), make('ul', { class: 'claims' }, ...items)]
}
