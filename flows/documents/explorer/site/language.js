// The query language of `paperlake search`: words, phrases, exclusions and fields, read from what somebody typed.

/** @typedef {{ field: string, value: string, isNot: boolean }} Condition */
/** @typedef {{ text: string, words: string[], excluded: string[], conditions: Condition[], sort: string, isPlain: boolean }} Query */
/** @typedef {{ letters: string, word: string, joiner: string, possessive: string, longest_word: number, plain_word: string, fewest_letters: number, long_word: number, most_corrected: number, title_times: number, k1_tenths: number, b_tenths: number, average_length: number, weight_most: number, query_most: number, meaning_tenths: number, sentence_tenths: number, candidates: number, same_title: number, in_title_tenths: number, in_title_letters: number, named_tenths: number }} Rules */

/** A query that the language does not have, in words for whoever typed it. */
export class QueryFault extends Error {}

const FILTERS = ['title', 'author', 'org', 'keyword', 'has', 'id', 'since', 'until', 'list']
const SORTS = ['relevance', 'date', 'upvotes']
const HAS = ['code', 'project', 'models']
const TYPED = /(?:[^\s"]|"[^"]*")+|\S/g
const ITEM = /^(?<no>-?)(?:(?<field>[a-z]+):(?!\/\/))?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+"?))$/

/** @type {Promise<Rules> | undefined} */
let asked

/** @returns {Promise<Rules>} */
export function rules() {
  asked ??= fetch(new URL('search.json', import.meta.url)).then((answer) => answer.json())
  return asked
}

/** As the index folds a text. @param {string} text */
export const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')

/** Letters and digits alone. @param {string} text @param {Rules} by */
export const lettersOf = (text, by) => fold(text).replace(new RegExp(`[^${by.letters}]`, 'gu'), '')

/** A text as its words with a space around each. @param {string | null} text @param {Rules} by */
export const spaced = (text, by) => ` ${fold(text ?? '').replace(new RegExp(`[^${by.letters}]+`, 'gu'), ' ').trim()} `

/**
 * The words of a text as the index has them, each once.
 * @param {string} text
 * @param {Rules} by
 */
export function spoken(text, by) {
  const joiner = new RegExp(by.joiner, 'u')
  const tokens = (fold(text).match(new RegExp(by.word, 'gu')) ?? []).map((token) => token.replace(new RegExp(by.possessive, 'u'), ''))
  const words = tokens.flatMap((token) => {
    const parts = token.split(joiner)
    return parts.length > 1 ? [...parts, parts.join('')] : [token]
  })
  return [...new Set(words.filter((word) => [...word].length <= by.longest_word))]
}

/**
 * @param {string} text
 * @param {Rules} by
 * @returns {Query}
 */
export function parse(text, by) {
  const typed = text.match(TYPED) ?? []
  /** @type {Query} */
  const query = { text, words: [], excluded: [], conditions: [], sort: 'relevance', isPlain: true }
  if (typed.length > by.most_corrected) return { ...query, words: spoken(text, by) }
  for (const item of typed) read(item, query, by)
  query.isPlain = !query.excluded.length && !query.conditions.length
  return query
}

/**
 * @param {string} item
 * @param {Query} query
 * @param {Rules} by
 */
function read(item, query, by) {
  const found = ITEM.exec(item)?.groups
  if (!found) return void query.words.push(...spoken(item, by))
  const { field, phrase } = found
  const [isNot, value] = [Boolean(found.no), phrase ?? found.word ?? '']
  if (field === 'sort') query.sort = known('sort', value, SORTS)
  else if (field === 'like') throw new QueryFault('like: works in “paperlake search” only; here, the page of each paper lists the papers like it')
  else if (field !== undefined && !FILTERS.includes(field)) (isNot ? query.excluded : query.words).push(...spoken(item, by))
  else if (field !== undefined) query.conditions.push(condition(field, value, isNot))
  else if (phrase === undefined) (isNot ? query.excluded : query.words).push(...spoken(value, by))
  else if (spoken(phrase, by).length) {
    query.conditions.push({ field: 'phrase', value: phrase, isNot })
    if (!isNot) query.words.push(...spoken(phrase, by))
  }
}

/**
 * @param {string} field
 * @param {string} value
 * @param {boolean} isNot
 */
function condition(field, value, isNot) {
  if (!value) throw new QueryFault(`${field}: has no value; write for example ${field}:"…"`)
  if (['since', 'until', 'list'].includes(field) && (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value)))) throw new QueryFault(`${field}:${value} is not a day; write for example ${field}:2026-11-20`)
  return { field, value: field === 'has' ? known('has', value, HAS) : value, isNot }
}

/**
 * @param {string} field
 * @param {string} value
 * @param {string[]} values
 */
function known(field, value, values) {
  if (!values.includes(value)) throw new QueryFault(`${field}:${value} is not known; there are ${values.map((one) => `${field}:${one}`).join(', ')}`)
  return value
}
