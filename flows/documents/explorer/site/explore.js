// The explorer: what stands after # in the address is what is shown.
import { calendar } from './days.js'
import { front } from './front.js'
import { asBefore, density } from './kept.js'
import { onKeys } from './keys.js'
import { list } from './lists.js'
import { called, keepPlaces, lasting, returnTo } from './place.js'
import { FileFault } from './remote.js'
import { make } from './words.js'
// Of several views: small enough to come at once, where else each would be one more request of a paper
import './charts.js'
import './cite.js'
import './facts.js'
import './retracted.js'

/**
 * A part of the explorer, which comes when it is looked at.
 * @template T
 * @param {Promise<T>} module
 */
async function come(module) {
  try {
    return await module
  } catch {
    throw new FileFault('A part of the explorer did not come. Load the page again.')
  }
}

/** @type {Record<string, (named?: string) => Promise<import('./lists.js').View>>} */
const VIEWS = {
  '': front,
  list,
  week: async (named) => (await come(import('./periods.js'))).week(named),
  month: async (named) => (await come(import('./periods.js'))).month(named),
  calendar,
  paper: async (named) => (await come(import('./paper.js'))).paper(named),
  author: async (named) => (await come(import('./makers.js'))).author(named),
  organization: async (named) => (await come(import('./makers.js'))).organization(named),
  evidence: async (named) => (await come(import('./evidence.js'))).evidence(named),
  search: async (named) => (await come(import('./search.js'))).search(named),
  trending: async (named) => (await come(import('./trending.js'))).trending(named),
  boards: async () => (await come(import('./boards.js'))).boards(),
  board: async (named) => (await come(import('./boards.js'))).board(named),
  trends: async () => (await come(import('./trends.js'))).trends(),
  sql: async (named) => (await come(import('./sql.js'))).sql(named),
}

const main = /** @type {HTMLElement} */ (document.getElementById('main'))
const told = /** @type {HTMLElement} */ (document.getElementById('told'))
let asked = 0

/** The view that the address names. */
async function viewed() {
  const [, name = '', named] = /^#\/([^/]*)(?:\/(.*))?$/.exec(location.hash || '#/') ?? []
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined
  try {
    if (!view) throw new URIError()
    return await view(named ? decodeURIComponent(named) : undefined)
  } catch (error) {
    if (error instanceof URIError) return { title: 'No such page', body: [make('p', {}, 'The explorer has no page at this address: see the ', make('a', { href: '#/' }, 'newest list'), ', or ', make('a', { href: '#/search/' }, 'search'), '.')] }
    if (error instanceof FileFault) return { title: 'A file cannot be read', body: [make('p', { class: 'fault' }, error.message)] }
    throw error
  }
}

/** Which part of the explorer it is, and where it is in later releases. */
function mark() {
  const part = /^#\/(\w*)/.exec(location.hash)?.[1] || 'list'
  for (const link of document.querySelectorAll('nav.parts a')) {
    const isHere = link.getAttribute('data-part')?.split(' ').includes(part)
    if (isHere) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  const [later, address] = [document.getElementById('lasting'), lasting(location.hash)]
  later?.querySelector('a')?.setAttribute('href', address)
  later?.toggleAttribute('hidden', address === location.href)
}

/** @param {boolean} isFirst */
async function show(isFirst) {
  const turn = ++asked
  mark()
  const slow = setTimeout(() => (told.textContent = 'Reading…'), 150)
  const { title, body, tab } = await viewed()
  clearTimeout(slow)
  if (turn !== asked) return // somebody has gone on meanwhile
  called(tab ?? title)
  main.replaceChildren(make('div', { class: 'head' }, make('h1', { dir: 'auto' }, title), density()), ...body)
  main.dataset.shown = location.hash || '#/'
  told.textContent = ''
  const field = main.querySelector('#words')
  if (!isFirst) (field instanceof HTMLElement ? field : main).focus({ preventScroll: true })
  returnTo(main)
}

asBefore()
addEventListener('hashchange', () => show(false))
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault() // an address of the explorer names a view, none a place on it
  main.focus()
})
onKeys(main)
keepPlaces(main)
show(true)
