// Where somebody was on a page, kept in its entry of the history: Back and a reload return there, and again as lists are
// filled, until somebody scrolls.
import { release } from './tables.js'
import { shown } from './words.js'

const SOON = 100 // milliseconds after the last scroll

/** @type {{ y: number, paper?: string, top: number, isHeld: boolean } | null} */
let place = null // where somebody is to be
let scrolled = 0 // to there, as far as the page goes yet

/** @param {HTMLElement} main */
export function keepPlaces(main) {
  history.scrollRestoration = 'manual'
  let timer = 0
  const remember = () => {
    if (main.dataset.shown !== (location.hash || '#/')) return // this entry's page is not drawn yet
    const held = document.activeElement?.closest('li[data-paper]') // has the focus, and gets it again
    const by = held ?? [...main.querySelectorAll('li[data-paper]')].find((one) => one.getBoundingClientRect().bottom > 0)
    history.replaceState({ y: scrollY, paper: by?.getAttribute('data-paper'), top: by?.getBoundingClientRect().top, isHeld: Boolean(held) }, '')
  }
  new ResizeObserver(() => settle(main)).observe(main)
  addEventListener('scroll', () => {
    if (Math.abs(scrollY - scrolled) > 1) place = null
    clearTimeout(timer)
    timer = setTimeout(remember, SOON)
  })
  addEventListener('click', remember, true) // before a link is followed
  addEventListener('hashchange', () => clearTimeout(timer)) // that was of the page before
}

/**
 * Go to where somebody was on this page before, or to its top.
 * @param {HTMLElement} main
 */
export function returnTo(main) {
  scrollTo(0, 0)
  place = history.state?.y || history.state?.isHeld ? history.state : null
  settle(main)
}

/** @param {HTMLElement} main */
function settle(main) {
  if (!place) return
  const item = place.paper && main.querySelector(`li[data-paper="${CSS.escape(place.paper)}"]`)
  scrollTo(0, item ? scrollY + item.getBoundingClientRect().top - place.top : place.y)
  scrolled = scrollY
  const title = item && place.isHeld && item.querySelector('.title')
  if (!(title instanceof HTMLElement)) return
  title.focus({ preventScroll: true })
  place.isHeld = false
}

/** Give the tab, and its entry of the history, the name of what is shown. @param {string} title */
export function called(title) {
  document.title = `${shown(title)} · daily papers, release ${release.version}`
}

/** The address of a view in whatever release is the newest: it outlives this one. @param {string} hash */
export function lasting(hash) {
  const here = new URL(location.href)
  here.pathname = here.pathname.replace(`/${release.version}/explore/`, '/latest/explore/')
  here.hash = hash
  return here.href
}
