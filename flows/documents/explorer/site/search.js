// Search as one types: the macro `find_papers`, step by step, with authors, organizations and keywords of that name beside.
import { conditionsHold } from './conditions.js'
import { narrowing } from './facets.js'
import { firstFound } from './first.js'
import { formsOf, saidElse } from './forms.js'
import { hit } from './hits.js'
import { expression, fold, lettersOf, parse, QueryFault, rules } from './language.js'
import { weighed } from './likeness.js'
import { everyPaper } from './lists.js'
import { named, namesLike } from './names.js'
import { called } from './place.js'
import { index, ranked, termsFor } from './ranking.js'
import { skimAsSeen } from './skim.js'
import { bringAll, has } from './tables.js'
import { authorAddress, counted, fieldOf, make, searchAddress, theirs } from './words.js'

/** @typedef {import('./language.js').Item} Item */
/** @typedef {import('./language.js').Rules} Rules */
/** @typedef {import('./ranking.js').Index} Index */
/** @typedef {import('./ranking.js').Ranked} Ranked */

const MOST = 50
const MOST_NAMES = 4
const MOST_TERMS = 10 // of a query that is a row of words, not a pasted text
const PAUSE = 60 // milliseconds without a key until it is searched
/** @type {Promise<unknown> | undefined} */
let whole // the whole index, once a first answer has begun it

/** @type {Record<string, string>} */
const NAMED = { author: 'author', org: 'organization', list: 'daily list of', year: 'year', month: 'month' }
/** @type {Record<string, string>} */
const NONE = { id: 'no paper of this release has the id ', list: 'this release has no daily list of ', month: 'this release has no paper of ' }

/**
 * What is found: the papers, in the order asked for, what the words name, and how they were read else.
 * @param {string} text
 */
export async function found(text) {
  const by = await rules()
  const items = parse(text, by)
  const here = await index()
  const name = await nameIn(items)
  const ranks = items.filter(({ field, isNot }) => !isNot && (field === null || field === 'phrase' || field === 'words'))
  const words = name ? [] : [...new Set(ranks.flatMap((one) => one.words))]
  const read = termsFor(here, words)
  const unknown = read.unknown.filter((word) => !isJoined(word, words, read.unknown, by))
  const terms = words.length ? read.terms : undefined
  const keeps = await conditionsHold(items, here)
  const isKept = (/** @type {number} */ number) => (!name || name.ids.has(here.ids[number])) && keeps(number)
  const isAsked = items.some(({ field, words }) => field !== 'sort' && ((field !== null && field !== 'words') || words.length > 0)) || (items.length > 0 && items.every(({ field }) => field === 'sort'))
  const ranking = isAsked ? await ranked(here, { terms: terms ?? null, isSentence: read.isSentence, letters: lettersIn(items, by) }, isKept) : []
  const scored = await weighed(here, items, ranking, terms !== undefined)
  const sort = items.findLast(({ field }) => field === 'sort')?.value ?? 'relevance'
  const hits = placed(here, scored, sort, terms?.length, read.isSentence)
  const papers = new Map((await everyPaper()).map((row) => [row.paper_id, row]))
  const most = hits.reduce((all, hit) => Math.max(all, hit.found), 0)
  const fullest = { asked: terms?.length ?? 0, most, count: hits.filter((hit) => hit.found === most).length }
  const forms = formsOf(here, read.terms)
  const sought = new Set([...read.terms, ...forms.flatMap(({ foundBy }) => foundBy)])
  const isSought = (/** @type {string} */ word) => sought.has(here.words.get(fold(word, by))?.term)
  const others = name?.field === 'id' ? name.values.filter((id) => !text.toLowerCase().includes(id.toLowerCase())) : []
  const corrected = others.length ? [...read.corrected, /** @type {[string, string]} */ ([text.trim(), others.join(', ')])] : read.corrected
  return { hits: hits.map(({ number }) => papers.get(here.ids[number])), name, instead: asWords(items), fullest, isSought, also: saidElse(here, words, read.corrected, forms), ...read, corrected, unknown }
}

