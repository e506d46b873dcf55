// SQL over the release, in the browser: the query stands in the address, the answer is a table, a chart, CSV or Parquet.
import { data, legend, lines, saved, text } from './charts.js'
import { QUESTIONS } from './questions.js'
import { release } from './tables.js'
import { counted, make } from './words.js'

/** @typedef {import('./database.js').Answer} Answer */
/** @typedef {import('./database.js').Database} Database */

const FIRST = QUESTIONS[0][1]

/** @type {Promise<Database> | undefined} */
let database

/** @param {(words: string) => void} tell */
async function ready(tell) {
  database ??= import('./database.js').then(({ Database }) => new Database().begin(tell))
  database.catch(() => (database = undefined)) // it may be there at the next try
  return database
}

/**
 * @param {string} [asked]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function sql(asked = '') {
  if (!release.sql) {
    const words = ['The paperlake that wrote this release had no files that answer SQL in a browser: ', make('code', {}, 'make explore'), ' brings them, and the next release has them. ', make('code', {}, 'paperlake sql'), ' works without them.']
    return { title: 'SQL', body: [make('p', {}, ...words), ...(asked ? [make('pre', {}, asked)] : [])] }
  }
  const field = /** @type {HTMLTextAreaElement} */ (make('textarea', { id: 'query', spellcheck: 'false', autocapitalize: 'off', rows: 8 }))
  field.value = asked || FIRST
  const run = /** @type {HTMLButtonElement} */ (make('button', { type: 'button', class: 'primary' }, 'Run'))
  const stop = /** @type {HTMLButtonElement} */ (make('button', { type: 'button', disabled: '' }, 'Stop'))
  const told = make('p', { role: 'status', class: 'told' }, database ? '' : 'The first query loads DuckDB, 9 MB; later ones start at once.')
  const answer = make('div', { id: 'answer' })
  const tell = (/** @type {string} */ words) => { told.textContent = words }
  const ask = async () => {
    ;[run.disabled, stop.disabled] = [true, false]
    history.replaceState(null, '', `#/sql/${encodeURIComponent(field.value)}`)
    document.getElementById('main')?.setAttribute('data-shown', location.hash)
    answer.replaceChildren()
    const begun = performance.now()
    try {
      const found = await (await ready(tell)).ask(field.value, tell)
      tell(`${found.isCut ? 'The first ' : ''}${counted(found.rows.length, 'row')} in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
      answer.replaceChildren(...(await drawn(found)))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      tell(error.name === 'Stopped' ? 'Stopped.' : 'The query failed:')
      if (error.name !== 'Stopped') answer.replaceChildren(make('pre', { class: 'fault' }, error.message))
    } finally {
      ;[run.disabled, stop.disabled] = [false, true]
    }
  }
  run.addEventListener('click', ask)
  stop.addEventListener('click', async () => (await database)?.stop())
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!run.disabled) ask()
  })
  const body = make('div', { class: 'sql' },
    make('div', {}, examples(field), make('label', { for: 'query' }, 'Query'), field, make('p', { class: 'buttons' }, run, stop, make('span', { class: 'soft' }, 'or Ctrl+Enter')), told, answer),
    await tables(field),
  )
  return { title: 'SQL', body: [make('p', { class: 'lead' }, 'DuckDB runs in this browser, over the files of this release. No query leaves the browser.'), body] }
}

/** @param {HTMLTextAreaElement} field */
function examples(field) {
  const select = /** @type {HTMLSelectElement} */ (make('select', { id: 'examples' }, make('option', { value: '' }, 'Ten questions…'), ...QUESTIONS.map(([title], at) => make('option', { value: at }, `${at + 1}. ${title}`))))
  select.addEventListener('change', () => {
    if (select.value) field.value = QUESTIONS[Number(select.value)][1]
  })
  return make('p', {}, make('label', { for: 'examples' }, 'Examples'), select)
}

/** What there is to ask. @param {HTMLTextAreaElement} field */
async function tables(field) {
  const { tables: found } = await (await fetch(new URL('schema.json', import.meta.url))).json()
  const of = (/** @type {string} */ layer) => found.filter((/** @type {any} */ table) => table.layer === layer).sort((/** @type {any} */ one, /** @type {any} */ other) => (one.name < other.name ? -1 : 1))
  const entry = (/** @type {any} */ table) => {
    const put = make('button', { type: 'button', class: 'quote' }, 'Insert name')
    put.addEventListener('click', () => field.setRangeText(table.name, field.selectionStart, field.selectionEnd, 'end'))
    const columns = table.columns.map((/** @type {[string, string, string]} */ [name, type, meaning]) => make('li', { title: meaning }, make('code', {}, name), make('span', { class: 'soft' }, ` ${type.replace(/\(.*/, '')}`)))
    return make('details', {}, make('summary', {}, table.name), make('p', { class: 'soft' }, table.grain, ' ', put), make('ul', {}, ...columns))
  }
  const part = (/** @type {string} */ words, /** @type {string} */ layer) => [make('h2', {}, words), ...of(layer).map(entry)]
  return make('aside', { class: 'schema', 'aria-label': 'Tables', tabindex: 0 }, ...part('Marts', 'mart'), ...part('Tables', 'core'))
}

/** @param {Answer} found @returns {Promise<Node[]>} */
async function drawn(found) {
  const table = data(found.columns, found.rows, 'answer')
  const { parquetWriteBuffer } = await import('./duckdb.js')
  table[0].append(', ', saved('Parquet', 'answer.parquet', () => new Uint8Array(parquetWriteBuffer({ columnData: columns(found) })), 'application/vnd.apache.parquet'))
  return [...chart(found), ...table]
}

/** Each column as the writer of Parquet takes it. @param {Answer} found */
function columns({ columns, types, rows }) {
  return columns.map((name, at) => {
    const values = rows.map((row) => row[at])
    const known = values.filter((value) => value !== null)
    if (/^Timestamp/.test(types[at])) return { name, data: values, type: 'TIMESTAMP' }
    if (known.every((value) => typeof value === 'boolean') && known.length) return { name, data: values, type: 'BOOLEAN' }
    if (known.every((value) => typeof value === 'number') && known.length) return { name, data: values, type: 'DOUBLE' }
    return { name, data: values.map((value) => (value === null ? null : text(value))), type: 'STRING' }
  })
}

/** A chart, where the first column of days or moments goes on and others are numbers. @param {Answer} found @returns {Node[]} */
function chart({ columns, rows }) {
  const when = columns.findIndex((_, at) => rows.length > 1 && rows.every((row) => row[at] instanceof Date))
  const ats = rows.map((row) => Number(row[when]))
  if (when < 0 || new Set(ats).size !== ats.length) return []
  const counts = columns.map((name, at) => ({ name, at })).filter(({ at }) => rows.some((row) => row[at] !== null) && rows.every((row) => row[at] === null || typeof row[at] === 'number')).slice(0, 6)
  const series = counts.map(({ name, at }) => ({ name, points: rows.filter((row) => row[at] !== null).map((row) => ({ at: row[when], value: row[at], words: `${name}: ${row[at].toLocaleString('en')}, ${text(row[when])}` })).sort((one, other) => Number(one.at) - Number(other.at)) }))
  return series.length ? [legend(series), lines(`${series.map((one) => one.name).join(', ')} by ${columns[when]}`, series)] : []
}
