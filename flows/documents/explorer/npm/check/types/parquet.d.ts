export { parquetMetadataAsync, parquetReadObjects, rowIndex } from 'hyparquet'
export function decompress(input: Uint8Array, output: Uint8Array): Uint8Array
