// The tables of the release, read from its Parquet files: by ranges where the server has them, else whole.
import { decompress, parquetMetadataAsync, parquetReadObjects } from './parquet.js'

/** @typedef {{ key: string, bytes: number }} File */
/** @typedef {Record<string, any>} Row */

const FOOTER_BYTES = 4 * 1024 // that of most files; of `papers`, in groups of rows, the rest is asked for too
const WHOLE_BYTES = 64 * 1024 // a smaller file costs less in one request than its footer and its columns in two

/** @type {{ version: string, tables: Record<string, File[]> }} */
export const release = JSON.parse(document.getElementById('release')?.textContent ?? '')

/** What is wrong with a file of the release, in words for whoever looks at it. */
export class FileFault extends Error {}

/** A file of the release as hyparquet reads it; every byte is asked for once, where the server has no ranges. */
class Remote {
  /** @param {File} file */
  constructor(file) {
    this.key = file.key
    this.byteLength = file.bytes
    /** @type {Promise<ArrayBuffer> | null} */
    this.whole = file.bytes <= WHOLE_BYTES ? this.fetched({}) : null
  }

  /**
   * @param {number} start
   * @param {number} [end]
   */
  async slice(start, end = this.byteLength) {
    const bytes = this.whole ? null : await this.fetched({ Range: `bytes=${start}-${end - 1}` })
    if (bytes?.byteLength === end - start) return bytes
    if (bytes) this.whole = Promise.resolve(bytes) // a server without ranges
    const all = await this.whole
    if (all?.byteLength !== this.byteLength) throw this.fault('is not as long as it was written')
    return all.slice(start, end)
  }

  /** @param {Record<string, string>} headers */
  async fetched(headers) {
    try {
      const answer = await fetch(new URL(`../${this.key}`, document.baseURI), { headers })
      if (!answer.ok) throw this.fault(answer.status === 404 ? 'is not there' : `cannot be had: HTTP ${answer.status}`)
      return await answer.arrayBuffer()
    } catch (error) {
      throw error instanceof FileFault ? error : this.fault('did not arrive whole')
    }
  }

  /** @param {string} what */
  fault(what) {
    return new FileFault(`${this.key} ${what}. Copy the release anew, or run “paperlake verify” where the lake is.`)
  }
}

/** @type {Map<string, Promise<{ file: Remote, metadata: any }>>} */
const opened = new Map()

/** @param {File} file */
async function open(file) {
  const remote = new Remote(file)
  const metadata = await parquetMetadataAsync(remote, { initialFetchSize: FOOTER_BYTES }).catch((/** @type {unknown} */ error) => {
    throw error instanceof FileFault ? error : remote.fault('is no whole Parquet file')
  })
  return { file: remote, metadata }
}

/**
 * Rows of a table, in its order; of row groups that cannot hold what is asked for nothing is fetched.
 * @param {string} table
 * @param {string[]} columns
 * @param {object} [filter]
 * @returns {Promise<Row[]>}
 */
export async function rows(table, columns, filter) {
  const parts = await Promise.all((release.tables[table] ?? []).map((file) => rowsOf(file, columns, filter)))
  return parts.flat()
}

/** @type {Map<string, Promise<Row[]>>} */
const kept = new Map()

/**
 * All rows of a table, asked for once.
 * @param {string} table
 * @param {string[]} columns
 */
export function all(table, columns) {
  const name = `${table} ${columns.join()}`
  const found = kept.get(name) ?? rows(table, columns)
  kept.set(name, found)
  found.catch(() => kept.delete(name)) // it may be there at the next try
  return found
}

/**
 * @param {File} file
 * @param {string[]} columns
 * @param {object} [filter]
 */
async function rowsOf(file, columns, filter) {
  const opening = opened.get(file.key) ?? open(file)
  opened.set(file.key, opening)
  opening.catch(() => opened.delete(file.key))
  const { file: remote, metadata } = await opening
  const compressors = {
    ZSTD: (/** @type {Uint8Array} */ input, /** @type {number} */ length) => decompress(input, new Uint8Array(length)),
  }
  try {
    return await parquetReadObjects({ file: remote, metadata, columns, filter, compressors })
  } catch (error) {
    throw error instanceof FileFault ? error : remote.fault('cannot be read')
  }
}
