// What database.js and arrow.js take of DuckDB and Arrow, whose own types need both packages whole.
declare const any: any
export {
  any as AsyncDuckDB, any as Bool, any as DateDay, any as Field, any as Float64, any as Int32, any as Int64, any as Int8,
  any as List, any as makeData, any as parquetWriteBuffer, any as Struct, any as Table, any as TimestampMicrosecond,
  any as Utf8, any as Vector, any as VoidLogger,
}
