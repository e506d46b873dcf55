// DuckDB's worker. Its WebAssembly comes compressed, whether the server would compress it or not, and is unpacked here.
const plain = self.fetch.bind(self)

/** @param {RequestInfo | URL} asked @param {RequestInit} [how] */
self.fetch = async (asked, how) => {
  const answer = await plain(asked, how)
  if (!answer.ok || !answer.body || !answer.url.endsWith('.wasm.gz')) return answer
  // A server may have said that it is compressed: then it is unpacked already
  const [head, body] = answer.body.tee()
  const first = await head.getReader().read()
  const isPacked = first.value?.[0] === 0x1f && first.value?.[1] === 0x8b
  const unpacked = isPacked ? body.pipeThrough(new DecompressionStream('gzip')) : body
  return new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } })
}

// @ts-expect-error of a worker, which the checker takes for a page
importScripts('duckdb.worker.js')
