// Single keys, as long as nobody writes: / to the search, j and k to the next paper of a list and to the last, ? to what
// the keys are. Whoever speaks to the machine can turn them off (WCAG 2.1.4).

const STEPS = /** @type {Record<string, number>} */ ({ j: 1, k: -1 })

/** @param {HTMLElement} main */
export function onKeys(main) {
  const button = document.getElementById('keys')
  let isOff = false // until the page is left: a browser may refuse to keep anything
  button?.addEventListener('click', () => {
    isOff = !isOff
    button.textContent = isOff ? 'turn on' : 'turn off'
  })
  addEventListener('keydown', (event) => {
    if (isOff) return
    const isWriting = event.target instanceof HTMLElement && event.target.matches('input:not([type=radio]), textarea, select')
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '/') {
      const field = main.querySelector('input[type=search]')
      if (field instanceof HTMLElement) field.focus()
      else location.hash = '#/search/'
    } else if (event.key === '?') button?.focus()
    else if (event.key in STEPS) step(main, STEPS[event.key])
    else return
    event.preventDefault()
  })
}

/**
 * From where the focus is, or from the first.
 * @param {HTMLElement} main
 * @param {number} by
 */
function step(main, by) {
  const links = [...main.querySelectorAll('.papers .title')]
  const at = links.findIndex((one) => one.closest('li')?.contains(document.activeElement))
  const to = links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]
  if (!(to instanceof HTMLElement)) return
  to.focus({ preventScroll: true })
  to.closest('li')?.scrollIntoView({ block: 'nearest' })
}
