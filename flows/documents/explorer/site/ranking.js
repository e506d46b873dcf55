// Scores of papers for words: the macros `read_words`, `term_points` and `rank_papers`, step by step, by the same integers.
import { countsOf, formsOf } from './forms.js'
import { expression, lettersOf, rules } from './language.js'
import { everyPaper } from './lists.js'
import { once } from './remote.js'
import { all, rows } from './tables.js'

/** @typedef {import('./language.js').Rules} Rules */
/** @typedef {{ ids: string[], numbers: Map<string, number>, days: (number | null)[], upvotes: (number | null)[], places: Map<string, number>, rarities: Map<number, number>, lengths: Float64Array, squares: Float64Array, vectors: Int8Array[], letters: string[], acronyms: any[], words: Map<string, any>, byLetter: Map<string, string[]>, by: Rules }} Index */
/** @typedef {{ number: number, score: number, matching: number, meaning: number, found: number }} Ranked `found` counts terms */

const DAY = 864e5 // milliseconds

/** The index of the release. */
export const index = () => once('index', load)

/** @returns {Promise<Index>} */
async function load() {
  const [by, words, rarities, vectors, papers, acronyms] = await Promise.all([
    rules(),
    all('search_words', ['word', 'term', 'paper_count']),
    all('search_rarities', ['paper_count', 'rarity']),
    all('search_vectors', ['paper_id', 'cohort', 'place', 'length', 'square', 'vector']),
    everyPaper(),
    all('acronyms', ['acronym', 'long_form', 'term', 'plural', 'form_terms']),
  ])
  const known = new Map(papers.map((row) => [row.paper_id, row]))
  const inOrder = vectors.toSorted((one, other) => (one.paper_id < other.paper_id ? -1 : 1))
  const ids = inOrder.map((row) => row.paper_id)
  const byLetter = new Map()
  const plain = expression(by.plain_word)
  for (const { word } of words) if (word.length >= by.fewest_letters - 1 && plain.test(word)) byLetter.set(word[0], byLetter.get(word[0]) ?? []).get(word[0]).push(word)
  return {
    by,
    ids,
    acronyms,
    byLetter,
    numbers: new Map(ids.map((id, at) => [id, at])),
    days: ids.map((id) => dayIn(known.get(id))),
    upvotes: ids.map((id) => known.get(id)?.upvote_count ?? null),
    places: new Map(inOrder.map(({ cohort, place }, at) => [`${cohort} ${place}`, at])),
    rarities: new Map(rarities.map((row) => [row.paper_count, row.rarity])),
    lengths: Float64Array.from(inOrder, (row) => row.length),
    squares: Float64Array.from(inOrder, (row) => row.square),
    vectors: inOrder.map((row) => Int8Array.from(row.vector)),
    letters: ids.map((id) => lettersOf(known.get(id)?.title ?? '', by)),
    words: new Map(words.map((row) => [row.word, row])),
  }
}

/** The day of a paper, by which equals are ordered: in milliseconds. @param {any} row @returns {number | null} */
export const dayIn = (row) => (row?.first_listed_on ?? row?.published_on ?? (row?.submitted_at ? Math.floor(Number(row.submitted_at) / DAY) * DAY : null))?.valueOf() ?? null

/**
 * Rows of a table by term, each asked for once.
 * @param {string} table
 * @param {string[]} columns
 * @param {string[]} terms
 */
