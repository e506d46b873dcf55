// The explorer: what stands after # in the address is what is shown.
import { calendar, list } from './lists.js'
import { paper } from './paper.js'
import { search } from './search.js'
import { FileFault, release } from './tables.js'
import { make, shown } from './words.js'

/** @type {Record<string, (named?: string) => Promise<import('./lists.js').View>>} */
const VIEWS = { '': list, list, calendar, paper, search }

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
    if (error instanceof URIError) return { title: 'No such page', body: [make('p', {}, 'The address names nothing of the explorer.')] }
    if (error instanceof FileFault) return { title: 'A file is missing', body: [make('p', { class: 'fault' }, error.message)] }
    throw error
  }
}

/** @param {boolean} isFirst */
async function show(isFirst) {
  const turn = ++asked
  told.textContent = 'Reading…'
  const { title, body } = await viewed()
  if (turn !== asked) return // somebody has gone on meanwhile
  document.title = `${shown(title)} · daily papers, release ${release.version}`
  main.replaceChildren(make('h1', { dir: 'auto' }, title), ...body)
  main.dataset.shown = location.hash || '#/'
  told.textContent = ''
  if (isFirst) return
  scrollTo(0, 0)
  const field = main.querySelector('input')
  ;(field ?? main).focus({ preventScroll: true })
}

addEventListener('hashchange', () => show(false))
show(true)
