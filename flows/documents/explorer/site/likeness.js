// How like several papers others are: `like:` in a query, as the macros `like_papers` and `find_papers` have it.
import { QueryFault } from './language.js'
import { nearness, shares, summed } from './ranking.js'
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
  const named = (/** @type {boolean} */ not) => items.filter(({ field, isNot }) => field === 'like' && isNot === not).flatMap(({ value }) => value.split(',').filter(Boolean))
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
 * By number of a paper, as a share of the best of all.
 * @param {Index} index
 * @param {string[]} liked
 * @param {string[]} unlike
 */
async function likenesses({ by, ids, numbers, vectors, squares }, liked, unlike) {
  const sum = new Float64Array(ids.length)
  const models = await all('search_embeddings', ['paper_id', 'square', 'vector']) // of a lake that asks for a model
  const embedded = new Map(models.map((row) => [numbers.get(row.paper_id), row]))
  const spaces = [(/** @type {number} */ number) => ({ vector: vectors[number], square: squares[number] }), (/** @type {number} */ number) => embedded.get(number)]
  for (const of of models.length ? spaces : spaces.slice(0, 1)) {
    const times = (/** @type {string[]} */ some, /** @type {number} */ count) => some.flatMap((id) => of(numbers.get(id) ?? -1) ?? []).map(({ vector }) => /** @type {[number, any]} */ ([count, vector]))
    const meant = summed([...times(liked, 2), ...times(unlike, -1)], by.query_most)
    const near = new Float64Array(ids.length)
    ids.forEach((_, number) => {
      const one = of(number)
      if (one) near[number] = nearness(meant, one.vector, one.square)
    })
    shares(near).forEach((share, number) => (sum[number] += share))
  }
  return shares(sum)
}
