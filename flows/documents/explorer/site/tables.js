// The tables of the release, read from its Parquet files: only the pages that can hold what is asked for.
import { decompress, parquetMetadataAsync, parquetReadObjects, rowIndex } from './parquet.js'
import { mayHold } from './cohorts.js'
import { FileFault, once, Remote } from './remote.js'

/** @typedef {import('./remote.js').File} File */
/** @typedef {Record<string, any>} Row */

/** @type {{ version: string, tables: Record<string, File[]>, cohorts: string[], sql: boolean, outcomes: { name: string, state: string, reason: string | null, words: string }[], tex: { rules: [string, string][], command: string, signs: Record<string, string>, marked: string, nested: number } }} */
export const release = JSON.parse(document.getElementById('release')?.textContent ?? '')

const compressors = {
  ZSTD: (/** @type {Uint8Array} */ input, /** @type {number} */ length) => decompress(input, new Uint8Array(length)),
}

/** @param {File} file */
const open = (file) => once(file.key, () => begin(new Remote(file)))

/** @param {Remote} remote */
async function begin(remote) {
  const file = await remote.begin()
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: Math.min(remote.tail, file.byteLength) }).catch((/** @type {unknown} */ error) => {
    throw error instanceof FileFault ? error : remote.fault('is not a complete Parquet file')
  })
  return { file, metadata }
}

/** Have the ends of a table's files read, where it will be asked for soon. @param {string} table */
export const openAll = (table) => Promise.all((release.tables[table] ?? []).map(open))

/** Have all bytes of a table here, for what is asked of it next. @param {string} table */
export async function bringAll(table) {
  for (const { file } of await openAll(table)) await file.got(0, file.byteLength)
}

/** Whether the release has a table, or a mart. @param {string} name */
export const has = (name) => Boolean(release.tables[name]?.length)

/**
 * Rows of a table, in the order of its files; of pages that cannot hold what is asked for nothing is fetched.
 * @param {string} table
 * @param {string[]} columns
 * @param {Record<string, any>} [filter]
 * @param {string[]} [more] columns that not every release has
 * @returns {Promise<Row[]>}
 */
export async function rows(table, columns, filter, more = []) {
  const ids = filter?.paper_id?.$in ?? [filter?.paper_id?.$eq].filter(Boolean)
  const isNamed = ids.length > 0 && release.cohorts.includes(table)
  const files = (release.tables[table] ?? []).filter((file) => !isNamed || mayHold(file.key, ids))
  const parts = await Promise.all(files.map((file) => rowsOf(file, columns, filter, files.length > 1, more)))
  return parts.flat()
}

/**
 * All rows of one file of a table, asked for once.
 * @param {File} file
 * @param {string[]} columns
 */
export const allOf = (file, columns) => once(`${file.key} ${columns.join()}`, () => rowsOf(file, columns, undefined, false))

/**
 * All rows of a table, asked for once.
 * @param {string} table
 * @param {string[]} columns
 */
export const all = (table, columns) => once(`${table} ${columns.join()}`, () => rows(table, columns))

/**
 * @param {File} file
 * @param {string[]} named
 * @param {Record<string, any> | undefined} filter
 * @param {boolean} isOneOfMany
 * @param {string[]} [more]
 * @returns {Promise<Row[]>}
 */
async function rowsOf(file, named, filter, isOneOfMany, more = []) {
  const { file: remote, metadata } = await open(file)
  const columns = [...named, ...more.filter((name) => metadata.schema.some((/** @type {any} */ one) => one.name === name))]
  const asked = { file: remote, metadata, filter, compressors, usePageIndex: Boolean(filter) }
  try {
    // Row groups without pages in them are chosen by their first and last keys, and asked for at once
    const isGrouped = metadata.row_groups.length > 1 && !metadata.row_groups[0].columns[0].offset_index_offset
    if (!filter || !isOneOfMany || isGrouped) return plain(await parquetReadObjects({ ...asked, columns }), metadata)
    // First where they are: most of the files have none, and what is asked for may be long
    const found = await parquetReadObjects({ ...asked, columns: Object.keys(filter), includeRowIndex: true })
    if (!found.length) return []
    const places = found.map((/** @type {any} */ row) => Number(row[rowIndex]))
    const near = { rowStart: Math.min(...places), rowEnd: Math.max(...places) + 1 }
    return plain(await parquetReadObjects({ ...asked, ...near, columns }), metadata)
  } catch (error) {
    throw error instanceof FileFault ? error : remote.fault('cannot be read')
  }
}

/**
 * Whole numbers of 64 bits as numbers: none here is beyond what those hold.
 * @param {Row[]} found
 * @param {any} metadata
 */
function plain(found, metadata) {
  const long = metadata.schema.filter((/** @type {any} */ one) => one.type === 'INT64').map((/** @type {any} */ one) => one.name)
  for (const row of found) for (const name of long) if (typeof row[name] === 'bigint') row[name] = Number(row[name])
  return found
}
