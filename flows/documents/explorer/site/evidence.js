// What stands behind a number: the captured page, the proof of a place on a list, made here, and how to take it along.
import { copier } from './cite.js'
import { listOf } from './days.js'
import { hex, leafHash, mayHash, proved, sha256 } from './merkle.js'
import { lasting } from './place.js'
import { release, rows } from './tables.js'
import { counted, dayInWords, evidenceAddress, make, momentOf, outward, paperAddress, theirs } from './words.js'

/** @typedef {{ said: string, capture: string, command: string, cell: Cell, more?: Node[] }} Fact
 * @typedef {{ table: string, column: string, at?: string | null, part?: string }} Cell */

const NOT_PROVED = 'It does not prove that Hugging Face gave this answer, which it does not sign, nor that the clock of the capture was right.'

/** @type {Record<string, (paperId: string, at: string) => Promise<Fact | null>>} */
const KINDS = { listing, claim, upvote_count: count('upvote_count', 'upvote'), comment_count: count('comment_count', 'comment'), github_star_count: count('github_star_count', 'GitHub star') }

/**
 * @param {string} [named] kind, paper and day, moment or position: `listing/2610.00001/2026-10-07`; else a file is asked for
 * @returns {Promise<import('./lists.js').View>}
 */
export async function evidence(named = '') {
  if (!named) return (await import('./opened.js')).opened()
  const [, kind = '', paperId, at] = /^(\w+)\/(.+)\/([^/]+)$/s.exec(named) ?? []
  const fact = Object.hasOwn(KINDS, kind) ? await KINDS[kind](paperId, at) : null
  if (!fact) return { title: 'No such fact', body: [make('p', {}, 'This release has nothing by the name ', make('code', {}, named), '.')] }
  const lead = make('p', { class: 'lead' }, theirs(fact.said), ' ', make('a', { href: paperAddress(paperId) }, 'The paper'), '.')
  const wrong = await correction(paperId, fact.cell)
  if (wrong) {
    const says = wrong.value_seen === null ? 'the page has none' : `the page says ${wrong.value_seen}`
    const words = `This value was corrected (${wrong.reason}): ${says}. There is no evidence of a correction but its own.`
    return { title: 'Evidence', body: [lead, make('p', { class: 'fault' }, theirs(words)), ...(await page(fact.capture))] }
  }
  return { title: 'Evidence', body: [lead, ...(await page(fact.capture)), ...(fact.more ?? []), ...taken(fact.command, kind)] }
}

/** The correction of a fact's value, after which its page is no evidence. @param {string} paperId @param {Cell} cell */
async function correction(paperId, { table, column, at, part }) {
  const columns = ['paper_id', 'table_name', 'row_key', 'column_name', 'value_seen', 'reason']
  const found = await rows('corrections', columns, { paper_id: { $eq: paperId } })
  const isOfRow = (/** @type {string} */ key) => !at || Object.values(JSON.parse(key)).includes(at)
  return found.find((one) => one.table_name === table && one.column_name === column && isOfRow(one.row_key) && !(part && one.value_seen?.includes(part)))
}

/** The captured page that a fact was read from. @param {string} capture */
async function page(capture) {
  const columns = ['capture_id', 'url', 'fetched_at', 'http_status', 'payload_bytes', 'payload_sha256', 'reader']
  const [row] = await rows('captures', columns, { capture_id: { $eq: capture } })
  if (!row) return [make('p', {}, 'This release does not list the captured page ', make('code', {}, capture), '.')]
  const told = [
    ['Address', row.url ? outward(row.url, row.url) : 'not known: a page that somebody saved'],
    ['Fetched', momentOf(row.fetched_at)],
    ['Answer', `${row.http_status === null ? '' : `HTTP ${row.http_status}, `}${counted(row.payload_bytes, 'byte')}`],
    ['SHA-256 of its bytes', make('code', { class: 'hash' }, row.payload_sha256)],
    ['Kept as', make('code', {}, row.capture_id)],
  ]
  const list = make('dl', { class: 'facts' }, ...told.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]))
  return [make('h2', {}, 'The captured page'), list, make('p', { class: 'soft' }, make('code', {}, `paperlake show raw ${row.capture_id}`), ' prints it where the lake is.')]
}

/**
 * @param {string} command that makes the file
 * @param {string} kind
 */
function taken(command, kind) {
  const text = make('pre', { tabindex: 0 }, `${command} -o ${kind}.wacz\npaperlake evidence check ${kind}.wacz`)
  const checked = ['It holds the page whole and a certificate, and is checked offline by standard tools. ', make('a', { href: '#/evidence' }, 'Look into such a file here'), '. ', NOT_PROVED]
  return [make('h2', {}, 'Take it along'), make('p', {}, 'Where the lake is, this makes one file that proves it to anybody:'), text, make('p', { class: 'buttons' }, copier(text, 'Copy')), make('p', { class: 'soft' }, ...checked)]
}

