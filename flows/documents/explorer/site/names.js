// What a text names, as the macro `named_papers` has it: a paper by its id, a day, a year, a month, an organization, an author.
import { authors, keywords, papersOf } from './conditions.js'
import { listings } from './days.js'
import { expression, fold, lettersOf, rules, spaced } from './language.js'
import { everyPaper } from './lists.js'
import { all } from './tables.js'
import { dayOf, isDay } from './words.js'

/** @typedef {import('./language.js').Rules} Rules */
/** @typedef {{ folded: string, name: string, isTold: boolean, hasInitials: boolean, letters: string, tokens: string[], long: string[] }} Said */
/** @typedef {[name: string, paperId: string | null]} Found */

const FEW = 6 // names of each kind

/**
 * The names that a text stands for, and their papers; of the kinds the first that names something.
 * @param {string} text
 * @returns {Promise<{ field: string, values: string[], ids: Set<string> } | null>}
 */
export async function named(text) {
  const by = await rules()
  if ([...text].length > by.longest_named) return null
  const folded = fold(text, by).replace(/^ +| +$/g, '')
  const whole = folded.replace(expression(by.leading), '').replace(expression(by.trailing), '')
  const parts = whole.split(expression(by.and))
  const one = await namedBy(saidBy(folded, whole, whole, by), by)
  const named = one ? [one] : await Promise.all((parts.length > 1 ? parts : []).map((part) => namedBy(saidBy(folded, whole, part, by), by)))
  const fields = named.flatMap((part) => part?.field ?? []).sort()
  if (!fields.length || fields.length < named.length) return null
  if (fields[0] !== 'id' && (await everyPaper()).some((row) => row.title !== null && fold(row.title, by) === folded)) return null
  // The papers of all that is named, or else of most
  const shared = Map.groupBy(named.flatMap((part) => [...new Set(part?.found.map(([, id]) => id))]), (id) => id)
  const most = Math.max(...[...shared.values()].map((same) => same.length))
  const kept = named.flatMap((part) => part?.found ?? []).filter(([, id]) => shared.get(id)?.length === most)
  return { field: fields[0], values: [...new Set(kept.map(([name]) => name))].sort(), ids: new Set(kept.flatMap(([, id]) => id ?? [])) }
}

/**
 * What one name stands for.
 * @param {Said} said
 * @param {Rules} by
 * @returns {Promise<{ field: string, found: Found[] } | null>}
 */
async function namedBy(said, by) {
  /** @type {[string, (said: Said, by: Rules) => Promise<Found[]>][]} */
  const kinds = [['id', byId], ['list', byDay], ['year', byYear], ['month', byMonth], ['org', byOrganization], ['author', byAuthor], ['org', byGroup]]
  for (const [field, read] of kinds) {
    const found = await read(said, by)
    if (found.length) return { field, found }
  }
  return null
}

/**
 * A name in a text, which is `whole` without what leads to names and follows them.
 * @param {string} folded
 * @param {string} whole
 * @param {string} name
 * @param {Rules} by
 * @returns {Said}
 */
function saidBy(folded, whole, name, by) {
  const isTold = whole !== folded
  const tokens = tokensOf(name.replace(/^([^,]+),([^,]+)$/u, '$2 $1'), by) // "He, Kaiming" is Kaiming He
  return { folded, name, isTold, hasInitials: isTold || expression(by.initial).test(name), letters: name.replace(expression(by.sign, 'gu'), ''), tokens, long: tokens.filter((token) => [...token].length > 1) }
}

/** @param {string} name @param {Rules} by @returns {string[]} */
const tokensOf = (name, by) => name.match(expression(`[${by.letters}]+`, 'gu')) ?? []

/** @param {Said} said @param {Rules} by @returns {Promise<Found[]>} */
async function byId({ folded }, by) {
  const ids = [...folded.matchAll(expression(by.arxiv_id, 'gu'))].map((one) => one[1])
  const cut = expression(by.cut_id).exec(folded)?.[1]
  const longer = cut ? [1, 2, 3, 4].map((zeros) => cut + '0'.repeat(zeros)) : []
  if (!ids.length && !longer.length) return []
  const aliases = (await all('paper_aliases', ['alias', 'paper_id'])).map((row) => [row.alias.toLowerCase(), row.paper_id])
  const known = (/** @type {string} */ id) => aliases.flatMap(([alias, paperId]) => (alias === id ? [/** @type {Found} */ ([paperId, paperId])] : []))
  const unknown = expression(by.address).test(folded) ? ids.filter((id) => !known(id).length) : []
  return [...[...ids, ...longer].flatMap(known), ...unknown.map((id) => /** @type {Found} */ ([id, null]))]
}

/** @param {Said} said @param {Rules} by @returns {Promise<Found[]>} */
async function byDay({ name }, by) {
  const day = dayNamed(name, by)
  if (!isDay(day)) return []
  const found = (await listings()).filter((row) => dayOf(row.listed_on) === day)
  return orNone(day, found)
}

/** A day as the lists have it. @param {string} name @param {Rules} by */
function dayNamed(name, by) {
  if (!expression(by.day_in_words).test(name)) return name
  const month = by.months.indexOf(name.match(/[a-z]{3}/)?.[0] ?? '') + 1
  return [name.slice(-4), `${month}`.padStart(2, '0'), (name.match(/[0-9]+/)?.[0] ?? '').padStart(2, '0')].join('-')
}

