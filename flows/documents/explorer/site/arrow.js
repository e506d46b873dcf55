// Columns of rows as Arrow has them. Arrow's own builders write code as they run, which the page's policy forbids.
import { Bool, DateDay, Field, Float64, Int32, Int64, Int8, List, makeData, Struct, TimestampMicrosecond, Utf8 } from './duckdb.js'

const letters = new TextEncoder()

/**
 * Values of a declared type: `String`, `Datetime(time_unit='us', time_zone=None)`, `List(Struct({'name': String}))`.
 * @param {any[]} values null where there is none
 * @param {string} type
 * @returns {any}
 */
export function typed(values, type) {
  const [, name, inner = ''] = /^(\w+)(?:\((.*)\))?$/.exec(type) ?? []
  const nulls = bits(values.map((value) => value !== null))
  const common = { length: values.length, nullCount: values.filter((value) => value === null).length, nullBitmap: nulls }
  const numbers = (/** @type {any} */ kind, /** @type {any} */ made, /** @type {(value: any) => any} */ of, /** @type {any} */ zero) =>
    makeData({ ...common, type: made, data: kind.from(values, (/** @type {any} */ value) => (value === null ? zero : of(value))) })
  switch (name) {
    case 'Boolean': return makeData({ ...common, type: new Bool(), data: bits(values) })
    case 'Int8': return numbers(Int8Array, new Int8(), Number, 0)
    case 'Int32': return numbers(Int32Array, new Int32(), Number, 0)
    case 'Int64': return numbers(BigInt64Array, new Int64(), BigInt, 0n)
    case 'Float64': return numbers(Float64Array, new Float64(), Number, 0)
    case 'Date': return numbers(Int32Array, new DateDay(), (day) => Math.floor(Number(day) / 864e5), 0)
    case 'Datetime': return numbers(BigInt64Array, new TimestampMicrosecond(), (at) => BigInt(Number(at)) * 1000n, 0n)
    case 'List': return listed(values, inner, common)
    case 'Struct': return structured(values, inner, common)
    default: return texts(values, common)
  }
}

/** One bit each, the lowest first. @param {any[]} values */
function bits(values) {
  const made = new Uint8Array(Math.ceil(values.length / 8))
  values.forEach((value, at) => { if (value) made[at >> 3] |= 1 << (at & 7) })
  return made
}

/**
 * @param {any[]} values
 * @param {object} common
 */
function texts(values, common) {
  const parts = values.map((value) => letters.encode(value ?? ''))
  const ends = offsets(parts)
  const data = new Uint8Array(ends[ends.length - 1])
  parts.forEach((part, at) => data.set(part, ends[at]))
  return makeData({ ...common, type: new Utf8(), valueOffsets: ends, data })
}

/** Where each begins, and the last ends. @param {ArrayLike<any>[]} parts */
function offsets(parts) {
  const ends = new Int32Array(parts.length + 1)
  parts.forEach((part, at) => (ends[at + 1] = ends[at] + part.length))
  return ends
}

/**
 * @param {any[]} values
 * @param {string} inner
 * @param {object} common
 */
function listed(values, inner, common) {
  const child = typed(values.flatMap((value) => value ?? []), inner)
  return makeData({ ...common, type: new List(new Field('item', child.type, true)), valueOffsets: offsets(values.map((value) => value ?? [])), child })
}

/**
 * @param {any[]} values
 * @param {string} inner
 * @param {object} common
 */
function structured(values, inner, common) {
  const fields = [...inner.matchAll(/'(\w+)': (\w+)/g)]
  const children = fields.map(([, name, type]) => typed(values.map((value) => value?.[name] ?? null), type))
  return makeData({ ...common, type: new Struct(fields.map(([, name], at) => new Field(name, children[at].type, true))), children })
}
