// What the explorer asks SQL with: flows/documents/explorer/site/database.js says how. `make explore` makes one module of it.
export { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm'
export { Bool, DateDay, Field, Float64, Int8, Int32, Int64, List, makeData, Struct, Table, TimestampMicrosecond, Utf8, Vector } from 'apache-arrow'
export { parquetWriteBuffer } from 'hyparquet-writer'