/** What is named by the papers that were found, or without any. @param {string} name @param {any[]} found @returns {Found[]} */
const orNone = (name, found) => (found.length ? found.map((row) => [name, row.paper_id]) : [[name, null]])

/** @param {Said} said @param {Rules} by @returns {Promise<Found[]>} */
async function byYear({ name }, by) {
  if (!expression(by.a_year).test(name)) return []
  return (await papersOf(Number(name))).map((row) => [name, row.paper_id])
}

/** @param {Said} said @param {Rules} by @returns {Promise<Found[]>} */
async function byMonth({ name }, by) {
  const [is, inWords] = [by.a_month, by.month_in_words].map((one) => expression(one).test(name))
  if (!is && !inWords) return []
  const [year, month] = is ? name.split('-').map(Number) : [Number(name.slice(-4)), by.months.indexOf(name.slice(0, 3)) + 1]
  return orNone(name, await papersOf(year, month))
}

/** @param {Pick<Said, 'name' | 'letters'>} said @param {Rules} by @returns {Promise<Found[]>} */
async function byOrganization({ name, letters }, by) {
  if ([...letters].length < 2) return []
  const papers = (await everyPaper()).filter((row) => row.organization_login !== null)
  const meant = papers.filter((row) => row.organization_login.toLowerCase() === name || (row.organization_name !== null && lettersOf(row.organization_name, by) === letters))
  const names = new Map(meant.map((row) => [`${row.organization_login} ${row.organization_name}`, row]))
  return [...names.values()].flatMap((one) => papers.filter((row) => row.organization_login === one.organization_login).map((row) => /** @type {Found} */ ([one.organization_name ?? one.organization_login, row.paper_id])))
}

/** "the NVIDIA team", which may be the name of an organization too. @param {Said} said @param {Rules} by @returns {Promise<Found[]>} */
async function byGroup({ name }, by) {
  const group = name.replace(expression(by.of_group, 'gu'), '')
  return group === name ? [] : byOrganization({ name: group, letters: group.replace(expression(by.sign, 'gu'), '') }, by)
}

/**
 * A name as it is or turned round, shortened to initials where a sign of that is there, or without its middle names.
 * @param {Said} said
 * @param {Rules} by
 * @returns {Promise<Found[]>}
 */
async function byAuthor({ tokens, long, isTold, hasInitials }, by) {
  if (!long.length || tokens.length > by.most_name_words || (tokens.length < 2 && !isTold)) return []
  const sorted = (/** @type {string[]} */ some) => some.toSorted().join(' ')
  const initials = (/** @type {string[]} */ some) => sorted(some.map((token) => [...token][0]))
  const kind = (/** @type {string[]} */ theirs) => {
    if (!long.every((token) => theirs.includes(token))) return null
    if (theirs.join(' ') === tokens.join(' ')) return 0
    if (sorted(theirs) === sorted(tokens)) return 1
    if (hasInitials && theirs.length === tokens.length && tokens.every((token, at) => ([...token].length === 1 ? theirs[at].startsWith(token) : theirs[at] === token))) return 2
    if (hasInitials && initials(theirs) === initials(tokens)) return 3
    const isShort = long.length > 1 && tokens.includes(theirs[0]) && tokens.includes(theirs[theirs.length - 1]) && tokens.every((token) => theirs.includes(token))
    return isShort ? 4 : null
  }
  /** @type {Found[][]} */
  const kinds = [[], [], [], [], []]
  for (const { name, paper_id } of await authors()) {
    const folded = fold(name ?? '', by)
    const found = long.every((token) => folded.includes(token)) ? kind(tokensOf(folded, by)) : null
    if (found !== null) kinds[found].push([name, paper_id])
  }
  return kinds.find((found) => found.length) ?? []
}

/**
 * Organizations, authors and keywords in which a word begins so, with how many papers each has; however their letters are cased, once.
 * @param {string} text
 * @returns {Promise<{ field: string, words: string, found: [string, number][] }[]>}
 */
export async function namesLike(text) {
  const by = await rules()
  const part = spaced(text, by).trimEnd()
  if (/[:"]/.test(text) || lettersOf(text, by).length < 3 || part.split(' ').length > by.most_name_words + 1) return []
  const kinds = /** @type {const} */ ([
    ['org', 'Organizations', everyPaper, (/** @type {any} */ row) => row.organization_name],
    ['author', 'Authors', authors, (/** @type {any} */ row) => row.name],
    ['keyword', 'Keywords', keywords, (/** @type {any} */ row) => row.keyword],
  ])
  const first = part.trim().split(' ')[0]
  const known = await Promise.all(kinds.map(async ([field, words, read, of]) => {
    const like = (await read()).filter((row) => of(row) && fold(of(row), by).includes(first) && spaced(of(row), by).includes(part))
    const found = [...Map.groupBy(like, (row) => fold(of(row), by)).values()].map((same) => /** @type {[string, number]} */ ([usual(same.map(of)), new Set(same.map((row) => row.paper_id)).size]))
    return { field, words, found: found.sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).slice(0, FEW) }
  }))
  return known.filter(({ found }) => found.length)
}

/** The spelling that most have, of equals the first. @param {string[]} spellings */
function usual(spellings) {
  const counts = [...Map.groupBy(spellings, (one) => one)].map(([one, same]) => /** @type {[string, number]} */ ([one, same.length]))
  return counts.reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best))[0]
}
