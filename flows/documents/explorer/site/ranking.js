// Scores of papers for a query: the macro `search_papers` and `paperlake search`, step by step, by the same integers.
import { lettersOf, rules } from './language.js'
import { everyPaper } from './lists.js'
import { all, rows } from './tables.js'

/** @typedef {import('./language.js').Rules} Rules */
/** @typedef {{ ids: string[], numbers: Map<string, number>, places: Map<string, number>, rarities: Map<number, number>, lengths: Float64Array, squares: Float64Array, vectors: Int8Array[], letters: string[], words: Map<string, any>, byLetter: Map<string, string[]>, by: Rules }} Index */

/** @type {Promise<Index> | undefined} */
let loading

/** @returns {Promise<Index>} */
export function index() {
  loading ??= load()
  loading.catch(() => (loading = undefined)) // it may be there at the next try
  return loading
}

async function load() {
  const [by, words, rarities, vectors, papers] = await Promise.all([
    rules(),
    all('search_words', ['word', 'term', 'paper_count']),
    all('search_rarities', ['paper_count', 'rarity']),
    all('search_vectors', ['paper_id', 'cohort', 'place', 'length', 'square', 'vector']),
    everyPaper(),
  ])
  const titles = new Map(papers.map((row) => [row.paper_id, row.title]))
  const inOrder = vectors.toSorted((one, other) => (one.paper_id < other.paper_id ? -1 : 1))
  const ids = inOrder.map((row) => row.paper_id)
  const byLetter = new Map()
  for (const { word } of words) if (word.length >= by.fewest_letters - 1 && /^[a-z]+$/.test(word)) byLetter.set(word[0], [...(byLetter.get(word[0]) ?? []), word])
  return {
    by,
    ids,
    byLetter,
    numbers: new Map(ids.map((id, at) => [id, at])),
    places: new Map(inOrder.map(({ cohort, place }, at) => [`${cohort} ${place}`, at])),
    rarities: new Map(rarities.map((row) => [row.paper_count, row.rarity])),
    lengths: Float64Array.from(inOrder, (row) => row.length),
    squares: Float64Array.from(inOrder, (row) => row.square),
    vectors: inOrder.map((row) => Int8Array.from(row.vector)),
    letters: ids.map((id) => lettersOf(titles.get(id) ?? '', by)),
    words: new Map(words.map((row) => [row.word, row])),
  }
}

/** @type {Map<string, Promise<any[]>>} */
const fetched = new Map()

/**
 * Rows of a table by term, each asked for once.
 * @param {string} table
 * @param {string[]} columns
 * @param {string[]} terms
 */
async function byTerm(table, columns, terms) {
  const missing = terms.filter((term) => !fetched.has(`${table} ${term}`))
  if (missing.length) {
    const found = rows(table, ['term', ...columns], { term: { $in: missing } })
    for (const term of missing) fetched.set(`${table} ${term}`, found.then((some) => some.filter((row) => row.term === term)))
    found.catch(() => missing.forEach((term) => fetched.delete(`${table} ${term}`)))
  }
  return (await Promise.all(terms.map((term) => fetched.get(`${table} ${term}`)))).flat()
}

/**
 * Each word with the known word that it is read as, and the term of that.
 * @param {Index} index
 * @param {string[]} asked
 * @param {boolean} [isPutRight]
 */
export function termsFor(index, asked, isPutRight = true) {
  const distinct = [...new Set(asked)]
  const read = { terms: /** @type {string[]} */ ([]), corrected: /** @type {[string, string][]} */ ([]), unknown: /** @type {string[]} */ ([]), isSentence: false }
  for (const word of distinct) {
    const known = index.words.has(word) ? word : isPutRight && distinct.length <= index.by.most_corrected ? meant(index, word) : null
    if (known === null) read.unknown.push(word)
    else {
      const { term } = index.words.get(known)
      if (term === null) read.isSentence = true
      if (term !== null && !read.terms.includes(term)) read.terms.push(term)
      if (term !== null && known !== word) read.corrected.push([word, known])
    }
  }
  return read
}

/**
 * The known word that an unknown one is a slip of; of several the nearest, the one in most papers, the first.
 * @param {Index} index
 * @param {string} word
 * @returns {string | null}
 */
function meant({ by, byLetter, words }, word) {
  if (word.length < by.fewest_letters || !/^[a-z]+$/.test(word)) return null
  const most = 1 + Number(word.length >= by.long_word)
  /** @type {[number, number, string] | null} */
  let best = null
  for (const one of byLetter.get(word[0]) ?? []) {
    if (Math.abs(one.length - word.length) > most) continue
    const near = distance(word, one)
    const found = /** @type {[number, number, string]} */ ([near, -words.get(one).paper_count, one])
    if (near <= most && (!best || found[0] < best[0] || (found[0] === best[0] && (found[1] < best[1] || (found[1] === best[1] && one < best[2]))))) best = found
  }
  return best?.[2] ?? null
}

/**
 * Damerau and Levenshtein's, of plain letters.
 * @param {string} one
 * @param {string} other
 */
