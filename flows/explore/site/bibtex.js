// A paper as an entry for BibTeX: the macro `bibtex` of the release, step by step, by the rules that it has.

/** @typedef {{ plain: string, names: string[], font: string, command: string, piece: string, piece_or_math: string, spaces: string, unseen: string, letters: Record<string, string>, one_name: string, no_letters: string }} Rules */

/** @type {Promise<Rules> | undefined} */
let asked

/** @returns {Promise<Rules>} */
export function rules() {
  asked ??= fetch(new URL('bibtex.json', import.meta.url)).then((answer) => answer.json())
  return asked
}

/** As RE2 reads it. @param {string} pattern @param {string} [flags] */
const compiled = (pattern, flags = '') =>
  new RegExp(pattern.replace(/^\(\?i\)/, '').replace('(?s:.)', '[^]'), `u${flags}${pattern.startsWith('(?i)') ? 'i' : ''}`)

/**
 * @param {string} said
 * @param {Rules} by
 */
export function tex(said, by) {
  if (new RegExp(`^(?:${by.plain})$`, 'u').test(said)) return said
  const spaced = ` ${said.normalize('NFC').replace(compiled(`[${by.spaces}]`, 'g'), ' ').replace(compiled(`[${by.unseen}]`, 'g'), '')}`
  const commands = [...said.replace(compiled(by.font, 'g'), '').matchAll(compiled(by.command, 'g'))].map((found) => found[1])
  const piece = commands.every((name) => by.names.includes(name)) ? by.piece_or_math : by.piece
  return (spaced.match(compiled(piece, 'g')) ?? []).map((one) => put(one, by)).join('').replace(/^ +| +$/g, '')
}

/**
 * @param {string} piece
 * @param {Rules} by
 */
function put(piece, by) {
  if (Object.hasOwn(by.letters, piece)) return by.letters[piece]
  if (piece === '\\ ') return ' '
  const length = [...piece].length
  if (length > 1 && piece.endsWith('"')) return `${piece.slice(0, -1)}\`\``
  if (length > 1 && /^[\^_]/.test(piece)) return `\\ensuremath{${piece}}`
  const point = piece.codePointAt(0) ?? 0
  return point < 128 || length > 1 ? piece : `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * @param {{ paper_id: string, arxiv_id: string | null, title: string | null, published_on: Date | null, author_count: number | null }} paper
 * @param {string[]} authors in order
 * @param {Rules} by
 */
export function entry(paper, authors, by) {
  const named = authors.map((name) => tex(name, by)).filter((name) => name !== '')
  const one = compiled(by.one_name)
  const credits = named.map((name) => (one.test(name) ? `{${name}}` : name)).join(' and ')
  const others = named.length < (paper.author_count ?? 0) ? ' and others' : ''
  const bare = (named[0] ?? '').replace(compiled(by.no_letters, 'g'), '').replace(/[^A-Za-z ]/g, '')
  const surname = /([A-Za-z]+)(?: +(?:Jr|Sr|II|III|IV))* *$/.exec(bare)?.[1].toLowerCase() ?? ''
  const [year, month] = dated(paper)
  const fields = [
    `@misc{${surname || 'anon'}${year ?? ''}:${paper.paper_id}`,
    named.length && `author = {${credits}${others}}`,
    paper.title !== null && `title = {{${tex(paper.title, by)}}}`,
    year && `year = {${year}}`,
    month && `month = ${MONTHS[month - 1]}`,
    paper.arxiv_id && `eprint = {${paper.arxiv_id}}`,
    paper.arxiv_id && 'archivePrefix = {arXiv}',
    paper.arxiv_id && `doi = {10.48550/arXiv.${paper.arxiv_id}}`,
    paper.arxiv_id && `url = {https://arxiv.org/abs/${paper.arxiv_id}}`,
  ]
  return `${fields.filter(Boolean).join(',\n  ')}\n}`
}

/**
 * Year and month of the paper; of an arXiv id where nothing else tells them.
 * @param {{ published_on: Date | null, arxiv_id: string | null }} paper
 * @returns {[number?, number?]}
 */
function dated({ published_on: day, arxiv_id: id }) {
  if (day) return [day.getUTCFullYear(), day.getUTCMonth() + 1]
  const found = /\d{4}/.exec(id ?? '')?.[0]
  const month = Number(found?.slice(2))
  if (!found || month < 1 || month > 12) return []
  return [Number(`${found >= '91' ? 19 : 20}${found.slice(0, 2)}`), month]
}
