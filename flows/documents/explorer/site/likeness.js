// How like several papers others are: `like:` in a query, as the macros `like_papers` and `find_papers` have it.
import { expression, QueryFault } from './language.js'
import { shares } from './ranking.js'
import { all } from './tables.js'

/** @typedef {import('./language.js').Item} Item */
/** @typedef {import('./ranking.js').Index} Index */
/** @typedef {import('./ranking.js').Ranked} Ranked */

/**
 * The papers of a ranking, with what they score for likeness too; as they are where none is asked for.
 * @param {Index} index
 * @param {Item[]} items
 * @param {Ranked[]} ranking
 * @param {boolean} hasTerms
 * @returns {Promise<Ranked[]>}
 */
export async function weighed(index, items, ranking, hasTerms) {
  const named = (/** @type {boolean} */ not) => items.filter(({ field, isNot }) => field === 'like' && isNot === not).flatMap(({ value }) => value.split(',').filter(Boolean)).map((one) => expression(index.by.arxiv_id, 'iu').exec(one)?.[1] ?? one)
  const [liked, unlike] = [named(false), named(true)]
  const unknown = [...liked, ...unlike].filter((id) => !index.numbers.has(id)).sort()
  if (unknown.length) throw new QueryFault(`no paper of the latest release has the id ${unknown[0]}`)
  if (!liked.length && unlike.length && !hasTerms) throw new QueryFault('-like: only leaves papers out; give words or like: too')
  if (!liked.length && !unlike.length) return ranking
  const likeness = await likenesses(index, liked.length ? liked : unlike, liked.length ? unlike : [])
  const times = liked.length ? 1 : -index.by.likeness_tenths / 10
  const given = new Set([...liked, ...unlike].map((id) => index.numbers.get(id)))
  const kept = ranking.filter(({ number }) => !given.has(number) && (likeness[number] > 0 || !liked.length || hasTerms))
  return kept.map((one) => ({ ...one, score: one.matching + (one.meaning + times * likeness[one.number]) }))
}

/**
 * By number of a paper, as a share of the best of all: the cosine with the sum of vectors, and the mean for rare words.
 * @param {Index} index
 * @param {string[]} liked
 * @param {string[]} unlike
 */
async function likenesses(index, liked, unlike) {
  const { by, ids, numbers, vectors, squares } = index
  const times = /** @type {[number, number][]} */ ([...liked.map((id) => [numbers.get(id) ?? -1, 2]), ...unlike.map((id) => [numbers.get(id) ?? -1, -1])])
  const models = await all('search_embeddings', ['paper_id', 'square', 'vector']) // of a lake that asks for a model
  const embedded = new Map(models.map((row) => [numbers.get(row.paper_id), row]))
  const spaces = [(/** @type {number} */ number) => ({ vector: vectors[number], square: squares[number] }), (/** @type {number} */ number) => embedded.get(number)].slice(0, models.length ? 2 : 1)
  const cosines = spaces.map((of) => {
    const summed = Array.from(of(0)?.vector ?? [], (_, at) => times.reduce((sum, [number, count]) => sum + count * (of(number)?.vector[at] ?? 0), 0))
    const length = summed.reduce((sum, value) => sum + value * value, 0)
    return (/** @type {number} */ number) => {
      const one = of(number)
      return one && Math.floor((summed.reduce((sum, value, at) => sum + value * one.vector[at], 0) * by.score_unit) / Math.sqrt(Math.max(one.square * length, 1)))
    }
  })
  const worded = await byWords(index, times)
  const scores = Float64Array.from(ids, (_, number) => {
    const found = cosines.flatMap((cosine) => cosine(number) ?? [])
    const meant = Math.floor(found.reduce((sum, one) => sum + one, 0) / found.length)
    const score = Math.floor(((10 - by.shared_tenths) * meant + by.shared_tenths * Math.max(Math.trunc(worded[number] / (2 * liked.length)), 0)) / 10)
    return score >= by.similar_least ? score : 0
  })
  return shares(scores)
}

/**
 * For the rare terms that papers share with some, each of which counts so many times.
 * @param {Index} index
 * @param {[number, number][]} times
 */
async function byWords({ by, ids, places: numbers }, times) {
  const [lists, basis] = await Promise.all([all('search_lists', ['term', 'cohort', 'places']), all('search_basis', ['term', 'is_common'])])
  const common = new Set(basis.filter((row) => row.is_common).map((row) => row.term))
  /** @type {Map<string, number[]>} */
  const holders = new Map()
  for (const { term, cohort, places } of lists) {
    if (common.has(term)) continue
    const found = holders.get(term) ?? []
    for (const place of places) found.push(numbers.get(`${cohort} ${place}`) ?? 0)
    holders.set(term, found)
  }
  const sum = new Float64Array(ids.length)
  for (const [one, count] of times) {
    const shared = new Uint16Array(ids.length)
    for (const held of holders.values()) if (held.includes(one)) for (const number of held) shared[number]++
    shared.forEach((many, number) => (sum[number] += count * Math.floor((by.score_unit * many) / (many + by.shared_half))))
  }
  return sum
}