export function distance(one, other) {
  const [rows, columns, most] = [one.length, other.length, one.length + other.length]
  const table = Array.from({ length: rows + 2 }, () => new Array(columns + 2).fill(most))
  for (let at = 0; at <= rows; at++) table[at + 1][1] = at
  for (let at = 0; at <= columns; at++) table[1][at + 1] = at
  /** @type {Record<string, number>} */
  const seen = {}
  for (let at = 1; at <= rows; at++) {
    let same = 0
    for (let to = 1; to <= columns; to++) {
      const [above, left] = [seen[other[to - 1]] ?? 0, same]
      const isSame = one[at - 1] === other[to - 1]
      if (isSame) same = to
      table[at + 1][to + 1] = Math.min(table[at][to] + Number(!isSame), table[at + 1][to] + 1, table[at][to + 1] + 1, table[above][left] + (at - above - 1) + 1 + (to - left - 1))
    }
    seen[one[at - 1]] = at
  }
  return table[rows + 1][columns + 1]
}

/**
 * BM25 of every paper, exact; of a row of words times the rarity of all, and of those that the paper has.
 * @param {Index} index
 * @param {string[]} terms
 * @param {boolean} [isSentence]
 */
export async function matches({ by, ids, lengths, places: numbers, rarities }, terms, isSentence = true) {
  const [points, had] = [new Float64Array(ids.length), new Float64Array(ids.length)]
  const [counted, lists] = await Promise.all([
    byTerm('search_terms', ['paper_count'], terms),
    byTerm('search_lists', ['cohort', 'places', 'counts'], terms),
  ])
  const rarity = new Map(counted.map((row) => [row.term, rarities.get(row.paper_count) ?? 0]))
  for (const { term, cohort, places, counts } of lists) {
    const rare = rarity.get(term) ?? 0
    for (let at = 0; at < places.length; at++) {
      const number = numbers.get(`${cohort} ${places[at]}`) ?? 0
      const damping = by.k1_tenths * ((10 - by.b_tenths) * by.average_length + by.b_tenths * lengths[number])
      const below = 100 * by.average_length * counts[at] + damping
      points[number] += rare * Math.floor((200 * by.average_length * by.weight_most * counts[at] + below) / (2 * below))
      had[number] += rare
    }
  }
  const whole = [...rarity.values()].reduce((sum, rare) => sum + rare, 0)
  return isSentence ? points : points.map((value, number) => value * (whole + had[number]))
}

/**
 * How near the best are to what the terms mean, as a share of the nearest.
 * @param {Index} index
 * @param {string[]} terms
 * @param {number[]} among
 */
async function nearness({ by, ids, vectors, squares }, terms, among) {
  const near = new Float64Array(ids.length)
  const basis = await byTerm('search_basis', ['scale', 'vector'], terms)
  if (!basis.length) return near
  const sum = basis[0].vector.map((/** @type {number} */ _, /** @type {number} */ at) => basis.reduce((all, row) => all + row.scale * row.vector[at], 0))
  const most = Math.max(1, ...sum.map(Math.abs))
  const query = sum.map((/** @type {number} */ value) => Math.sign(value) * Math.floor((2 * Math.abs(value) * by.query_most + most) / (2 * most)))
  for (const number of among) {
    const product = vectors[number].reduce((all, value, at) => all + value * query[at], 0)
    near[number] = Math.max(product, 0) / Math.sqrt(Math.max(squares[number], 1))
  }
  return shares(near)
}

/** Each as a share of the best. @param {Float64Array} scores */
function shares(scores) {
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  return best > 0 ? scores.map((score) => score / best) : new Float64Array(scores.length)
}

/**
 * By score, of equals the lower number first.
 * @param {Float64Array} scores
 * @param {number[]} numbers
 */
const bestFirst = (scores, numbers) => numbers.sort((one, other) => scores[other] - scores[one] || one - other)

/**
 * The papers of the query that are kept, the best first.
 * @param {Index} index
 * @param {import('./language.js').Query} query
 * @param {{ terms: string[], isSentence: boolean }} read
 * @param {(number: number) => boolean} isKept
 */
export async function ranked(index, query, { terms, isSentence }, isKept) {
  const { by } = index
  const points = await matches(index, terms, isSentence)
  const asks = query.words.length > 0
  const chosen = [...points.keys()].filter((number) => isKept(number) && (!asks || points[number] > 0))
  const among = bestFirst(points, chosen.filter((number) => points[number] > 0)).slice(0, by.candidates)
  const near = await nearness(index, terms, among)
  const matching = shares(points)
  const scores = matching.map((share, number) => share + ((isSentence ? by.sentence_tenths : by.meaning_tenths) / 10) * near[number])
  const letters = query.isPlain ? lettersOf(query.text, by) : ''
  const titled = bestFirst(matching, [...matching.keys()].filter((number) => letters && matching[number] >= by.named_tenths / 10)).slice(0, by.candidates)
  for (const number of titled) {
    if (index.letters[number] === letters) scores[number] += by.same_title
    else if ([...letters].length >= by.in_title_letters && index.letters[number].includes(letters)) scores[number] += by.in_title_tenths / 10
  }
  return asks || query.conditions.length || query.excluded.length ? bestFirst(scores, chosen) : []
}
