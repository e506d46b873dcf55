// A file of the release as hyparquet reads it: by ranges where the server has them, else whole; no byte is asked for twice.

/** @typedef {{ key: string, bytes?: number, first?: string, last?: string }} File */

const TAIL_BYTES = 4 * 1024 // the footers of most files, and the indexes of pages before them
const WHOLE_BYTES = 24 * 1024 // a smaller file costs less in one request than its footer and its columns in two
const GAP_BYTES = 12 * 1024 // what lies between two ranges and costs no more than one more request: browsers send those of a file one by one
const UNSIZED_BYTES = 48 * 1024 // of a mart: the page was written before it, and does not know its size

/** @type {Map<string, Promise<any>>} */
const answers = new Map()

/**
 * What is asked for once, by its name; where that failed it may be there at the next try.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>}
 */
export function once(name, ask) {
  const answer = answers.get(name) ?? ask()
  answers.set(name, answer)
  answer.catch(() => answers.delete(name))
  return answer
}

/** @type {Map<string, Promise<Map<string, { start: number, bytes: ArrayBuffer }>>>} */
const ends = new Map()

/**
 * The end of a file, of those that the release has gathered in one; undefined where it is not among them.
 * @param {string} key
 */
async function endOf(key) {
  const isSearch = key.startsWith('data/search_') || (key.startsWith('data/papers/') && ends.has('search-ends.gz'))
  const name = isSearch ? 'search-ends.gz' : 'ends.gz'
  if (!ends.has(name)) ends.set(name, gathered(name).catch(() => new Map()))
  return (await ends.get(name))?.get(key)
}

/** @param {string} name */
async function gathered(name) {
  const answer = await fetch(new URL(name, document.baseURI))
  if (!answer.ok || !answer.body) return new Map()
  const all = await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
  const head = new Uint8Array(all).indexOf(10)
  let at = head + 1
  const places = Object.entries(JSON.parse(new TextDecoder().decode(all.slice(0, head))))
  return new Map(places.map(([key, [start, length]]) => [key, { start, bytes: all.slice(at, (at += length)) }]))
}

/** The size of a file of which a part was answered; 0 where that is not stated. @param {Response} answer */
const sizeIn = (answer) => Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? 0)

/** What is wrong with a file of the release, in words for whoever looks at it. */
export class FileFault extends Error {}

/** @typedef {{ start: number, end: number, resolve: (bytes: ArrayBuffer) => void, reject: (error: unknown) => void }} Wanted */

export class Remote {
  /** @param {File} file */
  constructor(file) {
    this.key = file.key
    this.byteLength = file.bytes ?? 0
    this.tail = TAIL_BYTES
    /** @type {{ start: number, bytes: Promise<ArrayBuffer>, end: number }[]} */
    this.had = []
    /** @type {Wanted[]} */
    this.wanted = []
  }

  /** Its size and its end, so that most of the rest needs no request of its own. */
  async begin() {
    if (!this.byteLength) await this.sized()
    else if (this.byteLength <= WHOLE_BYTES) await this.got(0, this.byteLength)
    else {
      const end = await endOf(this.key)
      if (end) this.had.push({ start: end.start, end: this.byteLength, bytes: Promise.resolve(end.bytes) })
      this.tail = end ? end.bytes.byteLength : TAIL_BYTES
      await this.got(this.byteLength - this.tail, this.byteLength)
    }
    return this
  }

  async sized() {
    const answer = await this.answered({ Range: `bytes=-${UNSIZED_BYTES}` })
    const bytes = await answer.arrayBuffer()
    const total = answer.status === 206 ? sizeIn(answer) : bytes.byteLength
    if (!total) throw this.fault('is served in ranges that do not state its size')
    this.byteLength = total
    this.had.push({ start: total - bytes.byteLength, end: total, bytes: Promise.resolve(bytes) })
  }

  /**
   * What is asked for at one moment goes in as few requests as it may.
   * @param {number} start
   * @param {number} [end]
   * @returns {Promise<ArrayBuffer>}
   */
  slice(start, end = this.byteLength) {
    return new Promise((resolve, reject) => {
      if (!this.wanted.length) setTimeout(() => this.ask())
      this.wanted.push({ start, end, resolve, reject })
    })
  }

  ask() {
    const wanted = this.wanted.sort((one, other) => one.start - other.start || one.end - other.end)
    this.wanted = []
    /** @type {Wanted[][]} */
    const runs = []
    let end = -Infinity
    for (const one of wanted) {
      if (this.holds(one.start, one.end)) runs.unshift([one])
      else if (one.start <= end + GAP_BYTES) runs[runs.length - 1].push(one)
      else runs.push([one])
      end = runs[runs.length - 1].reduce((most, { end }) => Math.max(most, end), 0)
    }
    for (const run of runs) this.give(run)
  }

  /** @param {Wanted[]} run */
  async give(run) {
    const [start, end] = [run[0].start, Math.max(...run.map((one) => one.end))]
    try {
      const bytes = await this.got(start, end)
      for (const one of run) one.resolve(bytes.slice(one.start - start, one.end - start))
    } catch (error) {
      for (const one of run) one.reject(error)
    }
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  holds(start, end) {
    return this.had.find((one) => one.start <= start && end <= one.end)
  }

  /**
   * @param {number} start
   * @param {number} end
   * @returns {Promise<ArrayBuffer>}
   */
  async got(start, end) {
    const held = this.holds(start, end)
    if (held) return (await held.bytes).slice(start - held.start, end - held.start)
    const bytes = this.fetched(start, end)
    const entry = { start, end, bytes }
    this.had.push(entry)
    bytes.catch(() => this.had.splice(this.had.indexOf(entry), 1)) // it may be there at the next try
    return bytes
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  async fetched(start, end) {
    const isWhole = start <= 0 && end === this.byteLength
    for (const cache of /** @type {RequestCache[]} */ (['default', 'reload'])) { // what a browser has kept may be of before an erasure
      const answer = await this.answered(isWhole ? {} : { Range: `bytes=${start}-${end - 1}` }, cache)
      const bytes = await answer.arrayBuffer().catch(() => null)
      if (!bytes) throw this.fault('arrived incomplete')
      if (answer.status === 206 && bytes.byteLength === end - start && [0, this.byteLength].includes(sizeIn(answer))) return bytes
      if (answer.status === 206 || bytes.byteLength !== this.byteLength) continue
      this.had.push({ start: 0, end: this.byteLength, bytes: Promise.resolve(bytes) }) // a server without ranges
      return bytes.slice(start, end)
    }
    throw this.fault('has another length than this page knows')
  }

  /**
   * @param {Record<string, string>} headers
   * @param {RequestCache} [cache]
   */
  async answered(headers, cache) {
    const answer = await fetch(new URL(`../${this.key}`, document.baseURI), { headers, cache }).catch(() => null)
    if (!answer) throw this.fault('did not arrive')
    if (!answer.ok) throw this.fault(answer.status === 404 ? 'is missing' : `cannot be fetched: HTTP ${answer.status}`)
    return answer
  }

  /** @param {string} what */
  fault(what) {
    return new FileFault(`${this.key} ${what}. Load the page again, for an erasure changes files; if that does not help, copy the release again, or run “paperlake verify” where the lake is.`)
  }
}
