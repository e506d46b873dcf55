// Where somebody was on a page, kept in its entry of the history: Back and a reload return there. What grows above the
// paper that was on top, as its list is filled, does not move it: browsers hold on to what is in view.
import { release } from './tables.js'
import { shown } from './words.js'

const SOON = 100 // milliseconds after the last scroll

/** @param {HTMLElement} main */
export function keepPlaces(main) {
  history.scrollRestoration = 'manual'
  let timer = 0
  const remember = () => {
    if (main.dataset.shown !== (location.hash || '#/')) return // this entry's page is not drawn yet
    const top = [...main.querySelectorAll('li[data-paper]')].find((one) => one.getBoundingClientRect().bottom > 0)
    history.replaceState({ y: scrollY, paper: top?.getAttribute('data-paper'), top: top?.getBoundingClientRect().top }, '')
  }
  addEventListener('scroll', () => {
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
  const { y = 0, paper, top } = history.state ?? {}
  const item = paper && main.querySelector(`li[data-paper="${CSS.escape(paper)}"]`)
  scrollTo(0, item && y ? scrollY + item.getBoundingClientRect().top - top : y)
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
