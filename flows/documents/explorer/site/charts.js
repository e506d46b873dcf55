// Charts as SVG: lines over time, what is partial marked, each with its words as <title>.
import { counted, dayOf, make } from './words.js'

const SVG = 'http://www.w3.org/2000/svg'
const [WIDE, NARROW, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [680, 360, 240, 48, 14, 12, 30]
const PHONE = '(max-width: 36rem)' // where a wide chart would be too small to read
const LETTER = 7.5 // width of one

/** @typedef {{ at: Date, value: number, words: string, isPartial?: boolean }} Point */
/** @typedef {{ name: string, points: Point[], most?: number, join?: 'steps' | 'none' }} Series `most`: milliseconds between two that are joined; `steps`: each stands until the next */

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  made.append(...children)
  return made
}

/**
 * Even numbers up to at least the most, three to five of them; fewer where what is counted has no halves. From zero, or
 * from below it where the least is.
 * @param {number} most
 * @param {boolean} isWhole
 * @param {number} least
 */
export function steps(most, isWhole = false, least = 0) {
  const rough = Math.max(most - least, 1e-9) / 4
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((times) => times * unit).find((one) => one >= rough && (!isWhole || Number.isInteger(one))) ?? rough
  const below = Math.ceil(-least / step - 1e-9)
  return Array.from({ length: below + Math.ceil(most / step - 1e-9) + 1 }, (_, at) => Number(((at - below) * step).toPrecision(6)))
}

/**
 * The places of time on the axis: years, else months, else the first and the last day.
 * @param {Date} first
 * @param {Date} last
 */
function times(first, last) {
  const months = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth()
  const days = (Number(last) - Number(first)) / 864e5
  if (months < 2) return (days < 1 ? [first] : [first, last]).map((at) => ({ at, words: dayOf(at) }))
  const every = [1, 2, 3, 6, 12, 24].find((one) => months / one <= 6) ?? 24
  const begin = first.getUTCFullYear() * 12 + (Math.ceil(first.getUTCMonth() / every) * every)
  const found = []
  for (let at = begin; ; at += every) {
    const date = new Date(Date.UTC(Math.floor(at / 12), at % 12, 1))
    if (date > last) return found
    found.push({ at: date, words: every >= 12 ? String(date.getUTCFullYear()) : dayOf(date).slice(0, 7) })
  }
}

/**
 * @param {string} words what a reader without sight is told
 * @param {Series[]} series
 * @param {(value: number) => string} [told] how a value is written on the axis
 * @param {boolean} [isNarrow]
 */
export function lines(words, series, told = (value) => value.toLocaleString('en'), isNarrow = matchMedia(PHONE).matches) {
  const width = isNarrow ? NARROW : WIDE
  const points = series.flatMap((one) => one.points)
  const ats = points.map((point) => Number(point.at))
  const [first, last] = [Math.min(...ats), Math.max(...ats)]
  const values = [...points.map((point) => point.value), 0]
  const marks = steps(Math.max(...values), values.every(Number.isInteger), Math.min(...values))
  const [bottom, top] = [marks[0], marks[marks.length - 1] || (marks[0] ? 0 : 1)]
  const across = (/** @type {Date} */ at) => LEFT + (width - LEFT - RIGHT) * (last > first ? (Number(at) - first) / (last - first) : 0.5)
  const up = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - bottom)) / (top - bottom)
  const drawn = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', class: 'chart', 'aria-label': words })
  drawn.append(svg('title', {}, words))
  for (const mark of marks) {
    drawn.append(svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: up(mark), y2: up(mark) }))
    drawn.append(svg('text', { x: LEFT - 8, y: up(mark) + 4, 'text-anchor': 'end' }, told(mark)))
  }
  let free = width // what stands to the right of it is written on: the last has its place first
  for (const { at, words } of times(new Date(first), new Date(last)).toReversed()) {
    const [x, wide] = [across(at), words.length * LETTER]
    const anchor = x > width - 60 ? 'end' : x < LEFT + 20 ? 'start' : 'middle'
    const before = { end: wide, start: 0, middle: wide / 2 }[anchor]
    if (x - before + wide > free) continue
    drawn.append(svg('text', { x, y: HEIGHT - 8, 'text-anchor': anchor }, words))
    free = x - before - LETTER
  }
  series.forEach((one, place) => drawn.append(line(one, place, across, up, across(new Date(last)))))
  return drawn
}

