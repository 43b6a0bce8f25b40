/** dist/lib, which build/lib.mjs builds. */
declare module '#echarts' {
  export { init } from 'echarts/core'
}

declare module '#html-parser' {
  export { Parser } from 'htmlparser2'
}

declare module '#markup' {
  export function codeHtml(source: string): string
  export function markdownHtml(text: string): string
  export const notebookStyle: string
}

/** A style sheet as text. */
declare module '*.css' {
  const text: string
  export default text
}

declare module '#clickhouse' {
  export { ClickHouseLogLevel, createClient } from '@clickhouse/client'
}

declare module '#prometheus' {
  export { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
}

declare module '#undici' {
  export { Agent, buildConnector } from 'undici'
}

declare module '#statistics' {
  export {
    linearRegression,
    mean,
    median,
    sampleCorrelation,
    sampleCovariance,
    sampleKurtosis,
    sampleRankCorrelation,
    sampleSkewness,
    sampleStandardDeviation,
    sampleVariance,
  } from 'simple-statistics'

  // pure-rand's own types are found by its exports alone, which TypeScript does not read for CommonJS
  interface RandomSource {
    next(): number
  }
  export function xoroshiro128plus(seed: number): RandomSource
  /** A whole number, both ends included. */
  export function uniformInt(source: RandomSource, from: number, to: number): number
}

declare module '#spreadsheet' {
  // hucre's own types are found by its exports alone, which TypeScript does not read for CommonJS
  type Cell = string | number | boolean | Date | null
  interface Sheet {
    readonly name: string
    readonly rows: Cell[][]
    /** Cells of which more is known than their value, by row and column from 0: `1,2`. */
    readonly cells?: ReadonlyMap<string, { readonly value: Cell; readonly formula?: string }>
  }
  export function readXlsx(
    bytes: Uint8Array,
    options: { sheets: (info: { name: string; index: number }) => boolean },
  ): Promise<{ readonly sheets: readonly Sheet[] }>
  export function writeXlsx(book: {
    sheets: (Omit<Sheet, 'cells'> & {
      columns: { width: number; numFmt?: string }[]
      cells: ReadonlyMap<string, { value: Cell; style: object }>
      rowDefs: ReadonlyMap<number, { height: number }>
      freezePane: { rows: number }
    })[]
    properties: { creator: string; created: Date; modified: Date }
  }): Promise<Uint8Array>
}

declare module '#parquet' {
  type Whole = typeof import('parquet-wasm')
  type Used = 'Compression' | 'ParquetFile' | 'Table' | 'WriterPropertiesBuilder' | 'wasmMemory' | 'writeParquet'
  /**
   * An instance of the codec, which shares nothing with any other.
   * @param pages of 64 KiB that its memory may have
   */
  export function again(pages: number): Pick<Whole, Used> & {
    /** The end of work that this instance does, or its breakdown. */
    unlessTrapped<T>(work: Promise<T>): Promise<T>
  }
}

declare module '#pinyin' {
  export { pinyin } from 'pinyin-pro'
}

declare module '#redis' {
  export { Redis } from 'ioredis'
}

declare module '#queue' {
  export { Queue } from 'bullmq/dist/esm/classes/queue.js'
  export { Worker } from 'bullmq/dist/esm/classes/worker.js'
}

/** What src/server/mcp/protocol.ts exports. */
declare module '#mcp'
