// Trends: each chart with its data and the SQL that gives the same, its denominators, and partial months marked.
import { data, legend, lines } from './charts.js'
import { all, has } from './tables.js'
import { counted, dayOf, make, monthInWords, theirs } from './words.js'

const SHOWN = 6 // keywords or organizations in one chart
const RECENT = 3 // months that choose them
const MONTH = 32 * 864e5 // months further apart are not joined

/** @typedef {{ id: string, title: string, about: string, sql: string, columns: string[], rows: any[][], series: import('./charts.js').Series[], told?: (value: number) => string }} Chart */

/** @param {string} text */
const literal = (text) => `'${text.replaceAll("'", "''")}'`
const percent = (/** @type {number} */ value) => `${Number((100 * value).toFixed(1))}%`
const byMonth = (/** @type {any} */ one, /** @type {any} */ other) => one.month_on - other.month_on

/** Month → whether its lists are not all there, or it is not over. */
async function partial() {
  const months = await all('papers_by_month', ['month_on', 'paper_count', 'day_count', 'expected_day_count', 'complete_day_count', 'is_over'])
  const lacks = (/** @type {any} */ row) => !row.is_over || row.day_count < (row.expected_day_count || row.day_count)
  return { months: [...months].sort(byMonth), isPartial: new Map(months.map((row) => [dayOf(row.month_on), lacks(row)])) }
}

/**
 * @param {any[]} rows
 * @param {string} column
 * @param {Map<string, boolean>} isPartial
 * @param {(row: any) => string} words
 */
const points = (rows, column, isPartial, words) =>
  rows.filter((row) => row[column] !== null).map((row) => {
    const lacks = isPartial.get(dayOf(row.month_on)) ?? true
    return { at: row.month_on, value: Number(row[column]), isPartial: lacks, words: `${monthInWords(dayOf(row.month_on).slice(0, 7))}: ${words(row)}${lacks ? '; month not complete' : ''}` }
  })

/** @returns {Promise<Chart>} */
async function volume() {
  const { months, isPartial } = await partial()
  const columns = ['month_on', 'paper_count', 'day_count', 'expected_day_count', 'complete_day_count', 'is_over']
  const words = (/** @type {any} */ row) => `${counted(row.paper_count, 'paper')} on ${counted(row.day_count, 'list')}, ${row.complete_day_count ?? 0} of ${row.expected_day_count ?? 0} expected complete`
  return {
    id: 'volume',
    title: 'Papers per month',
    about: 'Papers on the daily lists of each month; a paper that is listed twice counts once. A month whose lists are not all in this release shows too few.',
    sql: `SELECT ${columns.join(', ')}\nFROM papers_by_month\nORDER BY month_on`,
    columns,
    rows: months.map((row) => columns.map((column) => row[column])),
    series: [{ name: 'Papers', points: points(months, 'paper_count', isPartial, words) }],
  }
}

/** @returns {Promise<Chart>} */
async function code() {
  const columns = ['month_on', 'shown_paper_count', 'known_paper_count', 'paper_count', 'share', 'state']
  const [{ isPartial }, found] = await Promise.all([partial(), all('field_availability', ['field', ...columns])])
  const rows = found.filter((row) => row.field === 'github_url').sort(byMonth)
  const words = (/** @type {any} */ row) => `${percent(row.share)}: ${row.shown_paper_count} of ${row.known_paper_count} whose page could show one, of ${row.paper_count} in all`
  return {
    id: 'code',
    title: 'Share with code',
    about: 'Share of papers with a repository, of those whose page could show one. The source gives repositories since 2025-03-04; before that nothing is known.',
    sql: `SELECT ${columns.join(', ')}\nFROM field_availability\nWHERE field = 'github_url'\nORDER BY month_on`,
    columns,
    rows: rows.map((row) => columns.map((column) => row[column])),
    series: [{ name: 'Share with code', points: points(rows, 'share', isPartial, words) }],
    told: percent,
  }
}

