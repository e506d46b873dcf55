// A paper: what it is, where it was listed, how its counts went, and which captured page each of it was read from.
import { all, rows } from './tables.js'
import { dayOf, listAddress, make, momentOf, outward, shown, theirs } from './words.js'

const LINKS = /** @type {Record<string, string>} */ ({ github: 'Code', project: 'Project page', media: 'Media' })
const COUNTS = /** @type {Record<string, string>} */ ({ upvote_count: 'Upvotes', comment_count: 'Comments', github_star_count: 'GitHub stars' })
const SVG = 'http://www.w3.org/2000/svg'

/**
 * @param {string} [paperId]
 * @returns {Promise<import('./lists.js').View>}
 */
export async function paper(paperId = '') {
  const here = { paper_id: { $eq: paperId } }
  const [[found], captures] = await Promise.all([
    rows('papers', ['paper_id', 'arxiv_id', 'title', 'published_on', 'organization_name', 'organization_login', ...Object.keys(COUNTS), 'last_seen_at', 'capture_id'], here),
    all('captures', ['capture_id', 'fetched_at', 'url']),
  ])
  if (!found) return { title: 'No such paper', body: [make('p', {}, 'This release has no paper ', make('code', {}, paperId), '.')] }
  const [texts, versions, authors, listed, links, keywords, seen] = await Promise.all([
    rows('paper_texts', ['paper_id', 'abstract', 'capture_id'], here),
    rows('paper_versions', ['paper_id', 'field', 'version_number', 'text', 'capture_id'], here),
    rows('paper_authors', ['paper_id', 'position', 'name', 'capture_id'], here),
    rows('daily_listings', ['paper_id', 'listed_on', 'rank', 'capture_id'], here),
    rows('paper_links', ['paper_id', 'kind', 'url', 'capture_id'], here),
    rows('paper_keywords', ['paper_id', 'keyword', 'capture_id'], here),
    rows('paper_observations', ['paper_id', 'observed_at', ...Object.keys(COUNTS)], here),
  ])
  const fetched = new Map(captures.map((row) => [row.capture_id, row]))
  const from = (/** @type {any} */ row) => source(row?.capture_id, fetched)
  const summary = versions.filter((row) => row.field === 'ai_summary' && row.text).at(-1)
  authors.sort((one, other) => one.position - other.position)
  /** @type {Node[]} */
  const body = []
  if (authors.length) body.push(make('p', { class: 'authors' }, ...authors.flatMap((row, at) => [at ? ', ' : '', theirs(row.name)])))
  body.push(facts(found, listed, links, from))
  for (const [words, text, row] of [['Abstract', texts[0]?.abstract, texts[0]], ['AI summary', summary?.text, summary]]) {
    if (text) body.push(make('h2', {}, words), make('p', { class: 'abstract', dir: 'auto' }, text), from(row))
  }
  if (keywords.length) {
    body.push(make('h2', {}, 'Keywords'), make('ul', { class: 'keywords' }, ...keywords.map((row) => make('li', {}, theirs(row.keyword)))), from(keywords[0]))
  }
  for (const [column, words] of Object.entries(COUNTS)) {
    const points = seen.filter((row) => row[column] !== null && row.observed_at).map((row) => ({ at: row.observed_at, count: row[column] }))
    if (points.length > 1) body.push(make('h2', {}, words), chart(words, points))
  }
  body.push(coins(found, authors))
  return { title: found.title ?? paperId, body }
}

/**
 * The paper as an OpenURL, by which Zotero and its like take it: COinS.
 * @param {any} found
 * @param {any[]} authors
 */
function coins(found, authors) {
  const told = new URLSearchParams({ ctx_ver: 'Z39.88-2004', rft_val_fmt: 'info:ofi/fmt:kev:mtx:journal', 'rft.genre': 'preprint' })
  told.append('rft.atitle', shown(found.title))
  if (found.published_on) told.append('rft.date', dayOf(found.published_on))
  if (found.arxiv_id) told.append('rft_id', `https://arxiv.org/abs/${found.arxiv_id}`)
  for (const author of authors) told.append('rft.au', shown(author.name))
  return make('span', { class: 'Z3988', title: told.toString() })
}

/**
 * The page that something was read from: when it was fetched, from where, and its id for `paperlake show raw`.
 * @param {string | undefined} captureId
 * @param {Map<string, any>} fetched
 */
function source(captureId, fetched) {
  const capture = fetched.get(captureId ?? '')
  const line = make('p', { class: 'from' }, 'From capture ', make('code', {}, captureId ?? 'unknown'))
  if (capture) line.append(`, fetched ${momentOf(capture.fetched_at)}`)
  if (capture?.url) line.append(': ', theirs(capture.url))
  return line
}

/**
 * @param {any} found
 * @param {any[]} listed
 * @param {any[]} links
 * @param {(row: any) => Node} from
 */
function facts(found, listed, links, from) {
  const entries = make('dl', { class: 'facts' })
  const tell = (/** @type {string} */ name, /** @type {(Node | string | null)[]} */ ...values) => entries.append(make('dt', {}, name), make('dd', {}, ...values))
  const organization = found.organization_name ?? found.organization_login
  if (organization) tell('Organization', theirs(organization))
  if (found.published_on) tell('Published', dayOf(found.published_on))
  if (found.arxiv_id) tell('arXiv', outward(`https://arxiv.org/abs/${found.arxiv_id}`, found.arxiv_id))
  for (const row of listed) tell('Listed', make('a', { href: listAddress(dayOf(row.listed_on)) }, dayOf(row.listed_on)), row.rank ? `, place ${row.rank}` : null)
  for (const [column, words] of Object.entries(COUNTS)) {
    if (found[column] !== null && found[column] !== undefined) tell(words, found[column].toLocaleString('en'))
  }
  for (const row of links) tell(LINKS[row.kind] ?? shown(row.kind), outward(row.url))
  tell('Last seen', momentOf(found.last_seen_at), from(found))
  return entries
}

/**
 * A count over time: a line, and a point for each look. Without sight it is its words.
 * @param {string} name
 * @param {{ at: Date, count: number }[]} points
 */
function chart(name, points) {
  points.sort((one, other) => Number(one.at) - Number(other.at))
  const [first, last] = [points[0], points[points.length - 1]]
  const most = Math.max(...points.map((point) => point.count), 1)
  const span = Math.max(Number(last.at) - Number(first.at), 1)
  const places = points.map((point) => [50 + (530 * (Number(point.at) - Number(first.at))) / span, 140 - (120 * point.count) / most])
  const words = `${name}: from ${first.count} on ${dayOf(first.at)} to ${last.count} on ${dayOf(last.at)}, in ${points.length} looks`
  const drawn = svg('svg', { viewBox: '0 0 600 170', role: 'img', class: 'chart', 'aria-label': words })
  drawn.append(svg('title', {}, words), svg('polyline', { points: places.map((place) => place.join()).join(' ') }))
  places.forEach(([x, y], at) => drawn.append(svg('circle', { cx: x, cy: y, r: 4 }, svg('title', {}, `${points[at].count}, ${momentOf(points[at].at)}`))))
  const marks = [[0, 24, most], [0, 144, 0], [50, 165, dayOf(first.at)], [510, 165, dayOf(last.at)]]
  drawn.append(...marks.map(([x, y, text]) => svg('text', { x, y }, String(text))))
  return drawn
}

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
