// What this browser keeps for a reader: how dense lists are. Where it keeps nothing, they are comfortable at each visit.
import { make } from './words.js'

const DENSITY = 'paperlake-density'
const DENSITIES = /** @type {Record<string, string>} */ ({ comfortable: 'Comfortable', compact: 'Compact' })

/**
 * What a browser answers that keeps things, or something else.
 * @template T
 * @param {() => T} ask
 * @param {T} otherwise
 */
export function ifKept(ask, otherwise) {
  try {
    return ask()
  } catch (error) {
    if (error instanceof DOMException) return otherwise
    throw error
  }
}

/** Lists as they were the last time. */
export function asBefore() {
  const kept = ifKept(() => localStorage.getItem(DENSITY), null) ?? ''
  document.documentElement.dataset.density = Object.hasOwn(DENSITIES, kept) ? kept : 'comfortable'
}

/** A switch of how dense lists are. */
export function density() {
  const choices = Object.entries(DENSITIES).map(([name, words]) => {
    const choice = /** @type {HTMLInputElement} */ (make('input', { type: 'radio', name: 'density', value: name }))
    choice.checked = document.documentElement.dataset.density === name
    choice.addEventListener('change', () => {
      document.documentElement.dataset.density = name
      ifKept(() => localStorage.setItem(DENSITY, name), undefined)
    })
    return make('label', {}, choice, words)
  })
  return make('fieldset', { class: 'density' }, make('legend', { class: 'unseen' }, 'Lists are'), ...choices)
}