/** @returns {Promise<Chart>} */
async function lag() {
  const [{ isPartial }, found] = await Promise.all([partial(), all('listing_lag', ['listed_on', 'published_to_listed_days'])])
  /** @type {Map<string, any[]>} */
  const months = new Map()
  for (const row of found) {
    const month = `${dayOf(row.listed_on).slice(0, 7)}-01`
    months.set(month, [...(months.get(month) ?? []), row.published_to_listed_days])
  }
  const rows = [...months].sort(([one], [other]) => (one < other ? -1 : 1)).map(([month, days]) => {
    const known = days.filter((one) => one !== null).map(Number)
    return { month_on: new Date(`${month}T00:00:00Z`), listing_count: days.length, dated_count: known.length, median_days: median(known) }
  })
  const columns = ['month_on', 'listing_count', 'dated_count', 'median_days']
  const words = (/** @type {any} */ row) => `${row.median_days} days; ${row.dated_count} of ${counted(row.listing_count, 'listing')} with a date`
  return {
    id: 'lag',
    title: 'Days from arXiv to the list',
    about: 'Median number of days between a paper’s first version on arXiv and its list, over the listings whose paper has a date.',
    sql: `SELECT\n    date_trunc('month', listed_on)::DATE AS month_on,\n    count(*) AS listing_count,\n    count(published_to_listed_days) AS dated_count,\n    median(published_to_listed_days) AS median_days\nFROM listing_lag\nGROUP BY 1\nORDER BY 1`,
    columns,
    rows: rows.map((row) => columns.map((column) => /** @type {any} */ (row)[column])),
    series: [{ name: 'Median days', points: points(rows, 'median_days', isPartial, words) }],
  }
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length ? (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2 : null
}

/**
 * Names over the months in which any is known; a month in which one has no row has it zero times.
 * @param {{ id: string, title: string, about: string, table: string, name: string, label: string, columns: string[], count: string, of: string, share: string }} by
 * @param {string[]} [named]
 * @returns {Promise<Chart>}
 */
async function shares(by, named) {
  const [{ isPartial }, found] = await Promise.all([partial(), all(by.table, by.columns)])
  const whole = new Map(found.map((row) => [dayOf(row.month_on), row[by.of]]))
  const months = [...whole.keys()].sort()
  const distinct = [...new Map(found.map((row) => [`${dayOf(row.month_on)} ${row[by.name]}`, row])).values()]
  const names = named ?? most(distinct, by, months.filter((month) => !isPartial.get(month)).slice(-RECENT), months.slice(-RECENT))
  const rows = distinct.filter((row) => names.includes(row[by.name]))
  rows.sort((one, other) => byMonth(one, other) || (one[by.name] < other[by.name] ? -1 : 1))
  const series = names.map((name) => {
    const own = new Map(rows.filter((row) => row[by.name] === name).map((row) => [dayOf(row.month_on), row]))
    const label = [...own.values()].at(-1)?.[by.label] ?? name
    const filled = months.map((month) => own.get(month) ?? { month_on: new Date(`${month}T00:00:00Z`), [by.count]: 0, [by.of]: whole.get(month), [by.share]: 0 })
    return { name: label, points: points(filled, by.share, isPartial, (row) => `${label}: ${percent(row[by.share])}, ${row[by.count]} of ${counted(row[by.of], 'paper')}`) }
  })
  const told = { id: by.id, title: by.title, about: by.about, columns: by.columns, series, told: percent }
  const sql = `SELECT DISTINCT ${by.columns.join(', ')}\nFROM ${by.table}\nWHERE ${by.name} IN (${names.map(literal).join(', ') || 'NULL'})\nORDER BY month_on, ${by.name}`
  return { ...told, sql, rows: rows.map((row) => by.columns.map((column) => row[column])) }
}

/**
 * The names that most papers of some months have.
 * @param {any[]} rows
 * @param {{ name: string, count: string }} by
 * @param {string[]} months
 * @param {string[]} else_ where there are no such months
 */
function most(rows, by, months, else_) {
  const recent = new Set(months.length ? months : else_)
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const row of rows) if (recent.has(dayOf(row.month_on))) sums.set(row[by.name], (sums.get(row[by.name]) ?? 0) + Number(row[by.count]))
  return [...sums].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).slice(0, SHOWN).map(([name]) => name)
}

