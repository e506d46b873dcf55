// Which papers keep a condition of a query, as `paperlake search` asks them of the database; names of a few letters.
import { fold, lettersOf, rules, spaced, spoken } from './language.js'
import { listings } from './days.js'
import { everyPaper } from './lists.js'
import { matches, termsFor } from './ranking.js'
import { all, rows } from './tables.js'
import { dayOf } from './words.js'

/** @typedef {import('./language.js').Condition} Condition */
/** @typedef {import('./ranking.js').Index} Index */

const FEW = 6 // names of each kind
const authors = () => all('paper_authors', ['paper_id', 'name', 'login'])
const keywords = () => all('paper_keywords', ['paper_id', 'keyword'])

/**
 * @param {Condition[]} conditions
 * @param {Index} index
 */
export async function conditionsHold(conditions, index) {
  const kept = await Promise.all(conditions.map(async (one) => ({ isNot: one.isNot, ids: new Set(await papersWith(one, index)) })))
  return (/** @type {number} */ number) => kept.every(({ isNot, ids }) => ids.has(index.ids[number]) !== isNot)
}

/**
 * @param {Condition} condition
 * @param {Index} index
 * @returns {Promise<string[]>}
 */
async function papersWith({ field, value }, index) {
  const by = await rules()
  const part = spaced(value, by)
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
    case 'id': return [value, ...ids(await rows('paper_aliases', ['alias', 'paper_id'], { alias: { $eq: value } }))]
    case 'since': return day((listed) => listed >= value)
    case 'until': return day((listed) => listed <= value)
    case 'list': return day((listed) => listed === value)
    default: return phrase(value, part, index)
  }
}

/**
 * Papers whose title or abstract has the words side by side: of abstracts only those are read that have all the words.
 * @param {string} value
 * @param {string} part
 * @param {Index} index
 */
async function phrase(value, part, index) {
  const { by } = index
  const titled = (await everyPaper()).filter((row) => spaced(row.title, by).includes(part)).map((row) => row.paper_id)
  const { terms } = termsFor(index, spoken(value, by), false)
  const points = await Promise.all(terms.map((term) => matches(index, [term])))
  const likely = index.ids.filter((_, number) => points.every((some) => some[number] > 0))
  const texts = likely.length ? await rows('paper_texts', ['paper_id', 'abstract'], { paper_id: { $in: likely } }) : []
  return [...titled, ...texts.filter((row) => spaced(row.abstract, by).includes(part)).map((row) => row.paper_id)]
}

/**
 * Organizations, authors and keywords in which a word begins so, with how many papers each has.
 * @param {string} text
 * @returns {Promise<{ field: string, words: string, found: [string, number][] }[]>}
 */
export async function namesLike(text) {
  const by = await rules()
  if (/[:"]/.test(text) || lettersOf(text, by).length < 3) return []
  const part = spaced(text, by).trimEnd()
  const kinds = /** @type {const} */ ([
    ['org', 'Organizations', everyPaper, (/** @type {any} */ row) => row.organization_name],
    ['author', 'Authors', authors, (/** @type {any} */ row) => row.name],
    ['keyword', 'Keywords', keywords, (/** @type {any} */ row) => row.keyword],
  ])
  const known = await Promise.all(kinds.map(async ([field, words, read, of]) => {
    /** @type {Map<string, Set<string>>} */
    const names = new Map()
    for (const row of await read()) if (of(row)) names.set(of(row), (names.get(of(row)) ?? new Set()).add(row.paper_id))
    const begins = [...names].filter(([name]) => quick(name, part) && spaced(name, by).includes(part))
    const found = begins.map(([name, some]) => /** @type {[string, number]} */ ([name, some.size]))
    return { field, words, found: found.sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).slice(0, FEW) }
  }))
  return known.filter(({ found }) => found.length)
}

/** Whether it is worth to look closer: folding every name takes longer. @param {string} name @param {string} part */
const quick = (name, part) => !/^[\x20-\x7e]*$/.test(name) || fold(name).includes(part.trim().split(' ')[0])
