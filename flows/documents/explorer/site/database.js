// DuckDB in the browser over the tables of the release: each is read from its Parquet when a query first names it.
import { typed } from './arrow.js'
import { AsyncDuckDB, Table, Vector, VoidLogger } from './duckdb.js'
import { once } from './remote.js'
import { release, rows } from './tables.js'

/** @typedef {{ name: string, layer: string, grain: string, columns: [string, string, string][], widened_by: string[] }} Described */
/** @typedef {{ statements: string[], tables: Described[], sql: Record<string, string> }} Schema */
/** @typedef {{ columns: string[], types: string[], rows: any[][], isCut: boolean }} Answer */

const MOST = 100_000 // rows of an answer
// Nothing is asked of any host, and no query changes that
const LOCKED = ['autoinstall_known_extensions=false', 'autoload_known_extensions=false', 'enable_external_access=false', 'lock_configuration=true']

/** @returns {Promise<Schema>} */
export const schema = () => once('schema.json', () => fetch(new URL('schema.json', import.meta.url)).then((answer) => answer.json()))

/** What a query stopped by its reader ends with. */
export class Stopped extends Error {
  name = 'Stopped' // by which it is told from others where this module is not there yet
}

export class Database {
  /** @param {(words: string) => void} tell what is going on */
  async begin(tell) {
    tell('Loading DuckDB: 9 MB, once…')
    const [{ statements }, files] = await Promise.all([schema(), fetch(new URL('tables.json', document.baseURI)).then((answer) => answer.json())])
    Object.assign(release.tables, files)
    this.engine = new AsyncDuckDB(new VoidLogger(), new Worker(new URL('sql.worker.js', import.meta.url)))
    await this.engine.instantiate(new URL('duckdb.wasm.gz', import.meta.url).href)
    await this.engine.open({ query: { castBigIntToDouble: false } })
    this.connection = await this.engine.connect()
    for (const setting of LOCKED) await this.connection.query(`SET ${setting}`)
    await this.connection.query(statements.join('\n'))
    return this
  }

  /**
   * Every table that the query needs, by the names in it and in the views and macros that it names.
   * @param {string} sql
   * @param {(words: string) => void} tell
   */
  async prepare(sql, tell) {
    const { tables, sql: bodies } = await schema()
    const stored = new Map(tables.filter((table) => !Object.hasOwn(bodies, table.name)).map((table) => [table.name, table]))
    const [needed, seen, todo] = [new Set(), new Set(), [sql]]
    for (let text = todo.pop(); text !== undefined; text = todo.pop()) {
      for (const name of new Set(text.toLowerCase().match(/[a-z_][a-z0-9_]*/g))) {
        if (seen.has(name)) continue
        seen.add(name)
        if (Object.hasOwn(bodies, name)) todo.push(bodies[name])
        if (stored.has(name)) {
          needed.add(name)
          todo.push(...(stored.get(name)?.widened_by ?? []))
        }
      }
    }
    await Promise.all([...needed].map((name) => {
      const table = stored.get(name)
      return table && once(`rows of ${name}`, () => this.load(table, tell))
    }))
  }

  /**
   * @param {Described} table
   * @param {(words: string) => void} tell
   */
  async load(table, tell) {
    tell(`Reading ${table.name}…`)
    const names = table.columns.map(([name]) => name)
    const found = await rows(table.name, names)
    if (!found.length) return
    const vectors = table.columns.map(([name, type]) => [name, new Vector([typed(found.map((row) => row[name] ?? null), type)])])
    const staged = `staged_${table.name}`
    await this.connection.insertArrowTable(new Table(Object.fromEntries(vectors)), { name: staged, create: true })
    await this.connection.query(`INSERT INTO "${table.layer}"."${table.name}" SELECT ${names.map((name) => `"${name}"`).join(', ')} FROM "${staged}"; DROP TABLE "${staged}"`)
  }

  /**
   * @param {string} sql
   * @param {(words: string) => void} tell
   * @returns {Promise<Answer>}
   */
  async ask(sql, tell) {
    this.isStopped = false
    await this.prepare(sql, tell)
    if (this.isStopped) throw new Stopped()
    tell('Asking…')
    await this.connection.query('BEGIN TRANSACTION READ ONLY')
    try {
      return await this.read(await this.connection.send(sql, true))
    } catch (error) {
      throw this.isStopped ? new Stopped() : error
    } finally {
      await this.connection.query('ROLLBACK').catch(() => null)
    }
  }

  /**
   * @param {any} batches
   * @returns {Promise<Answer>}
   */
  async read(batches) {
    /** @type {any[][]} */
    const found = []
    /** @type {any[]} */
    let fields = batches.schema?.fields ?? []
    for await (const batch of batches) {
      fields = batch.schema.fields
      if (this.isStopped) throw new Stopped()
      for (let at = 0; at < batch.numRows && found.length <= MOST; at++) found.push(fields.map((field, column) => read(batch.getChildAt(column)?.get(at), field.type)))
      if (found.length > MOST) break
    }
    return { columns: fields.map((field) => field.name), types: fields.map((field) => String(field.type)), rows: found.slice(0, MOST), isCut: found.length > MOST }
  }

  /** Give up the query that runs. */
  async stop() {
    this.isStopped = true
    await this.connection?.cancelSent()
  }
}

/**
 * A value of an answer as JavaScript has it: days and moments as dates, whole numbers as numbers where those hold them.
 * @param {any} value
 * @param {any} type
 * @returns {any}
 */
function read(value, type) {
  if (value === null || value === undefined) return null
  const name = String(type)
  if (/^(Date|Timestamp)/.test(name)) return new Date(Number(value))
  if (/^Decimal/.test(name)) return decimal(value, type.scale)
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (/^List|^FixedSizeList/.test(name)) return [...value].map((one) => read(one, type.children[0].type))
  return typeof value === 'object' && 'toJSON' in value ? JSON.stringify(value) : value
}

/**
 * Of 128 bits, lowest first.
 * @param {Uint32Array} words
 * @param {number} scale
 */
function decimal(words, scale) {
  const whole = words.reduceRight((all, word) => (all << 32n) + BigInt(word), 0n)
  const signed = BigInt.asIntN(32 * words.length, whole)
  const value = Number(signed) / 10 ** scale
  return scale === 0 && !Number.isSafeInteger(value) ? signed : value
}