/** @param {string} paperId @param {string} day @returns {Promise<Fact | null>} */
async function listing(paperId, day) {
  const places = (await placesOf(day)).sort((one, other) => (one.paper_id < other.paper_id ? -1 : 1))
  const at = places.findIndex((one) => one.paper_id === paperId)
  if (at < 0) return null
  const { rank, upvote_count: upvotes, observed_at: seen, capture_id: capture } = places[at]
  const place = rank === null ? 'at no known place' : `number ${rank}`
  const votes = upvotes === null ? 'its upvotes unknown' : counted(upvotes, 'upvote')
  const said = `Paper ${paperId} was ${place} of ${places.length} on the daily list of ${dayInWords(day)}, with ${votes}, seen at ${momentOf(seen)}.`
  const cell = { table: 'daily_listings', column: 'rank', at: day }
  return { said, capture, cell, command: `paperlake evidence listing ${quoted(paperId)} ${day}`, more: await placed(places, at) }
}

/**
 * Every paper of a list, with what the page that gave its place said of its upvotes, as `rank_rows` of
 * flows/documents/roots.py has them.
 * @param {string} day
 * @returns {Promise<any[]>}
 */
async function placesOf(day) {
  const { onIt: listed } = await listOf(day, ['capture_id'])
  if (!listed.length) return []
  const filter = { paper_id: { $in: listed.map((row) => row.paper_id) }, capture_id: { $in: [...new Set(listed.map((row) => row.capture_id))] } }
  const seen = await rows('sightings', ['capture_id', 'position', 'paper_id', 'upvote_count', 'observed_at'], filter)
  const first = new Map(seen.sort((one, other) => other.position - one.position).map((row) => [`${row.capture_id} ${row.paper_id}`, row]))
  return listed.map((row) => {
    const shown = first.get(`${row.capture_id} ${row.paper_id}`)
    return { listed_on: day, paper_id: row.paper_id, rank: row.rank ?? null, upvote_count: shown?.upvote_count ?? null, observed_at: shown?.observed_at ?? null, capture_id: row.capture_id }
  })
}

/** A moment as a certificate has it: microseconds only where there are some. @param {Date | null} moment */
const instant = (moment) => moment?.toISOString().replace('.000Z', 'Z').replace(/\.(\d{3})Z$/, '.$1000Z') ?? null

/**
 * The proof of a place, worked out here over the whole list, and held against the root that the release states.
 * @param {any[]} places in the order of their ids
 * @param {number} at
 */
async function placed(places, at) {
  const title = make('h2', {}, 'Its place, proved')
  if (!mayHash()) return [title, make('p', {}, 'A browser works this out only for pages of https or of this machine.')]
  const answer = await fetch(new URL('../roots.json', document.baseURI))
  if (!answer.ok) return [title, make('p', {}, 'This release has no roots.json: it is older than such proofs.')]
  const bytes = await answer.arrayBuffer()
  const row = places[at]
  const stated = JSON.parse(new TextDecoder().decode(bytes)).daily_lists[row.listed_on]
  const leaves = await Promise.all(places.map((one) => leafHash(JSON.stringify([one.listed_on, one.paper_id, one.rank, one.upvote_count, instant(one.observed_at)]))))
  const { root, path } = await proved(leaves, at)
  const isProved = stated?.root === hex(root) && stated.papers === places.length
  if (!isProved) return [title, make('p', { class: 'fault' }, 'The list as this browser reads it does not lead to the root in roots.json. “paperlake verify” says what is wrong, where the lake is.')]
  const certificate = { format: 'paperlake-rank-1', release: release.version, listed_on: row.listed_on, paper_id: row.paper_id, rank: row.rank, upvote_count: row.upvote_count, observed_at: instant(row.observed_at), index: at, papers: places.length, path: path.map(hex), root: hex(root) }
  const text = `${JSON.stringify(certificate)}\n`
  const how = `This browser hashed all ${counted(places.length, 'paper')} of the list with their places and upvotes, and came to the root that the release states, in ${counted(path.length, 'step')} from this paper:`
  const facts = make('dl', { class: 'facts' }, make('dt', {}, 'Root of the list'), make('dd', {}, make('code', { class: 'hash' }, hex(root))), make('dt', {}, 'SHA-256 of roots.json'), make('dd', {}, make('code', { class: 'hash' }, await sha256(bytes))))
  const saves = [saver('Rank certificate', `rank-${row.listed_on}.json`, text, 'application/json')]
  return [title, make('p', { class: 'proved' }, how), facts, make('p', { class: 'soft' }, 'manifest.json of the release lists roots.json with this hash, and the log of the lake names manifest.json by its own.'), make('p', { class: 'buttons' }, ...saves), ...badged(row, places.length)]
}

