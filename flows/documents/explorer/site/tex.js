// TeX in titles and abstracts, as a reader is shown it: `untexed` of warehouse/tex.py, by the same rules.
import { release } from './tables.js'

const instead = (/** @type {string} */ words) => words.replaceAll('$', '$$$$').replace(/\\(\d)/g, '$$$1')
const rules = release.tex.rules.map(([found, words]) => /** @type {[RegExp, string]} */ ([new RegExp(found, 'gu'), instead(words)]))
const marked = new RegExp(release.tex.marked, 'u')
const command = new RegExp(release.tex.command, 'gu')
const signs = new Map(Object.entries(release.tex.signs))

/** @param {string} text */
export function untexed(text) {
  if (!marked.test(text)) return text
  let [before, after] = ['', text]
  for (let turn = 0; turn < release.tex.nested && before !== after; turn++) {
    before = after
    for (const [found, words] of rules) after = after.replace(found, words)
  }
  return after.replace(command, (_, braced, bare) => signs.get(braced ?? bare) ?? braced ?? bare).normalize('NFC')
}
