// What a paper claims, said as sentences in plain words: of what, how much, from what to what, against what.
import { has, rows } from './tables.js'
import { untexed } from './tex.js'
import { make, shown, theirs } from './words.js'

const CLAIM = ['paper_id', 'position', 'text', 'span_start', 'span_end', 'metric', 'direction', 'bound', 'comparator', 'capture_id']
const MORE = ['role', 'benchmark'] // of releases that have them
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
  const between = (/** @type {number} */ start, /** @type {number} */ end) => letters.slice(Math.max(start, 0), end).join('')
  /** @type {any[][]} */
  const sentences = []
  for (const claim of claims) {
    const [last] = sentences.at(-1)?.length === 1 ? sentences[sentences.length - 1] : []
    const isSame = last && last.metric === claim.metric && ![last.direction, claim.direction].some((one) => DIRECTIONS.includes(one))
    const goes = isSame && TO.test(between(last.span_end, claim.span_start)) && FROM.test(between(last.span_start - 12, last.span_start))
    if (goes) sentences[sentences.length - 1].push(claim)
    else sentences.push([claim])
  }
  return sentences
}

/**
 * The sentence: `Speedup: up to 2.5×, against tar`; each number leads to where the abstract says it.
 * @param {any[]} claims one, or the two of a way from one number to the other
 */
export function sentence(claims) {
  const { metric, direction } = claims[0]
  const [up, down, level] = (Object.hasOwn(METRICS, metric ?? '') && METRICS[metric]) || OTHER
  const words = direction === 'up' ? up : direction === 'down' ? down : level
  const numbers = claims.flatMap((claim, at) => {
    const link = make('button', { type: 'button', class: 'quote' }, untexed(claim.text))
    link.addEventListener('click', () => document.getElementById(`claim-${claim.position}`)?.scrollIntoView({ block: 'center' }))
    return [claims.length > 1 && (at ? ' to ' : 'from '), claim.bound && `${BOUNDS[claim.bound] ?? shown(claim.bound)} `, link]
  })
  const last = (/** @type {string} */ column) => claims.findLast((claim) => claim[column])?.[column]
  const more = [['on', last('benchmark')], ['against', last('comparator')]].flatMap(([word, name]) => (name ? [`, ${word} `, theirs(untexed(name))] : []))
  const role = last('role')
  return make('li', {}, `${words}: `, ...numbers, ...more, role && make('span', { class: 'soft' }, ` (${shown(role)})`))
}

/**
 * @param {any[]} claims
 * @param {string} abstract
 * @param {(row: any) => Node} from
 */
export function results(claims, abstract, from) {
  if (!claims.length) return []
  const words = 'As the authors claim it, each number marked in the abstract. Found by simple rules: some are missing.'
  return [make('h2', {}, 'What it claims', from(claims[0])), make('p', { class: 'soft' }, words), make('ul', { class: 'claims' }, ...paired(claims, abstract).map(sentence))]
}
