// The language of a query, as the macro `read_query` reads it: words, phrases, names of fields with their values.
import { once } from './remote.js'
import { isDay } from './words.js'

/** @typedef {{ field: string | null, value: string, isNot: boolean, words: string[] }} Item */
/** @typedef {{ letters: string, sign: string, word: string, joiner: string, run: string, to: string, possessive: string, plain_letters: Record<string, string>, longest_word: number, typed: string, item: string, negated: string, conditions: string[], fields: string[], sorts: string[], has: string[], a_day: string, a_year: string, a_month: string, months: string[], month_in_words: string, day_in_words: string, arxiv_id: string, address: string, longest_named: number, most_name_words: number, cut_id: string, leading: string, trailing: string, and: string, initial: string, of_group: string, plain_word: string, fewest_letters: number, long_word: number, most_corrected: number, k1_tenths: number, b_tenths: number, average_length: number, weight_most: number, query_most: number, meaning_tenths: number, sentence_tenths: number, likeness_tenths: number, score_unit: number, shared_tenths: number, shared_half: number, similar_least: number, candidates: number, same_title: number, in_title_tenths: number, in_title_letters: number, named_tenths: number, floor_tenths: number, fewest_sorted: number, close_tenths: number, close_sentence_tenths: number }} Rules */

/** A query that the language does not have, in words for whoever typed it. */
export class QueryFault extends Error {}

const EXCERPT = 60 // characters of a value in an error

/** @returns {Promise<Rules>} */
export const rules = () => once('search.json', () => fetch(new URL('search.json', import.meta.url)).then((answer) => answer.json()))

/** An expression of the rules, which Python wrote. @param {string} pattern @param {string} [flags] */
export const expression = (pattern, flags = 'u') => new RegExp(pattern.replaceAll('(?P<', '(?<'), flags)

/** In lower case, without accents: as the index folds a text. @param {string} text @param {Rules} by */
export const fold = (text, by) => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : unaccented(text, by))

/** @param {string} text @param {Rules} by */
const unaccented = (text, by) => Object.entries(by.plain_letters).reduce((folded, [letter, plain]) => folded.replaceAll(letter, plain), text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase())

/** Letters and digits alone. @param {string} text @param {Rules} by */
export const lettersOf = (text, by) => fold(text, by).replace(expression(by.sign, 'gu'), '')

/** A text as its words with a space around each. @param {string | null} text @param {Rules} by */
export const spaced = (text, by) => ` ${fold(text ?? '', by).replace(expression(`${by.sign}+`, 'gu'), ' ').trim()} `

/** A text as `spaced`, to be found in others that are: between ideograms and kana nobody writes a space. @param {string} text @param {Rules} by */
export const sought = (text, by) => spaced(text, by).replace(expression(`^ (${by.run})`), '$1').replace(expression(`(${by.run}) $`), '$1')

/**
 * The words of a text as the index has them, each once.
 * @param {string} text
 * @param {Rules} by
 */
export function spoken(text, by) {
  const [joiner, to] = [expression(by.joiner, 'gu'), expression(by.to)]
  const tokens = (fold(text, by).match(expression(by.word, 'gu')) ?? []).map((token) => token.replace(expression(by.possessive), ''))
  const run = expression(by.run)
  const words = tokens.flatMap((token) => run.test(token) ? pairs(token) : [...token.split(joiner), token.replace(joiner, ''), token.replace(joiner, '').replace(to, '$1to$2')])
  return [...new Set(words.filter((word) => [...word].length <= by.longest_word))]
}

/** Each two letters that follow one another. @param {string} token */
export const pairs = (token) => Array.from({ length: Math.max(token.length - 1, 1) }, (_, at) => token.slice(at, at + 2))

/**
 * The words, phrases and fields of a query, in its order; a text of very many words is pasted, and words alone.
 * @param {string} text
 * @param {Rules} by
 * @returns {Item[]}
 */
export function parse(text, by) {
  const typed = text.match(expression(by.typed, 'gu')) ?? []
  const items = typed.length > by.most_corrected ? [{ field: null, value: text, isNot: false }] : typed.map((one) => parted(one, by))
  for (const fault of faults(by)) for (const { field, value, isNot } of items) if (field !== null && field !== 'phrase') fault(field, value, isNot)
  const isLone = (/** @type {string} */ word) => word.length === 1 && expression(by.run).test(word) // the index has ideograms by two
  return items.map((item) => ({ ...item, words: spoken(item.value, by).filter((word) => item.field !== 'phrase' || !isLone(word)) }))
}

/**
 * What names no field is words.
 * @param {string} typed
 * @param {Rules} by
 */
function parted(typed, by) {
  const { no, field, quoted, word } = expression(by.item).exec(typed)?.groups ?? {}
  const isNot = no === '-' && expression(by.negated).test(typed)
  const isField = by.fields.includes(field) && Boolean(quoted || word)
  const value = quoted ? quoted.slice(1, -1) : word
  if (isField || (!field && quoted)) return { field: isField ? field : expression(by.address).test(value.toLowerCase()) ? 'id' : 'phrase', value, isNot }
  return { field: null, value: typed.replace(/^-/, ''), isNot }
}

/**
 * What throws where a field has a value that it cannot have, in the order of the macro.
 * @param {Rules} by
 * @returns {((field: string, value: string, isNot: boolean) => void)[]}
 */
function faults(by) {
  const fail = (/** @type {string} */ words) => {
    throw new QueryFault(words)
  }
  const cut = (/** @type {string} */ value) => [...value].slice(0, EXCERPT).join('')
  const known = (/** @type {string} */ name, /** @type {string[]} */ values) => (/** @type {string} */ field, /** @type {string} */ value, /** @type {boolean} */ isNot) =>
    field === name && ((field === 'sort' && isNot) || !values.includes(value)) && fail(`${field}:${cut(value)} is not known; there are ${values.map((one) => `${field}:${one}`).join(', ')}`)
  return [
    (field, value) => value === '' && fail(`${field}: has no value; write for example ${field}:"…"`),
    (field, value) => ['since', 'until', 'list'].includes(field) && ![by.a_year, by.a_month].some((one) => expression(one).test(value)) && !isDay(value) && fail(`${field}:${cut(value)} is not a day, a month or a year; write for example ${field}:2026-11-20`),
    (field, value) => field === 'year' && !expression(by.a_year).test(value) && fail(`year:${cut(value)} is not a year; write for example year:2026`),
    known('sort', by.sorts),
    known('has', by.has),
  ]
}