/**
 * @param {Series} series
 * @param {number} place
 * @param {(at: Date) => number} across
 * @param {(value: number) => number} up
 * @param {number} end
 */
function line(series, place, across, up, end) {
  const points = series.points.map((point) => ({ ...point, x: across(point.at).toFixed(1), y: up(point.value).toFixed(1) }))
  const group = svg('g', { class: `series hue-${place % 6}` })
  const stretch = (/** @type {{ x: string, y: string }} */ one, /** @type {{ x: string, y: string }} */ other, isPartial = false) =>
    group.append(svg('line', { class: isPartial ? 'line partial' : 'line', x1: one.x, y1: one.y, x2: other.x, y2: other.y }))
  points.forEach((point, at) => {
    const next = points[at + 1]
    if (series.join === 'none') return
    if (series.join === 'steps') {
      const until = { x: next?.x ?? end.toFixed(1), y: point.y }
      stretch(point, until)
      if (next) stretch(until, next)
      return
    }
    if (!next || (series.most && Number(next.at) - Number(point.at) > series.most)) return // months between are missing
    stretch(point, next, point.isPartial || next.isPartial)
  })
  for (const point of points) {
    const dot = svg('circle', { class: point.isPartial ? 'dot partial' : 'dot', cx: point.x, cy: point.y, r: 3.5 })
    dot.append(svg('title', {}, point.words))
    group.append(dot)
  }
  return group
}

/** Which line is which. @param {Series[]} series */
export const legend = (series) =>
  make('ul', { class: 'legend' }, ...series.map((one, place) => make('li', {}, make('span', { class: `swatch hue-${place % 6}`, 'aria-hidden': 'true' }), one.name)))

/**
 * Rows as a table, the first of them; and all of them as a file.
 * @param {string[]} columns
 * @param {any[][]} rows
 * @param {string} name
 */
export function data(columns, rows, name) {
  const most = 400
  const isNumber = columns.map((_, at) => rows.some((row) => typeof row[at] === 'number' || typeof row[at] === 'bigint'))
  const cells = (/** @type {any[]} */ row) => row.map((value, at) => make('td', { class: isNumber[at] ? 'number' : null, dir: isNumber[at] ? null : 'auto' }, value === null ? '' : text(value)))
  const head = make('thead', {}, make('tr', {}, ...columns.map((column, at) => make('th', { scope: 'col', class: isNumber[at] ? 'number' : null }, column))))
  const table = make('table', {}, head, make('tbody', {}, ...rows.slice(0, most).map((row) => make('tr', {}, ...cells(row)))))
  const told = rows.length > most ? `${counted(rows.length, 'row')}; the first ${most} of them` : counted(rows.length, 'row')
  return [make('p', { class: 'soft' }, `${told}. `, saved('CSV', `${name}.csv`, csv(columns, rows), 'text/csv')), make('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Rows' }, table)]
}

/** A value as it is written in a table and in CSV. @param {any} value @returns {string} */
export function text(value) {
  if (value instanceof Date) return value.getTime() % 864e5 ? value.toISOString().replace('T', ' ').replace(/(\.000)?Z$/, '') : dayOf(value)
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : String(value)
}

/** As RFC 4180 has it. @param {string[]} columns @param {any[][]} rows */
export function csv(columns, rows) {
  const cell = (/** @type {any} */ value) => {
    const plain = value === null || value === undefined ? '' : text(value)
    return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
  }
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/**
 * A link that saves bytes or text as a file.
 * @param {string} words
 * @param {string} name
 * @param {string | (() => Uint8Array<ArrayBuffer>)} content
 * @param {string} type
 */
export function saved(words, name, content, type) {
  const link = make('a', { href: '', download: name }, words)
  link.addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([typeof content === 'string' ? content : content()], { type }))
    link.setAttribute('href', address)
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  })
  return link
}
