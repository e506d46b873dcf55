// What one skims of the papers of a list, read once their titles are there: a summary, authors, system, code, new upvotes.
import { mark } from './arxiv.js'
import { has, rows } from './tables.js'
import { untexed } from './tex.js'
import { authorAddress, dayOf, led, make, outward, theirs } from './words.js'

const AUTHORS = 3 // whose names stand in a list
const STILL = 700 // milliseconds for which the same papers are seen
const LONGEST = 240 // characters of a sentence
const SENTENCE = /^.{30,}?[.!?](?=\s+["“(]?[A-Z]|\s*$)/su // "vs. other" and "e.g. this" end none

/** The first sentence of an abstract. @param {string} abstract */
export function firstSentence(abstract) {
  const text = untexed(abstract).replace(/\s+/g, ' ').trim()
  const sentence = SENTENCE.exec(text)?.[0] ?? text
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST).replace(/\s+\S*$/u, '')} …` : sentence
}

/** Say more of a list's papers as they are seen, once nothing changes for a moment. @param {HTMLElement} list */
export function skimAsSeen(list) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  const seen = new Set()
  const watch = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) isIntersecting ? seen.add(target) : seen.delete(target)
    clearTimeout(waiting)
    waiting = setTimeout(() => fleshOut([...seen].filter((one) => one.isConnected)).catch((error) => list.after(make('p', { class: 'fault' }, error.message))), STILL)
  })
  for (const item of list.children) watch.observe(item)
}

/**
 * Fill the items of papers that are not filled, each of which names its paper.
 * @param {Element[]} found
 */
export async function fleshOut(found) {
  const items = new Map(found.filter((one) => one.matches('li[data-paper]:not(.filled)')).map((one) => [one.getAttribute('data-paper') ?? '', one]))
  if (!items.size) return
  for (const item of items.values()) item.classList.add('filled')
  const ids = [...items.keys()]
  const read = (/** @type {string} */ table, /** @type {string[]} */ columns, some = ids) =>
    has(table) && some.length ? rows(table, ['paper_id', ...columns], { paper_id: { $in: some } }) : Promise.resolve([])
  const marked = mark([...items.values()])
  const [seen, authors, links, systems, looks] = await Promise.all([
    read('sightings', ['observed_at', 'ai_summary']),
    read('paper_authors', ['position', 'name']),
    read('paper_links', ['kind', 'url']),
    read('paper_systems', ['name', 'kind']),
    read('paper_observations', ['observed_at', 'upvote_count']),
  ])
  const of = (/** @type {any[]} */ found) => Map.groupBy(found, (row) => row.paper_id)
  const summaries = seen.filter((row) => row.ai_summary).sort((one, other) => Number(one.observed_at) - Number(other.observed_at))
  const [summaryOf, authorsOf, linksOf] = [of(summaries), of(authors.sort((one, other) => one.position - other.position)), of(links)]
  const [systemOf, looksOf] = [of(systems), of(looks)]
  const textOf = of(await read('paper_texts', ['abstract'], ids.filter((id) => !summaryOf.has(id)))) // long: only where one is shown
  for (const [id, item] of items) {
    const [generated, abstract] = [summaryOf.get(id)?.at(-1)?.ai_summary, textOf.get(id)?.[0]?.abstract]
    const words = generated ? [make('abbr', { title: 'Summary that the Hub had a language model write' }, 'AI'), ' ', untexed(generated)] : abstract ? [firstSentence(abstract)] : []
    if (words.length) item.querySelector('.about')?.before(make('p', { class: 'summary', dir: 'auto' }, ...words))
    const names = authorsOf.get(id) ?? []
    const by = item.querySelector('.by')
    if (names.length) by?.replaceChildren(...namesIn(names.map((row) => row.name), Number(by.getAttribute('data-count'))))
    const system = systemOf.get(id)?.[0]
    if (system) item.querySelector('.system')?.replaceChildren(theirs(untexed(system.name)), system.kind ? `, ${system.kind}` : '')
    item.querySelector('.upvotes')?.append(gained(looksOf.get(id) ?? []))
    const code = linksOf.get(id)?.find((row) => row.kind === 'github')
    if (code) item.querySelector('.code')?.replaceChildren(outward(code.url, 'Code'))
  }
  await marked
}

/** How many upvotes came since the look before the last. @param {any[]} looks */
function gained(looks) {
  const [last, before] = looks.filter((row) => row.upvote_count !== null && row.observed_at).sort((one, other) => Number(other.observed_at) - Number(one.observed_at))
  if (!before || last.upvote_count === before.upvote_count) return ''
  const count = last.upvote_count - before.upvote_count
  return `, ${count > 0 ? '+' : '−'}${Math.abs(count).toLocaleString('en')} since ${dayOf(before.observed_at)}`
}

/**
 * The first names, and how many more.
 * @param {string[]} names
 * @param {number} count of all authors: a page may show some alone
 */
function namesIn(names, count) {
  const first = names.slice(0, count > AUTHORS + 1 ? AUTHORS : count)
  const more = count - first.length
  const parts = first.flatMap((name, at) => [at ? ', ' : '', led(authorAddress(name), name)])
  return [...parts, more ? ` and ${more.toLocaleString('en')} more` : '']
}