async function byTerm(table, columns, terms) {
  const found = terms.map((term) => once(`${table} of ${term}`, () => rows(table, ['term', ...columns], { term: { $eq: term } })))
  return (await Promise.all(found)).flat()
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
  if (word.length < by.fewest_letters || !expression(by.plain_word).test(word)) return null
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
 * BM25 of every paper, exact, and how many of the terms it has; of a row of words times the rarity of all, and of those
 * that the paper has.
 * @param {Pick<Index, 'by' | 'ids' | 'lengths' | 'places' | 'rarities'>} index
 * @param {string[]} terms
 * @param {boolean} [isSentence]
 * @param {import('./forms.js').Form[]} [forms]
 */
export async function matches({ by, ids, lengths, places: numbers, rarities }, terms, isSentence = true, forms = []) {
  const [points, had, found] = [new Float64Array(ids.length), new Float64Array(ids.length), new Uint16Array(ids.length)]
  const held = new Map([...terms, ...forms.flatMap(({ foundBy }) => foundBy)].map((term) => [term, /** @type {Map<number, number>} */ (new Map())]))
  for (const { term, cohort, places, counts } of await byTerm('search_lists', ['cohort', 'places', 'counts'], [...held.keys()])) {
    for (let at = 0; at < places.length; at++) held.get(term)?.set(numbers.get(`${cohort} ${places[at]}`) ?? 0, counts[at])
  }
  const rarity = new Map(terms.map((term) => [term, rarities.get(held.get(term)?.size ?? 0) ?? 0]))
  for (const [term, rare] of rarity) {
    for (const [number, count] of countsOf(term, held, forms)) {
      const damping = by.k1_tenths * ((10 - by.b_tenths) * by.average_length + by.b_tenths * lengths[number])
      const below = 100 * by.average_length * count + damping
      points[number] += rare * Math.floor((200 * by.average_length * by.weight_most * count + below) / (2 * below))
      had[number] += rare
      found[number]++
    }
  }
  const whole = [...rarity.values()].reduce((sum, rare) => sum + rare, 0)
  return { points: isSentence ? points : points.map((value, number) => value * (whole + had[number])), found }
}

/**
 * A sum of vectors as small integers, halves away from zero.
 * @param {[number, ArrayLike<number>][]} vectors each with how often it counts
 * @param {number} queryMost
 */
export function summed(vectors, queryMost) {
  const sum = Array.from(vectors[0]?.[1] ?? [], (_, at) => vectors.reduce((all, [times, vector]) => all + times * vector[at], 0))
  const most = Math.max(1, ...sum.map(Math.abs))
  return sum.map((value) => Math.sign(value) * Math.floor((2 * Math.abs(value) * queryMost + most) / (2 * most)))
}

/**
 * How near a vector is to what is meant.
 * @param {number[]} meant
 * @param {ArrayLike<number>} vector
 * @param {number} square
 */
export function nearness(meant, vector, square) {
  const product = meant.reduce((all, value, at) => all + value * vector[at], 0)
  return Math.max(product, 0) / Math.sqrt(Math.max(square, 1))
}

/** Each as a share of the best. @param {Float64Array} scores */
export function shares(scores) {
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  return best > 0 ? scores.map((score) => score / best) : new Float64Array(scores.length)
}

/**
 * The papers that are kept and have one of the terms, or, where no terms are asked for, all that are kept.
 * @param {Index} index
 * @param {{ terms: string[] | null, isSentence: boolean, letters: string | null }} asked
 * @param {(number: number) => boolean} isKept
 * @returns {Promise<Ranked[]>}
 */
export async function ranked(index, { terms, isSentence, letters }, isKept) {
  const { by, ids, vectors, squares } = index
  const { points, found } = await matches(index, terms ?? [], isSentence, formsOf(index, terms ?? []))
  const matching = terms === null ? new Float64Array(ids.length).fill(1) : shares(points)
  const chosen = [...ids.keys()].filter((number) => (terms === null || found[number]) && isKept(number))
  const candidates = chosen.toSorted((one, other) => points[other] - points[one] || one - other).slice(0, by.candidates)
  const near = new Float64Array(ids.length)
  const basis = await byTerm('search_basis', ['scale', 'vector'], terms ?? [])
  const meant = summed(basis.map((row) => [row.scale, row.vector]), by.query_most)
  for (const number of basis.length ? candidates : []) near[number] = nearness(meant, vectors[number], squares[number])
  const meaning = shares(near).map((share) => ((isSentence ? by.sentence_tenths : by.meaning_tenths) / 10) * share)
  const naming = new Float64Array(ids.length)
  for (const number of letters === null || terms === null ? [] : candidates) if (matching[number] >= by.named_tenths / 10) naming[number] = titled(index.letters[number], letters ?? '', by)
  return chosen.map((number) => ({ number, score: matching[number] + meaning[number] + naming[number], matching: matching[number], meaning: meaning[number], found: found[number] }))
}

/**
 * What is added where letters are those of a title, or part of them.
 * @param {string} title
 * @param {string} letters
 * @param {Rules} by
 */
function titled(title, letters, by) {
  if (title === letters) return by.same_title
  return [...letters].length >= by.in_title_letters && title.includes(letters) ? by.in_title_tenths / 10 : 0
}
