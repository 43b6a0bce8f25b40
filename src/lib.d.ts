/** dist/lib, which build/lib.mjs builds. */
declare module '#echarts' {
  export { init } from 'echarts/core'
}

declare module '#parquet' {
  export { Compression, ParquetFile, readParquet, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
}
