// Elements and words: what others wrote is only ever text, and what would steer it is spelled out.

/** Controls, of directions too, private letters, ends of lines; not the joiners of letters and emoji. */
const STEERS = /(?![\u200c\u200d\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * A text of the source as a page may have it, as `printable` in warehouse/printable.py does.
 * @param {unknown} text
 */
export function shown(text) {
  const units = (/** @type {string} */ one) => one.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return String(text ?? '').replace(STEERS, (one) => units(one).join(''))
}

/**
 * An element with children; a child that is no element is text, and one that is null is none.
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined>} attributes
 * @param {...(Node | string | number | null | undefined | false)} children
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, String(value))
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    made.append(child instanceof Node ? child : shown(child))
  }
  return made
}

/**
 * What others wrote, on its own: it turns no text around it.
 * @param {unknown} text
 */
export const theirs = (text) => make('bdi', {}, shown(text))

/**
 * A link out of the release where the address is one of the web, else its text.
 * @param {string} address
 * @param {string} [words]
 */
export function outward(address, words) {
  const parsed = URL.canParse(address) ? new URL(address) : null
  const isWeb = parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:')
  if (!isWeb) return theirs(address)
  return make('a', { href: parsed.href, rel: 'noopener noreferrer nofollow', dir: 'auto' }, ...(words ? [words] : brief(address)))
}

const BRIEF = 48 // characters of an address

/** An address as one reads it: where it leads, not how; of a long one the host and the end. @param {string} address */
function brief(address) {
  const [host, ...path] = address.replace(/^https?:\/\//, '').split('/')
  const isLong = address.length > BRIEF && path.length > 1
  const parts = isLong ? [host, '…', path[path.length - 1].slice(-BRIEF)] : [host, ...path]
  return parts.flatMap((part, at) => (at ? ['/', make('wbr'), part] : [part]))
}

/** @param {string} paperId */
export const paperAddress = (paperId) => `#/paper/${encodeURIComponent(paperId)}`

/** @param {string} name as papers print it */
export const authorAddress = (name) => `#/author/${encodeURIComponent(name)}`

/** @param {string} login */
export const organizationAddress = (login) => `#/organization/${encodeURIComponent(login)}`

/** @param {string} name of the benchmark */
export const boardAddress = (name) => `#/board/${encodeURIComponent(name)}`

/**
 * Where what stands behind a number is shown.
 * @param {string} paperId
 * @param {string} kind `listing`, `claim`, or the column of a count
 * @param {string | number} at a list day, a moment, a claim's position
 */
export const evidenceAddress = (paperId, kind, at) => `#/evidence/${kind}/${encodeURIComponent(paperId)}/${at}`

/**
 * A link to it, for beside the number.
 * @param {string} paperId
 * @param {string} kind `listing`, `claim`, or the column of a count
 * @param {string | number} at
 * @param {string} of what, for who does not see the number
 */
export const evidenceOf = (paperId, kind, at, of) => make('a', { href: evidenceAddress(paperId, kind, at), class: 'evidence', 'aria-label': `Evidence of ${of}` }, 'evidence')

/** A link that turns no text around it. @param {string} address @param {string} words */
export const led = (address, words) => make('bdi', {}, make('a', { href: address }, words))

/** @param {string} day */
export const listAddress = (day) => `#/list/${day}`

/**
 * A day, of a date of Parquet, as ISO writes it.
 * @param {Date | null | undefined} date
 */
export const dayOf = (date) => (date ? date.toISOString().slice(0, 10) : '')

/** Whether a text is a day that there is: of `2026-02-31` a Date makes one of March. @param {string} text */
export function isDay(text) {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && dayOf(day) === text
}

/**
 * A moment in UTC, to the minute.
 * @param {Date | null | undefined} moment
 */
export const momentOf = (moment) => (moment ? `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'at no known time')

/**
 * @param {string} day
 */
export function dayInWords(day) {
  const options = /** @type {const} */ ({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(`${day}T00:00:00Z`))
}

/**
 * A number with its noun: `1 paper`, `1,200 papers`.
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/**
 * The ISO week of a day: `2026-W41`.
 * @param {string} day
 */
export function weekOf(day) {
  const at = new Date(`${day}T00:00:00Z`)
  const thursday = new Date(at.getTime() + (3 - ((at.getUTCDay() + 6) % 7)) * 864e5)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * 864e5))
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

/** @param {string} month */
export const monthInWords = (month) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`))

/** @param {string} words */
export const searchAddress = (words) => `#/search/${encodeURIComponent(words)}`

/** A field of a query with a value of any signs. @param {string} field @param {string} value */
export const fieldOf = (field, value) => `${field}:"${value.replaceAll('"', ' ')}"`

/**
 * A section that is filled once it is looked at: what stands below is not read for who does not.
 * @param {string} title
 * @param {(section: HTMLElement) => Promise<void>} fill
 */
export function whenSeen(title, fill) {
  const told = make('p', { class: 'soft', role: 'status' }, 'Reading…')
  const section = make('section', { class: 'lazy' }, make('h2', {}, title), told)
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return
    watch.disconnect()
    fill(section).then(() => told.remove(), (error) => told.replaceChildren(error.message))
  })
  watch.observe(section)
  return section
}
