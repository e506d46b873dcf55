// What one takes along of a paper: an address that outlives the release, BibTeX, and what Zotero reads.
import { lasting } from './place.js'
import { has, rows } from './tables.js'
import { dayOf, make, paperAddress, shown, whenSeen } from './words.js'

/**
 * A button that copies the text of an element.
 * @param {Element} from
 * @param {string} words
 */
export function copier(from, words) {
  const copy = make('button', { type: 'button' }, words)
  copy.addEventListener('click', async () => {
    const isDone = await navigator.clipboard.writeText(from.textContent ?? '').then(() => true, () => false)
    copy.textContent = isDone ? 'Copied' : 'Select it and copy'
    if (!isDone) getSelection()?.selectAllChildren(from)
  })
  return copy
}

/** The address of a paper, and a button that copies it. @param {string} paperId */
export function shared(paperId) {
  const address = lasting(paperAddress(paperId))
  const link = make('a', { href: address, class: 'lasting' }, address)
  return make('p', { class: 'share' }, copier(link, 'Copy link'), ' ', link)
}

/** @param {string} paperId */
export function cited(paperId) {
  const text = make('pre', { class: 'bibtex', tabindex: 0 }, '…')
  return whenSeen('Cite', async (section) => {
    section.append(text, make('p', { class: 'buttons' }, copier(text, 'Copy')))
    const [row] = has('paper_citations') ? await rows('paper_citations', ['paper_id', 'bibtex'], { paper_id: { $eq: paperId } }) : []
    text.replaceChildren(row?.bibtex ?? 'This release does not have it.')
  })
}

/** @param {any} found */
export const isContradicted = (found) => found.published_basis === 'contradicted'

/**
 * The month that an arXiv id begins with: 2504.12984, hep-th/9901001.
 * @param {string} id
 */
const monthOf = (id) => id.replace(/^(?:.*\/)?(\d\d)(\d\d).*$/, (_, year, month) => `${year >= '91' ? 19 : 20}${year}-${month}`)

/**
 * The paper as an OpenURL, by which Zotero and its like take it: COinS.
 * @param {any} found
 * @param {string[]} names
 */
export function coins(found, names) {
  const told = new URLSearchParams({ ctx_ver: 'Z39.88-2004', rft_val_fmt: 'info:ofi/fmt:kev:mtx:journal', 'rft.genre': 'preprint' })
  told.append('rft.atitle', shown(found.title))
  if (isContradicted(found)) told.append('rft.date', monthOf(found.arxiv_id))
  else if (found.published_on) told.append('rft.date', dayOf(found.published_on))
  if (found.arxiv_id) told.append('rft_id', `https://arxiv.org/abs/${found.arxiv_id}`)
  for (const name of names) told.append('rft.au', shown(name))
  return make('span', { class: 'Z3988', title: told.toString() })
}
