// Which files of a table that is cut by cohort can hold a paper: their names say so (warehouse/schema/places.py).

const FIRST_YEAR = 2023 // of Daily Papers: years before are one file, where that is not too large

/**
 * The names of all files in which a paper's rows may be, the widest first.
 * @param {string} paperId
 */
export function lineage(paperId) {
  const month = (/^(\d\d(?:0[1-9]|1[0-2]))\.\d/.exec(paperId) ?? /\/(\d\d(?:0[1-9]|1[0-2]))\d+$/.exec(paperId))?.[1]
  if (!month) return ['all', 'titles', `titles-${/^title:([0-9a-f])/.exec(paperId)?.[1] ?? 'other'}`]
  const year = `${month >= '91' ? 19 : 20}${month.slice(0, 2)}`
  const place = `${year}-${month.slice(2)}`
  if (Number(year) < FIRST_YEAR) return ['all', 'older', year]
  const third = /^\d{4}\.(\d)/.exec(paperId)?.[1]
  const wide = ['all', year, `${year}-Q${Math.ceil(Number(month.slice(2)) / 3)}`, place]
  return third ? [...wide, `${place}-${third}`] : wide
}

/**
 * @param {string} key of a file
 * @param {string[]} paperIds
 */
export function mayHold(key, paperIds) {
  const place = /([^/]+)\.parquet$/.exec(key)?.[1] ?? ''
  return paperIds.some((id) => lineage(id).includes(place))
}
