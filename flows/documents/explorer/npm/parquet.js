// What the explorer reads Parquet with: flows/documents/explorer/site/tables.js says how. `make assets` makes one module of it.
export { parquetMetadataAsync, parquetReadObjects, rowIndex } from 'hyparquet'
export { decompress } from 'fzstd'