/**
 * A badge for a page of one's own, which leads here.
 * @param {any} row
 * @param {number} count of papers on the list
 */
function badged(row, count) {
  const left = 'Daily Papers'
  const right = [row.rank === null ? `one of ${count}` : `#${row.rank} of ${count}`, row.listed_on, row.upvote_count === null ? '' : `▲ ${row.upvote_count}`].filter(Boolean).join(' · ')
  const image = badge(left, right)
  const address = lasting(evidenceAddress(row.paper_id, 'listing', row.listed_on))
  const markdown = make('pre', { tabindex: 0 }, `[![${left}: ${right}](daily-papers.svg)](${address})`)
  const saves = [saver('Badge', 'daily-papers.svg', new XMLSerializer().serializeToString(image), 'image/svg+xml'), copier(markdown, 'Copy Markdown')]
  return [make('h3', {}, 'Badge'), make('p', {}, image), markdown, make('p', { class: 'buttons' }, ...saves)]
}

const LETTER = 6.6 // width of a letter of 11 pixels, at most, of the fonts that are named

/**
 * @param {string} left
 * @param {string} right
 */
function badge(left, right) {
  const [first, second] = [left, right].map((text) => Math.ceil(text.length * LETTER) + 14)
  const svg = (/** @type {string} */ tag, /** @type {Record<string, string | number>} */ attributes, /** @type {(Node | string)[]} */ ...children) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
    made.append(...children)
    return made
  }
  const words = (/** @type {string} */ text, /** @type {number} */ middle) => svg('text', { x: middle, y: 14, fill: '#fff', 'text-anchor': 'middle', 'font-family': 'Verdana, DejaVu Sans, sans-serif', 'font-size': 11 }, text)
  return svg('svg', { xmlns: 'http://www.w3.org/2000/svg', width: first + second, height: 20, role: 'img', 'aria-label': `${left}: ${right}` },
    svg('title', {}, `${left}: ${right}`),
    svg('rect', { width: first, height: 20, fill: '#333' }), svg('rect', { x: first, width: second, height: 20, fill: '#2f5d50' }),
    words(left, first / 2), words(right, first + second / 2))
}

/**
 * A button that saves a file made here.
 * @param {string} words
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
function saver(words, name, text, type) {
  const button = make('button', { type: 'button', 'data-text': text }, `Save: ${words}`)
  button.addEventListener('click', () => {
    const link = make('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(/** @type {HTMLAnchorElement} */ (link).href))
  })
  return button
}

/**
 * A count of a paper, as last seen by a moment.
 * @param {string} column
 * @param {string} noun
 */
function count(column, noun) {
  return async (/** @type {string} */ paperId, /** @type {string} */ moment) => {
    const until = new Date(moment)
    const seen = await rows('paper_observations', ['paper_id', 'observed_at', column, 'capture_id'], { paper_id: { $eq: paperId } })
    const [last] = seen.filter((row) => row[column] !== null && row.observed_at <= until).sort((one, other) => other.observed_at - one.observed_at)
    if (!last) return null
    const at = instant(last.observed_at)
    const command = noun === 'upvote' ? `count ${quoted(paperId)} ${at}` : `row paper_observations paper_id=${quoted(paperId)} observed_at=${at} --column ${column}`
    return { said: `Paper ${paperId} had ${counted(last[column], noun)}, seen at ${momentOf(last.observed_at)}.`, capture: last.capture_id, cell: { table: 'paper_observations', column, at: at?.replace('Z', '') }, command: `paperlake evidence ${command}` }
  }
}

/** @param {string} paperId @param {string} position @returns {Promise<Fact | null>} */
async function claim(paperId, position) {
  const here = { paper_id: { $eq: paperId } }
  const [claims, [text]] = await Promise.all([
    rows('paper_claims', ['paper_id', 'position', 'sentence_start', 'sentence_end', 'capture_id'], here),
    rows('paper_texts', ['paper_id', 'abstract'], here),
  ])
  const found = claims.find((row) => String(row.position) === position)
  if (!found || !text?.abstract) return null
  const sentence = Array.from(text.abstract).slice(found.sentence_start, found.sentence_end).join('')
  return { said: `The abstract of paper ${paperId} says: ${sentence}`, capture: found.capture_id, cell: { table: 'paper_texts', column: 'abstract', part: sentence }, command: `paperlake evidence claim ${quoted(paperId)} ${position}` }
}

/** A name of a paper as a shell takes it. @param {string} text */
const quoted = (text) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
