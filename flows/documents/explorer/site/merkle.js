// Hash trees as Certificate Transparency has them (RFC 9162, 2.1.3), as flows/documents/roots.py makes them.

const hashed = async (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, '0')).join('')

/** @param {Uint8Array<ArrayBuffer> | ArrayBuffer} bytes */
export const sha256 = async (bytes) => hex(await hashed(new Uint8Array(bytes)))

/** Whether this page may hash: a browser lets only pages of https and of this machine do it. */
export const mayHash = () => Boolean(globalThis.crypto?.subtle)

/** @param {string} leaf */
export const leafHash = (leaf) => hashed(new Uint8Array([0, ...new TextEncoder().encode(leaf)]))

/**
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 */
const nodeHash = (left, right) => hashed(new Uint8Array([1, ...left, ...right]))

/** The largest power of two below a count. @param {number} count */
const half = (count) => 2 ** Math.floor(Math.log2(count - 1))

/**
 * The root over leaves, and the hashes that lead to it from the leaf at a place, from the bottom up.
 * @param {Uint8Array[]} leaves hashed, at least one
 * @param {number} at
 * @returns {Promise<{ root: Uint8Array, path: Uint8Array[] }>}
 */
export async function proved(leaves, at) {
  if (leaves.length === 1) return { root: leaves[0], path: [] }
  const cut = half(leaves.length)
  const [left, right] = await Promise.all([proved(leaves.slice(0, cut), at), proved(leaves.slice(cut), at - cut)])
  const path = at < cut ? [...left.path, right.root] : [...right.path, left.root]
  return { root: await nodeHash(left.root, right.root), path }
}

/**
 * The root that a leaf's path leads to; null where the path does not fit the place.
 * @param {string} leaf
 * @param {number} at
 * @param {number} count of leaves
 * @param {string[]} path in hex
 */
export async function rootFrom(leaf, at, count, path) {
  if (!(Number.isSafeInteger(at) && at >= 0 && at < count)) return null
  const sides = []
  for (let [first, last] = [at, count]; last > 1; ) {
    const cut = half(last)
    sides.unshift(first < cut)
    ;[first, last] = first < cut ? [first, cut] : [first - cut, last - cut]
  }
  if (sides.length !== path.length || path.some((one) => !/^[0-9a-f]{64}$/.test(one))) return null
  let found = await leafHash(leaf)
  for (const [place, one] of path.entries()) {
    const other = Uint8Array.from(one.match(/../g) ?? [], (pair) => parseInt(pair, 16))
    found = await (sides[place] ? nodeHash(found, other) : nodeHash(other, found))
  }
  return hex(found)
}
