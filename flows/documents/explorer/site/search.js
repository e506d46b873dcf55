// Search as one types: ranked as `paperlake search` ranks, with authors, organizations and keywords of that name beside.
import { conditionsHold, namesLike } from './conditions.js'
import { parse, QueryFault, rules } from './language.js'
import { everyPaper, item } from './lists.js'
import { index, matches, ranked, termsFor } from './ranking.js'
import { has } from './tables.js'
import { counted, make, searchAddress } from './words.js'

const MOST = 50
const PAUSE = 120 // milliseconds without a key until it is searched

/**
 * What is found: the papers, best first, and how the words were read.
 * @param {string} text
 */
export async function found(text) {
  const query = parse(text, await rules())
  const here = await index()
  const read = termsFor(here, query.words)
  const out = await matches(here, termsFor(here, query.excluded, false).terms)
  const keeps = await conditionsHold(query.conditions, here)
  const numbers = await ranked(here, query, read, (number) => out[number] === 0 && keeps(number))
  const papers = new Map((await everyPaper()).map((row) => [row.paper_id, row]))
  const hits = numbers.map((number) => papers.get(here.ids[number])).filter((row) => row !== undefined)
  return { hits: sorted(hits, query.sort), ...read }
}

/**
 * By what was asked for, of equals as they were; without a value last.
 * @param {any[]} hits
 * @param {string} sort
 */
function sorted(hits, sort) {
  if (sort === 'relevance') return hits
  const day = (/** @type {any} */ row) => row.first_listed_on ?? row.published_on ?? (row.submitted_at && new Date(Math.floor(Number(row.submitted_at) / 864e5) * 864e5))
  const value = (/** @type {any} */ row) => Number((sort === 'date' ? day(row) : row.upvote_count) ?? -Infinity)
  return hits.toSorted((one, other) => (value(other) === value(one) ? 0 : value(other) - value(one)))
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
  const list = make('ol', { class: 'papers' })
  let turn = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  const look = async () => {
    const mine = ++turn
    const text = field.value
    history.replaceState(null, '', searchAddress(text))
    if (!text.trim()) {
      told.textContent = ''
      list.replaceChildren()
      return names.replaceChildren()
    }
    told.textContent ||= 'Loading the index of this release, once: about 2.5 MB…'
    try {
      const { hits, corrected, unknown } = await found(text)
      if (mine !== turn) return
      told.textContent = [summary(hits.length), ...corrected.map(([one, other]) => `${one} read as ${other}`), unknown.length ? `in no paper: ${unknown.join(', ')}` : ''].filter(Boolean).join('; ')
      list.replaceChildren(...hits.slice(0, MOST).map((paper) => item(paper)))
      if (field.isConnected) document.getElementById('main')?.setAttribute('data-shown', location.hash)
      namesLike(text).then(
        (known) => mine === turn && names.replaceChildren(...known.map(namesIn)),
        (error) => mine === turn && names.replaceChildren(error.message),
      )
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (mine === turn) told.textContent = error instanceof QueryFault ? `${error.message}.` : error.message
    }
  }
  field.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(look, PAUSE)
  })
  const hint = make('p', { id: 'hint', class: 'soft' }, 'Words of titles and abstracts; typing errors are corrected. Also ', ...['author:"…"', 'org:"…"', 'keyword:"…"', 'has:code', 'since:2026-10-01', 'sort:upvotes', '-word', '"a phrase"'].flatMap((one, at) => [at ? ', ' : '', make('code', {}, one)]), '.')
  if (asked) await look()
  return { title: 'Search', body: [make('label', { for: 'words' }, 'Find papers'), field, hint, told, names, list] }
}

/** @param {number} count */
const summary = (count) => (count > MOST ? `${counted(count, 'paper')}; the best ${MOST}` : counted(count, 'paper'))

/** @param {{ field: string, words: string, found: [string, number][] }} known */
function namesIn({ field, words, found }) {
  const links = found.map(([name, papers]) => make('li', {}, make('a', { href: searchAddress(`${field}:"${name.replaceAll('"', '')}"`), dir: 'auto' }, name), ` ${papers}`))
  return make('section', {}, make('h2', {}, words), make('ul', { class: 'keywords' }, ...links))
}
