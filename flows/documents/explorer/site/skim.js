// What one skims of the papers of a list, read once their titles are there: a sentence, authors, code.
import { has, rows } from './tables.js'
import { untexed } from './tex.js'
import { make, outward, theirs } from './words.js'

const AUTHORS = 3 // whose names stand in a list
const LONGEST = 240 // characters of a sentence
const SENTENCE = /^.{30,}?[.!?](?=\s+["“(]?[A-Z]|\s*$)/su // "vs. other" and "e.g. this" end none

/** The first sentence of an abstract. @param {string} abstract */
export function firstSentence(abstract) {
  const text = untexed(abstract).replace(/\s+/g, ' ').trim()
  const sentence = SENTENCE.exec(text)?.[0] ?? text
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST).replace(/\s+\S*$/u, '')} …` : sentence
}

/**
 * Fill the items of a list, each of which names its paper.
 * @param {HTMLElement} list
 */
export async function fleshOut(list) {
  const items = new Map([...list.querySelectorAll('li[data-paper]')].map((one) => [one.getAttribute('data-paper') ?? '', one]))
  if (!items.size) return
  const among = { paper_id: { $in: [...items.keys()] } }
  const read = (/** @type {string} */ table, /** @type {string[]} */ columns) => (has(table) ? rows(table, ['paper_id', ...columns], among) : Promise.resolve([]))
  const [texts, authors, links] = await Promise.all([read('paper_texts', ['abstract']), read('paper_authors', ['position', 'name']), read('paper_links', ['kind', 'url'])])
  const of = (/** @type {any[]} */ found) => Map.groupBy(found, (row) => row.paper_id)
  const [textOf, authorsOf, linksOf] = [of(texts), of(authors.sort((one, other) => one.position - other.position)), of(links)]
  for (const [id, item] of items) {
    const abstract = textOf.get(id)?.[0]?.abstract
    if (abstract) item.querySelector('.title')?.after(make('p', { class: 'summary', dir: 'auto' }, firstSentence(abstract)))
    const names = authorsOf.get(id) ?? []
    const by = item.querySelector('.by')
    if (names.length) by?.replaceChildren(...namesIn(names.map((row) => row.name), Number(by.getAttribute('data-count'))))
    const code = linksOf.get(id)?.find((row) => row.kind === 'github')
    if (code) item.querySelector('.code')?.replaceChildren(outward(code.url, 'Code'))
  }
}

/**
 * The first names, and how many more.
 * @param {string[]} names
 * @param {number} count of all authors: a page may show some alone
 */
function namesIn(names, count) {
  const first = names.slice(0, count > AUTHORS + 1 ? AUTHORS : count)
  const more = count - first.length
  const parts = first.flatMap((name, at) => [at ? ', ' : '', theirs(name)])
  return [...parts, more ? ` and ${more.toLocaleString('en')} more` : '']
}