/**
 * Whether a word is those before it in a query, joined, or `text2image` where `texttoimage` is known, or the other way round: nobody misses it.
 * @param {string} word
 * @param {string[]} words
 * @param {string[]} unknown
 * @param {Rules} by
 */
function isJoined(word, words, unknown, by) {
  const before = words.slice(0, words.indexOf(word))
  const inFull = (/** @type {string} */ one) => one.replace(expression(by.to), '$1to$2')
  return before.some((_, at) => at < before.length - 1 && before.slice(at).join('') === word) || words.some((one) => !unknown.includes(one) && inFull(one) === inFull(word))
}

/** What the words name, if nothing tells that they are words. @param {Item[]} items */
async function nameIn(items) {
  const isWords = items.some(({ field, isNot }) => (field === null ? isNot : ['phrase', 'words', 'like'].includes(field)))
  const plain = items.filter(({ field }) => field === null)
  return isWords || !plain.length ? null : named(plain.map(({ value }) => value).join(' ').replace(/^ +| +$/g, ''))
}

/** The same query, by its words. @param {Item[]} items */
function asWords(items) {
  const plain = items.filter(({ field }) => field === null).map(({ value }) => value.replaceAll('"', ''))
  return [`words:"${plain.join(' ')}"`, ...items.filter(({ field }) => field !== null).map(({ field, value, isNot }) => `${isNot ? '-' : ''}${field}:"${value}"`)].join(' ')
}

/**
 * The letters by which a title is looked for.
 * @param {Item[]} items
 * @param {Rules} by
 */
function lettersIn(items, by) {
  const isTitle = items.every(({ field, isNot }) => !isNot && field !== 'like' && !by.conditions.includes(field ?? ''))
  return isTitle ? items.filter(({ field }) => field !== 'sort').map(({ value }) => lettersOf(value, by)).join('') : null
}

/**
 * What is near enough to the best, in the order asked for; of equals the newest first, then by id.
 * @param {Index} index
 * @param {Ranked[]} scored
 * @param {string} sort
 * @param {number | undefined} terms how many
 * @param {boolean} isSentence
 */
function placed({ by, days, upvotes }, scored, sort, terms, isSentence) {
  const later = (/** @type {(number | null)[]} */ of) => (/** @type {Ranked} */ one, /** @type {Ranked} */ other) => {
    const [first, second] = [of[one.number] ?? -Infinity, of[other.number] ?? -Infinity]
    return first === second ? 0 : second - first
  }
  const best = scored.toSorted((one, other) => other.score - one.score || later(days)(one, other) || one.number - other.number)
  const most = best[0]?.score ?? 0
  const isNear = (/** @type {Ranked} */ { score, found }) => isSentence ? score >= (by.close_sentence_tenths / 10) * most : score >= (by.close_tenths / 10) * most && found === terms
  const kept = terms === undefined ? best : best.filter((one, at) => one.score >= (by.floor_tenths / 10) * most && (sort === 'relevance' || at < by.fewest_sorted || isNear(one)))
  return sort === 'relevance' ? kept : kept.toSorted(later(sort === 'date' ? days : upvotes))
}

