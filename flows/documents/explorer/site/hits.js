// A paper that was found, in a list: with its day and id, and the words of its title for which it was.
import { item } from './lists.js'
import { dayIn } from './ranking.js'
import { dayOf, make } from './words.js'

const BETWEEN = /([^\p{L}\p{N}]+)/u

/**
 * @param {any} paper
 * @param {(word: string) => boolean} [isSought] whether a word was looked for
 */
export function hit(paper, isSought) {
  const day = dayIn(paper)
  const shown = item(paper, null, [day === null ? '' : dayOf(new Date(day)), paper.paper_id].filter(Boolean).join(', '))
  const title = shown.querySelector('.title')
  if (isSought) title?.replaceChildren(...(title.textContent ?? '').split(BETWEEN).map((word) => (isSought(word) ? make('mark', {}, word) : word)))
  return shown
}
