// What a paper's page says of its provenance and texts: captures, marks in the abstract, what changed from text to text.
import { untexed } from './tex.js'
import { make, momentOf, shown, theirs } from './words.js'

/**
 * Notes of where things were read: a number beside each, and under the page what it stands for, with the id that
 * `paperlake show raw` takes.
 * @param {Map<string, any>} fetched
 */
export function sources(fetched) {
  /** @type {string[]} */
  const ids = []
  const told = (/** @type {string} */ id) => {
    const capture = fetched.get(id)
    return `capture ${id}${capture ? `, fetched ${momentOf(capture.fetched_at)}` : ''}`
  }
  const item = (/** @type {string} */ id, /** @type {number} */ number) => {
    const url = fetched.get(id)?.url
    return make('li', { id: `source-${number}`, tabindex: -1 }, `${told(id)}${url ? ': ' : ''}`, url && theirs(url))
  }
  const listed = make('ol', {})
  const words = ['The number beside a fact names the captured page that it was read from. ', make('code', {}, 'paperlake show raw CAPTURE'), ' prints it.']
  const list = make('section', { class: 'sources' }, make('h2', {}, 'Sources'), make('p', { class: 'soft' }, ...words), listed)
  const note = (/** @type {any} */ row) => {
    const id = row?.capture_id
    if (!id) return make('span', {})
    if (!ids.includes(id)) {
      ids.push(id)
      listed.append(item(id, ids.length))
    }
    const number = ids.indexOf(id) + 1
    const button = make('button', { type: 'button', class: 'note', title: `From ${told(id)}`, 'aria-label': `Source ${number}: ${told(id)}` }, number)
    button.addEventListener('click', () => document.getElementById(`source-${number}`)?.focus())
    return make('sup', {}, button)
  }
  return { note, list }
}

/**
 * A text with spans marked, by code points; a span whose letters are not there is left out.
 * @param {string} text
 * @param {{ start: number, end: number, text: string, id: string | null }[]} spans
 */
export function marked(text, spans) {
  const letters = Array.from(text.replace(/[\ue000\ue001]/g, '\ufffd'))
  const body = make('p', { class: 'abstract', dir: 'auto' })
  /** @type {(string | null)[]} */
  const ids = []
  let [at, whole] = [0, '']
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    if (span.start < at || letters.slice(span.start, span.end).join('') !== span.text) continue
    whole += `${letters.slice(at, span.start).join('')}\ue000${span.text}\ue001`
    ids.push(span.id)
    at = span.end
  }
  const pieces = untexed(whole + letters.slice(at).join('')).split(/[\ue000\ue001]/)
  pieces.forEach((piece, place) => body.append(place % 2 ? make('mark', { id: ids[(place - 1) / 2], tabindex: -1 }, piece) : shown(piece)))
  return body
}

/**
 * A text with what is new in it, and what is gone, against the one before.
 * @param {string} before
 * @param {string} after
 */
export function changed(before, after) {
  const [old, now] = [before.split(/(?<=\s)/), after.split(/(?<=\s)/)]
  const same = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = now.length - 1; other >= 0; other--) {
      same[one][other] = old[one] === now[other] ? same[one + 1][other + 1] + 1 : Math.max(same[one + 1][other], same[one][other + 1])
    }
  }
  const body = make('p', { class: 'abstract', dir: 'auto' })
  let [one, other] = [0, 0]
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      body.append(shown(now[other]))
      one++
      other++
    } else if (other < now.length && (one === old.length || same[one][other + 1] > same[one + 1][other])) body.append(make('ins', {}, now[other++]))
    else body.append(make('del', {}, old[one++]))
  }
  return body
}

/**
 * The contents that a text had, each against the one before.
 * @param {any[]} versions of one field, in order
 * @param {(row: any) => Node} from
 */
export function history(versions, from) {
  return versions.map((row, at) => {
    const span = `Version ${row.version_number}: seen from ${momentOf(row.first_seen_at)} to ${momentOf(row.last_seen_at)}`
    const [before, after] = [versions[at - 1]?.text, row.text].map((text) => text && untexed(text))
    const body = before && after ? changed(before, after) : make('p', { class: 'abstract', dir: 'auto' }, after ?? 'The text as it stands above.')
    return make('li', {}, make('p', { class: 'soft' }, span, from(row)), body)
  })
}
