// A file of evidence that somebody has, looked into here: what it states, and the captured answers in it. It goes nowhere.
import { rootFrom, mayHash, sha256 } from './merkle.js'
import { release } from './tables.js'
import { evidenceAddress, make, outward, shown, theirs } from './words.js'

const MOST = 64 << 20 // bytes of a file, and of what is in it
const SHOWN = 20_000 // letters of an answer

/** What is wrong with a file, in words. */
class NoEvidence extends Error {}

/** @returns {Promise<import('./lists.js').View>} */
export async function opened() {
  const field = make('input', { type: 'file', id: 'file', accept: '.wacz,.json' })
  const found = make('section', { 'aria-live': 'polite', id: 'found' })
  field.addEventListener('change', async () => {
    const file = /** @type {HTMLInputElement} */ (field).files?.[0]
    if (!file) return
    found.replaceChildren(make('p', {}, 'Reading…'))
    found.replaceChildren(...(await looked(file).catch((error) => [make('p', { class: 'fault' }, error instanceof NoEvidence ? error.message : 'This is no file of evidence, or a part of it is missing.')])))
  })
  const replay = outward('https://replayweb.page/', 'ReplayWeb.page')
  const lead = make('p', {}, make('label', { for: 'file' }, 'A file that ', make('code', {}, 'paperlake evidence'), ' wrote, or a rank certificate'), field)
  const told = make('p', { class: 'soft' }, 'It is read here and sent nowhere. ', replay, ' shows the captured pages of the same file as a browser saw them. Whether all of it holds, signatures and the log too, is said by ', make('code', {}, 'paperlake evidence check FILE'), '.')
  return { title: 'Look into evidence', body: [lead, told, found] }
}

/** @param {File} file */
async function looked(file) {
  if (!mayHash()) throw new NoEvidence('A browser checks hashes only on pages of https or of this machine.')
  if (file.size > MOST) throw new NoEvidence('The file is larger than any that paperlake writes.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0x7b) return ranked(JSON.parse(new TextDecoder().decode(bytes)))
  const files = await unzipped(bytes)
  const wrong = await unlike(files)
  if (wrong.length) throw new NoEvidence(`Not as it was written: ${wrong.join(', ')}.`)
  const certificate = read(files, 'evidence/certificate.json')
  const body = [make('p', { class: 'lead' }, theirs(certificate.statement)), make('p', { class: 'proved' }, `All ${files.size - 2} files of it have the hashes that its data package states.`), valued(certificate.values)]
  for (const record of certificate.records) body.push(...(await answered(record, files.get('archive/evidence.warc.gz'))))
  return certificate.rank ? [...body, ...(await ranked(certificate.rank))] : body
}

/** The names of files that are not as the data package says. @param {Map<string, Uint8Array<ArrayBuffer>>} files */
async function unlike(files) {
  const stated = new Map(read(files, 'datapackage.json').resources.map((/** @type {any} */ one) => [one.path, one.hash]))
  stated.set('datapackage.json', read(files, 'datapackage-digest.json').hash)
  const names = [...files.keys()].filter((name) => name !== 'datapackage-digest.json')
  const sums = await Promise.all(names.map(async (name) => stated.get(name) === `sha256:${await sha256(files.get(name) ?? new Uint8Array())}`))
  return [...names.filter((_, at) => !sums[at]), ...[...stated.keys()].filter((name) => !files.has(name))]
}

/** @param {Map<string, Uint8Array>} files @param {string} name */
const read = (files, name) => JSON.parse(new TextDecoder().decode(files.get(name)))

/** @param {{ column: string, value: unknown }[]} values */
function valued(values) {
  const facts = values.flatMap((one) => [make('dt', {}, make('code', {}, one.column)), make('dd', { dir: 'auto' }, typeof one.value === 'string' ? one.value : JSON.stringify(one.value))])
  return make('dl', { class: 'facts' }, ...facts)
}

/**
 * A captured answer: what it is, and its bytes as they came.
 * @param {any} record of the certificate
 * @param {Uint8Array<ArrayBuffer> | undefined} warc
 */
async function answered(record, warc) {
  const { offset, length, sha256: stated } = (record.original ?? record.record)
  const packed = warc?.slice(offset, offset + length) ?? new Uint8Array()
  if ((await sha256(packed)) !== stated) throw new NoEvidence('A captured answer is not the one that its certificate names.')
  const whole = await unpacked(packed, 'gzip')
  const [, http] = parted(whole)
  const payload = record.http_status === null || !startsWith(http, 'HTTP/') ? http : parted(http)[1]
  const text = textOf(payload)
  const body = make('pre', { tabindex: 0, class: 'answer' }, (indented(text) ?? text).slice(0, SHOWN), text.length > SHOWN ? '…' : '')
  return [make('h2', {}, 'A captured answer'), make('p', { class: 'soft' }, theirs(record.url ?? 'saved by somebody'), `, fetched ${shown(record.fetched_at)}, capture `, make('code', {}, record.capture_id)), body]
}

/** The text of a page, in UTF-8 or, by its byte-order mark, UTF-16. @param {Uint8Array} payload */
export const textOf = (payload) => new TextDecoder({ '255,254': 'utf-16le', '254,255': 'utf-16be' }[String(payload.subarray(0, 2))]).decode(payload)

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1)
  } catch {
    return null
  }
}

