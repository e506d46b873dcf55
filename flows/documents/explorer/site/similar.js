// The papers most like one, and what they share with it: the macro `similar_to` of the release, step by step.
import { papersNamed, item } from './lists.js'
import { has, rows } from './tables.js'
import { counted, make, whenSeen } from './words.js'

const FEW = 6 // shown at first: each may lie in another part of the table of papers

/** Keywords that so many papers have that they are no reason. @returns {Promise<Set<string>>} */
const common = async () => new Set((await (await fetch(new URL('common.json', document.baseURI))).json()).keywords)

/** @param {string} paperId */
export async function alike(paperId) {
  if (!has('similar_papers')) return []
  const found = await rows('similar_papers', ['paper_id', 'rank', 'other_paper_id', 'score'], { paper_id: { $eq: paperId } })
  return found.sort((one, other) => one.rank - other.rank)
}

/**
 * Paper → what it shares with the one, in the macro's words.
 * @param {string} paperId
 * @param {string[]} others
 */
export async function reasons(paperId, others) {
  const among = { paper_id: { $in: [paperId, ...others] } }
  const [papers, keywords, authors, links, many] = await Promise.all([
    rows('papers', ['paper_id', 'organization_login', 'organization_name'], among),
    rows('paper_keywords', ['paper_id', 'keyword'], among),
    rows('paper_authors', ['paper_id', 'name'], among),
    rows('paper_links', ['paper_id', 'repository'], among),
    common(),
  ])
  const values = (/** @type {any[]} */ found, /** @type {string} */ column, /** @type {string} */ of) =>
    new Set(found.filter((row) => row.paper_id === of && row[column] !== null).map((row) => row[column]))
  const shared = (/** @type {any[]} */ found, /** @type {string} */ column, /** @type {string} */ other) =>
    [...values(found, column, other)].filter((value) => values(found, column, paperId).has(value)).sort()
  const asked = papers.find((row) => row.paper_id === paperId)
  return new Map(others.map((other) => {
    const isSame = asked?.organization_login && papers.find((row) => row.paper_id === other)?.organization_login === asked.organization_login
    const parts = {
      keywords: shared(keywords, 'keyword', other).filter((keyword) => !many.has(keyword)),
      authors: shared(authors, 'name', other),
      organization: isSame && asked.organization_name ? [asked.organization_name] : [],
      repository: shared(links, 'repository', other),
    }
    return [other, Object.entries(parts).filter(([, found]) => found.length).map(([name, found]) => `${name}: ${found.join(', ')}`).join('; ')]
  }))
}

/**
 * The section, filled once it is looked at.
 * @param {string} paperId
 */
export function similar(paperId) {
  return whenSeen('Similar papers', async (section) => {
    const listed = make('ol', { class: 'papers similar' })
    const told = make('p', { class: 'soft', role: 'status' })
    section.append(told, listed)
    const failed = (/** @type {Error} */ error) => told.replaceChildren(error.message)
    const found = await alike(paperId)
    if (!found.length) return told.replaceChildren('This release has none.')
    const draw = async (/** @type {any[]} */ some) => {
      const papers = await papersNamed(some.map((row) => row.other_paper_id))
      const drawn = some.map((row) => item(papers.get(row.other_paper_id) ?? { paper_id: row.other_paper_id }, row.rank, `${(row.score / 100).toFixed(0)}% alike`))
      listed.append(...drawn)
    }
    await draw(found.slice(0, FEW))
    let isAll = found.length <= FEW
    const rest = async () => {
      all.remove()
      if (!isAll) await draw(found.slice(FEW))
      isAll = true
    }
    const all = make('button', { type: 'button' }, `All ${found.length}`)
    all.addEventListener('click', () => rest().catch(failed))
    const why = make('button', { type: 'button' }, 'What they share')
    const explain = async () => {
      why.remove()
      const [shares] = await Promise.all([reasons(paperId, found.map((row) => row.other_paper_id)), rest()])
      found.forEach((row, at) => listed.children[at]?.append(make('p', { class: 'reasons', dir: 'auto' }, shares.get(row.other_paper_id) || 'Only words of title and abstract.')))
      told.textContent = `${counted(found.length, 'paper')} with what they share; keywords that many papers have are left out.`
    }
    why.addEventListener('click', () => explain().catch(failed))
    told.textContent = 'By the words of title and abstract, the most alike first.'
    section.append(make('p', { class: 'buttons' }, !isAll && all, why))
  })
}
