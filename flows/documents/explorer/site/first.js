// A first answer to a row of words, by the words alone: a tenth of what `found` reads, so that one sees something soon.
import { expression, parse, rules } from './language.js'
import { matches } from './ranking.js'
import { once } from './remote.js'
import { all, openAll, rows } from './tables.js'
import { isDay } from './words.js'

const FEW = 3

/** Of the index what points for words need. */
async function load() {
  const [by, papers, rarities] = await Promise.all([
    rules(),
    all('search_vectors', ['paper_id', 'cohort', 'place', 'length']),
    all('search_rarities', ['paper_count', 'rarity']),
  ])
  return {
    by,
    ids: papers.map((row) => row.paper_id),
    places: new Map(papers.map(({ cohort, place }, at) => [`${cohort} ${place}`, at])),
    rarities: new Map(rarities.map((row) => [row.paper_count, row.rarity])),
    lengths: Float64Array.from(papers, (row) => row.length),
  }
}

/**
 * The best papers by words alone; null for what only the whole index answers: fields, names, ids, words with a slip.
 * @param {string} text
 * @returns {Promise<any[] | null>}
 */
export async function firstFound(text) {
  const loading = once('first', load) // while the rules come
  const by = await rules()
  const items = parse(text, by)
  const asked = [...new Set(items.flatMap(({ words }) => words))]
  const isOther = items.some(({ field, isNot }) => field !== null || isNot) || isDay(text) || [by.a_year, by.arxiv_id].some((one) => expression(one).test(text))
  if (isOther || !asked.length || asked.length > by.most_corrected) return null
  const reading = rows('search_words', ['word', 'term'], { word: { $in: asked } })
  for (const table of ['search_lists', 'papers']) openAll(table).catch(() => null) // what is wrong with a file is said where it is read
  const [index, known] = await Promise.all([loading, reading])
  const terms = [...new Set(known.flatMap(({ term }) => term ?? []))]
  if (known.length < asked.length || !terms.length) return null
  const { points } = await matches(index, terms, known.some(({ term }) => term === null))
  const best = [...points.keys()].filter((at) => points[at] > 0).sort((one, other) => points[other] - points[one]).slice(0, FEW)
  const ids = best.map((at) => index.ids[at])
  const titles = new Map((await rows('papers', ['paper_id', 'title'], { paper_id: { $in: ids } })).map((row) => [row.paper_id, row]))
  return ids.map((id) => titles.get(id))
}