const KEYWORDS = {
  id: 'keywords',
  title: 'Keywords',
  about: 'Share of papers with the keyword, in any spelling, of each month’s papers with any keyword. The Hub’s keywords are made by a model, and some weeks have none.',
  table: 'keywords_by_month',
  name: 'normal_keyword',
  label: 'normal_keyword',
  columns: ['month_on', 'normal_keyword', 'normal_paper_count', 'keyword_paper_count', 'normal_share'],
  count: 'normal_paper_count',
  of: 'keyword_paper_count',
  share: 'normal_share',
}
const ORGANIZATIONS = {
  id: 'organizations',
  title: 'Organizations',
  about: 'Share of papers of each organization, of those whose page could name one. The source names organizations since 2025-09-29.',
  table: 'organizations_by_month',
  name: 'organization_id',
  label: 'organization_name',
  columns: ['month_on', 'organization_id', 'organization_name', 'paper_count', 'known_paper_count', 'share'],
  count: 'paper_count',
  of: 'known_paper_count',
  share: 'share',
}

/** @param {Chart} chart @returns {Node[]} */
function drawn(chart) {
  const known = chart.series.filter((one) => one.points.length)
  const words = `${chart.title}: ${known.map((one) => `${one.name}, ${one.points.length} months, last ${one.points[one.points.length - 1].words}`).join('; ')}`
  const sql = make('pre', { class: 'query', tabindex: 0 }, chart.sql)
  const run = make('a', { href: `#/sql/${encodeURIComponent(chart.sql)}` }, 'Run it')
  return [
    known.length > 1 ? legend(known) : '',
    known.length ? lines(words, known.map((one) => ({ ...one, most: MONTH })), chart.told) : make('p', {}, 'This release has no data for it.'),
    make('details', {}, make('summary', {}, 'Data'), ...data(chart.columns, chart.rows, chart.id)),
    make('details', {}, make('summary', {}, 'SQL'), sql, make('p', {}, run, ' here, or with ', make('code', {}, 'paperlake sql'), '.')),
  ].filter((one) => one instanceof Node)
}

/** @param {Chart} chart @param {Node[]} [more] */
const section = (chart, more = []) => make('section', { id: chart.id, class: 'trend' }, make('h2', {}, chart.title), make('p', { class: 'soft' }, chart.about), ...more, make('div', { class: 'drawn' }, ...drawn(chart)))

/**
 * A chart in which one can put other names.
 * @param {typeof KEYWORDS} by
 */
async function chosen(by) {
  const chart = await shares(by)
  const names = [...new Set((await all(by.table, by.columns)).map((row) => row[by.name]))].sort()
  const options = make('datalist', { id: `${by.id}-known` }, ...names.slice(0, 5000).map((name) => make('option', { value: name })))
  const field = /** @type {HTMLInputElement} */ (make('input', { id: `${by.id}-more`, list: `${by.id}-known`, autocomplete: 'off' }))
  const form = make('form', { class: 'adding' }, make('label', { for: field.id }, `Compare another of ${names.length.toLocaleString('en')} ${by.title.toLowerCase()}`), field, make('button', {}, 'Add'), options)
  const told = make('p', { role: 'status', class: 'soft' })
  const made = section(chart, [form, told])
  let shown = chart.series.length ? await names_(chart, by) : []
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const name = field.value.trim().toLowerCase()
    const found = names.find((one) => one.toLowerCase() === name)
    told.replaceChildren(found ? '' : 'No paper has ', ...(found ? [] : [theirs(field.value)]))
    if (!found) return
    shown = [found, ...shown.filter((one) => one !== found)].slice(0, SHOWN)
    made.querySelector('.drawn')?.replaceChildren(...drawn(await shares(by, shown)))
    field.value = ''
  })
  return made
}

/** @param {Chart} chart @param {typeof KEYWORDS} by */
const names_ = async (chart, by) => [...new Set(chart.rows.map((row) => row[by.columns.indexOf(by.name)]))]

/** @returns {Promise<import('./lists.js').View>} */
export async function trends() {
  const about = 'A hollow point on a dashed line is a month that is not over, or whose lists are not all in this release. Below each chart are its rows and the SQL that gives them.'
  const charts = await Promise.all([volume().then((chart) => section(chart)), chosen(KEYWORDS), chosen(ORGANIZATIONS), code().then((chart) => section(chart)), lag().then((chart) => section(chart))])
  const boards = has('boards') && make('p', {}, make('a', { href: '#/boards' }, 'Results over time'), ': what papers claim on each benchmark, and the best of it.')
  return { title: 'Trends', body: [make('p', { class: 'lead' }, about), ...(boards ? [boards] : []), ...charts] }
}