/** @param {Uint8Array} bytes @param {string} text */
const startsWith = (bytes, text) => new TextDecoder().decode(bytes.subarray(0, text.length)) === text

/** Head and body, which an empty line parts. @param {Uint8Array} bytes */
function parted(bytes) {
  for (let at = 0; at + 3 < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return [bytes.subarray(0, at), bytes.subarray(at + 4)]
  }
  throw new NoEvidence('A captured answer has no head.')
}

/** What a rank certificate proves. @param {any} rank */
async function ranked(rank) {
  if (rank.format !== 'paperlake-rank-1') throw new NoEvidence('This page knows rank certificates of the form paperlake-rank-1 alone.')
  const leaf = JSON.stringify([rank.listed_on, rank.paper_id, rank.rank, rank.upvote_count, rank.observed_at])
  const root = await rootFrom(leaf, rank.index, rank.papers, rank.path)
  if (root === null || root !== rank.root) throw new NoEvidence('The rank certificate does not lead to the root that it states.')
  const answer = await fetch(new URL('../roots.json', document.baseURI))
  const here = answer.ok ? (await answer.json()).daily_lists[rank.listed_on] : undefined
  const said = `Paper ${rank.paper_id}: place ${rank.rank ?? 'not known'} of ${rank.papers} on the daily list of ${rank.listed_on}, ${rank.upvote_count ?? 'unknown'} upvotes, seen at ${rank.observed_at}.`
  const same = here?.root === root && here.papers === rank.papers
  const fit = same ? `It leads to the root that release ${release.version}, on whose page you are, has for that day.` : `It leads to the root that it states, but release ${release.version} has another for that day: compare it with roots.json of release ${rank.release}.`
  const address = evidenceAddress(rank.paper_id, 'listing', rank.listed_on)
  return [make('h2', {}, 'A place on a list'), make('p', {}, theirs(said)), make('p', { class: same ? 'proved' : 'fault' }, fit), make('p', {}, make('a', { href: address }, 'The same place in this release'))]
}

/**
 * The files of a zip archive, as paperlake writes them: stored or deflated, none encrypted or of more than 4 GB.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>}
 */
async function unzipped(bytes) {
  const view = new DataView(bytes.buffer)
  const end = bytes.length - 22
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new NoEvidence('This is no file of evidence: it is no WACZ and no rank certificate.')
  const files = new Map()
  let left = MOST
  for (let at = view.getUint32(end + 16, true); at < end && view.getUint32(at, true) === 0x02014b50; ) {
    const [method, size, length] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)))
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    left -= length
    if (left < 0) throw new NoEvidence('What is in the file is larger than anything that paperlake writes.')
    const packed = bytes.slice(start, start + size)
    files.set(name, method ? await unpacked(packed, 'deflate-raw', length) : packed)
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

/**
 * @param {Uint8Array<ArrayBuffer>} packed
 * @param {CompressionFormat} format
 * @param {number} [most] bytes
 */
async function unpacked(packed, format, most = MOST) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader()
  const parts = []
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length
    if (size > most) throw new NoEvidence('A part of the file is larger than it says.')
    parts.push(part.value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
