// What else the terms of a query are found by: acronyms by their long forms, and the other way round; `qwen 3` by `qwen3`.
import { expression } from './language.js'

/** @typedef {{ term: string, foundBy: string[], says: string | null }} Form terms that stand for a term, where a paper has all */

/**
 * What else terms are found by: the macro `term_forms`.
 * @param {import('./ranking.js').Index} index
 * @param {string[]} terms
 * @returns {Form[]}
 */
export function formsOf({ acronyms, by }, terms) {
  const names = terms.length > by.most_corrected ? [] : terms.filter((one) => expression(by.plain_word).test(one))
  const pairs = names.flatMap((name) => terms.filter((one) => /^[0-9]+$/.test(one)).map((number) => [name, number]))
  const inOneWord = pairs.flatMap((pair) => pair.map((term) => ({ term, foundBy: [pair.join('')], says: null })))
  const others = acronyms.flatMap(({ acronym, long_form: longForm, term, plural, form_terms: joined }) => {
    const parts = /** @type {string[]} */ (joined.split(' '))
    const shorts = /** @type {string[]} */ ([term, plural].filter((one) => one !== null))
    const short = shorts.filter((one) => terms.includes(one))
    const forms = short.flatMap((one) => [{ term: one, foundBy: parts, says: longForm }, ...shorts.filter((other) => other !== one).map((other) => ({ term: one, foundBy: [other], says: null }))])
    const isWhole = parts.every((one) => terms.includes(one))
    return isWhole ? [...forms, ...parts.flatMap((one) => shorts.map((other) => ({ term: one, foundBy: [other], says: acronym })))] : forms
  })
  return [...others, ...inOneWord]
}

/**
 * How often each paper has a term, or else what stands for it: all terms of that, as often as the one that it has least.
 * @param {string} term
 * @param {Map<string, Map<number, number>>} held how often each paper has each term
 * @param {Form[]} forms
 */
export function countsOf(term, held, forms) {
  const found = /** @type {Map<number, number>} */ (new Map())
  for (const { foundBy } of forms.filter((one) => one.term === term)) {
    const [first, ...others] = foundBy.map((part) => held.get(part) ?? new Map())
    for (const [number, count] of first) {
      const least = others.reduce((least, counts) => Math.min(least, counts.get(number) ?? 0), count)
      if (least) found.set(number, Math.max(found.get(number) ?? 0, least))
    }
  }
  return new Map([...found, .../** @type {Map<number, number>} */ (held.get(term))])
}

/**
 * What acronyms and long forms are found as too, with the words that it is for.
 * @param {import('./ranking.js').Index} index
 * @param {string[]} words
 * @param {[string, string][]} corrected
 * @param {Form[]} forms
 */
export function saidElse(index, words, corrected, forms) {
  const known = words.map((word) => new Map(corrected).get(word) ?? word)
  const said = [...new Set(forms.flatMap(({ says }) => says ?? []))]
  return said.map((says) => {
    const terms = forms.filter((one) => one.says === says).map(({ term }) => term)
    return `${known.filter((word) => terms.includes(index.words.get(word)?.term)).join(' ')}, also as ${says}`
  })
}
