// Which papers keep a condition of a query, as the macro `find_papers` asks for them.
import { expression, pairs, rules, sought, spaced } from './language.js'
import { listings } from './days.js'
import { everyPaper } from './lists.js'
import { dayIn, matches, termsFor } from './ranking.js'
import { all, rows } from './tables.js'
import { dayOf } from './words.js'

/** @typedef {import('./language.js').Item} Item */
/** @typedef {import('./ranking.js').Index} Index */

export const authors = () => all('paper_authors', ['paper_id', 'name', 'login'])
export const keywords = () => all('paper_keywords', ['paper_id', 'keyword'])

/** Papers of a year, or of a month of it. @param {number} year @param {number} [month] @returns {Promise<any[]>} */
export async function papersOf(year, month) {
  const isOf = (/** @type {Date} */ day) => day.getUTCFullYear() === year && (month === undefined || day.getUTCMonth() + 1 === month)
  return (await everyPaper()).filter((row) => isOf(new Date(dayIn(row) ?? Number.NaN)))
}

/**
 * Whether a paper keeps all conditions, and has none of the words that it should not have.
 * @param {Item[]} items
 * @param {Index} index
 */
export async function conditionsHold(items, index) {
  const { by, ids } = index
  const conditions = items.filter(({ field }) => field === 'phrase' || by.conditions.includes(field ?? ''))
  const kept = await Promise.all(conditions.map(async (one) => ({ isNot: one.isNot, ids: new Set(await papersWith(one, index)) })))
  const excluded = items.filter(({ field, isNot }) => field === null && isNot).flatMap(({ words }) => words)
  const { found } = await matches(index, termsFor(index, excluded, false).terms)
  return (/** @type {number} */ number) => !found[number] && kept.every(({ isNot, ids: some }) => some.has(ids[number]) !== isNot)
}

/**
 * @param {Item} condition
 * @param {Index} index
 * @returns {Promise<string[]>}
 */
async function papersWith({ field, value }, index) {
  const by = await rules()
  const part = sought(value, by)
  const has = (/** @type {string | null} */ text) => text !== null && spaced(text, by).includes(part)
  const ids = (/** @type {any[]} */ found) => found.map((row) => row.paper_id)
  const isSame = (/** @type {string | null} */ login) => login !== null && login.toLowerCase() === value.toLowerCase()
  const day = (/** @type {(listed: string) => boolean} */ keeps) => listings().then((found) => ids(found.filter((row) => keeps(dayOf(row.listed_on)))))
  switch (field) {
    case 'title': return ids((await everyPaper()).filter((row) => has(row.title)))
    case 'author': return ids((await authors()).filter((row) => has(row.name) || isSame(row.login)))
    case 'org': return ids((await everyPaper()).filter((row) => isSame(row.organization_login) || has(row.organization_name)))
    case 'keyword': return ids((await keywords()).filter((row) => has(row.keyword)))
    case 'has': return value === 'models' ? ids((await all('paper_observations', ['paper_id', 'model_count'])).filter((row) => row.model_count > 0)) : ids((await all('paper_links', ['paper_id', 'kind'])).filter((row) => row.kind === (value === 'code' ? 'github' : value)))
    case 'id': return ids(await rows('paper_aliases', ['alias', 'paper_id'], { alias: { $in: [value, ...[value, value.toLowerCase()].map((one) => expression(by.arxiv_id, 'iu').exec(one)?.[1] ?? value)] } }))
    case 'since': return day((listed) => listed.slice(0, value.length) >= value)
    case 'until': return day((listed) => listed.slice(0, value.length) <= value)
    case 'list': return day((listed) => listed.startsWith(value))
    case 'year': return ids(await papersOf(Number(value)))
    default: return phrase(part, index)
  }
}

/**
 * Papers whose title or abstract has the words side by side: of abstracts only those are read that have all the words.
 * @param {string} part
 * @param {Index} index
 */
async function phrase(part, index) {
  const { by } = index
  const titled = (await everyPaper()).filter((row) => row.title !== null && spaced(row.title, by).includes(part)).map((row) => row.paper_id)
  // The index has no "s" of a possessive, no word that is very long, and of a run without spaces each two letters
  const parts = (part.match(expression(by.word, 'gu')) ?? []).flatMap((word) => (expression(by.run).test(word) ? pairs(word).filter((pair) => pair.length > 1) : [word]))
  const words = parts.filter((word) => word !== 's' && [...word].length <= by.longest_word)
  if (!part.trim() || words.some((word) => !index.words.has(word))) return titled
  const { terms } = termsFor(index, words, false)
  const { found } = await matches(index, terms)
  const likely = index.ids.filter((_, number) => found[number] === terms.length)
  const texts = likely.length ? await rows('paper_texts', ['paper_id', 'abstract'], { paper_id: { $in: likely } }) : []
  return [...titled, ...texts.filter((row) => spaced(row.abstract, by).includes(part)).map((row) => row.paper_id)]
}
