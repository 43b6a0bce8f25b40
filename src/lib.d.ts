/** dist/lib, which build/lib.mjs builds. */
declare module '#echarts' {
  export { init } from 'echarts/core'
}

declare module '#statistics' {
  export {
    linearRegression,
    mean,
    median,
    sampleCorrelation,
    sampleCovariance,
    sampleRankCorrelation,
    sampleStandardDeviation,
    sampleVariance,
  } from 'simple-statistics'
}

declare module '#parquet' {
  export {
    Compression,
    ParquetFile,
    readParquet,
    Table,
    WriterPropertiesBuilder,
    wasmMemory,
    writeParquet,
  } from 'parquet-wasm'
  /** The end of work that this instance does, or its breakdown. */
  export function unlessTrapped<T>(work: Promise<T>): Promise<T>
  /** Another instance of the codec, which shares nothing with this one. */
  export function again(): typeof import('#parquet')
}