/**
 * @param {string} [asked]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function search(asked = '') {
  if (!has('search_lists')) return { title: 'Search', body: [make('p', {}, 'This release has no search index.')] }
  const field = /** @type {HTMLInputElement} */ (make('input', { type: 'search', id: 'words', autocomplete: 'off', spellcheck: 'false', value: asked, 'aria-describedby': 'hint' }))
  const told = make('p', { role: 'status', class: 'told' })
  const names = make('div', { class: 'names' })
  const narrower = make('div', {})
  const list = make('ol', { class: 'papers', 'aria-busy': asked.trim() ? 'true' : 'false' })
  let turn = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  const beginWith = async (/** @type {string} */ text, /** @type {() => boolean} */ isAsked) => {
    told.textContent ||= 'Reading…'
    const papers = await firstFound(text)
    if (!isAsked()) return
    told.textContent = papers ? 'The first by their words; reading the rest of the index, once, about 2.5 MB…' : 'Reading the index of this release, once, about 2.5 MB…'
    list.replaceChildren(...(papers ?? []).map((paper) => hit(paper)))
  }
  const look = async () => {
    const mine = ++turn
    const text = field.value
    history.replaceState(history.state, '', searchAddress(text))
    called(tabOf(text))
    if (!text.trim()) {
      told.textContent = ''
      list.ariaBusy = 'false'
      for (const one of [list, narrower]) one.replaceChildren()
      return names.replaceChildren()
    }
    list.ariaBusy = 'true'
    try {
      if (!whole) await beginWith(text, () => mine === turn)
      const answer = await found(text)
      whole ??= Promise.all(['search_basis', 'search_lists'].map(bringAll)).catch(() => null) // the next query waits for nothing
      if (mine !== turn) return
      told.replaceChildren(...saying(answer))
      list.replaceChildren(...answer.hits.slice(0, MOST).map((paper) => hit(paper, answer.isSought)))
      whole.then(() => mine === turn && skimAsSeen(list))
      if (field.isConnected) document.getElementById('main')?.setAttribute('data-shown', location.hash)
      narrowing(text, answer.hits).then(
        (kinds) => mine === turn && narrower.replaceChildren(...kinds),
        (error) => mine === turn && narrower.replaceChildren(error.message),
      )
      namesLike(text).then(
        (known) => mine === turn && names.replaceChildren(...known.map(namesIn)),
        (error) => mine === turn && names.replaceChildren(error.message),
      )
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (mine === turn) told.textContent = error instanceof QueryFault ? `${error.message}.` : error.message
    } finally {
      if (mine === turn) list.ariaBusy = 'false'
    }
  }
  field.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(look, PAUSE)
  })
  const hint = make('p', { id: 'hint', class: 'soft' }, 'Words of titles and abstracts; typing errors are corrected. Also ', ...['author:"…"', 'org:"…"', 'keyword:"…"', 'has:code', 'since:2026-10-01', 'sort:upvotes', '-word', '"a phrase"'].flatMap((one, at) => [at ? ', ' : '', make('code', {}, one)]), '.')
  if (asked) look()
  return { title: 'Search', tab: tabOf(asked), body: [make('label', { for: 'words', class: 'unseen' }, 'Find papers'), field, hint, told, names, narrower, list] }
}

/** A tab's name, by which two searches are told apart. @param {string} text */
const tabOf = (text) => (text.trim() ? `${text.trim()} · search` : 'Search')

/**
 * What was found, in words.
 * @param {Awaited<ReturnType<typeof found>>} answer
 * @returns {(Node | string)[]}
 */
function saying({ hits, name, instead, fullest: { asked, most, count }, also, corrected, unknown }) {
  const summary = counted(hits.length, 'paper') + (hits.length > MOST ? `; the best ${MOST}` : '')
  const full = most > 0 && most < asked && asked <= MOST_TERMS ? `no paper has all of these words; ${count.toLocaleString('en')} ${count === 1 ? 'has' : 'have'} ${most} of ${asked}` : ''
  const words = [summary, full, ...also, ...corrected.map(([one, other]) => `${one} read as ${other}`), unknown.length ? `in no paper: ${unknown.join(', ')}` : ''].filter(Boolean).join('; ')
  if (!name) return [words]
  const names = name.values.slice(0, MOST_NAMES).join(', ') + (name.values.length > MOST_NAMES ? ', …' : '')
  if (!hits.length && name.field in NONE) return [NONE[name.field], theirs(names)]
  if (name.field === 'id') return [words]
  return [`${NAMED[name.field]}: `, theirs(names), ' · ', make('a', { href: searchAddress(instead) }, 'search the words instead'), ` · ${words}`]
}

/** @param {{ field: string, words: string, found: [string, number][] }} known */
function namesIn({ field, words, found }) {
  const address = (/** @type {string} */ name) => (field === 'author' ? authorAddress(name) : searchAddress(fieldOf(field, name)))
  const links = found.map(([name, papers]) => make('li', {}, make('a', { href: address(name), dir: 'auto' }, name), ` ${papers}`))
  return make('section', {}, make('h2', {}, words), make('ul', { class: 'keywords' }, ...links))
}
