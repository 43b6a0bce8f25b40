/*
 * What Quotebook needs of parquet-wasm, in its own words: declarations of ours can not name a type of it, since it comes as
 * a part of the build.
 */

interface Freed {
  free(): void
}

export interface CodecBatch {
  readonly numRows: number
  /** By the Arrow C data interface. */
  intoFFI(): Freed & { arrayAddr(): number; schemaAddr(): number }
  intoIPCStream(): Uint8Array
}

export interface CodecTable extends Freed {
  recordBatches(): CodecBatch[]
  intoIPCStream(): Uint8Array
}

export interface CodecReading {
  batchSize?: number
  rowGroups?: number[]
  columns?: string[]
}

export interface CodecFile extends Freed {
  metadata(): {
    fileMetadata(): { numRows(): number }
    rowGroups(): { numRows(): number }[]
  }
  schema(): { intoIPCStream(): Uint8Array }
  read(options?: CodecReading): Promise<CodecTable>
}

export interface Codec {
  readonly ParquetFile: { fromFile(handle: Blob): Promise<CodecFile> }
  /** All columns, whatever the options say. */
  readParquet(bytes: Uint8Array, options?: CodecReading): CodecTable
  wasmMemory(): { readonly buffer: ArrayBufferLike }
  /** The end of work that this instance does, or its breakdown. */
  unlessTrapped<T>(work: Promise<T>): Promise<T>
}

type Module = typeof import('#parquet')

let loaded: Promise<Module> | undefined

function codec(): Promise<Module> {
  loaded ??= import('#parquet')
  return loaded
}

/** The Parquet codec, loaded on first use: 5 MB of wasm. */
export async function engine(): Promise<Codec> {
  return codec()
}

/** A table in an Arrow IPC stream as a Parquet file, ZSTD compressed, of so many rows a row group at most. */
export async function write(stream: Uint8Array, rowGroup: number): Promise<Uint8Array> {
  const { Compression, Table, WriterPropertiesBuilder, writeParquet } = await codec()
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setCreatedBy('quotebook')
    .setMaxRowGroupSize(rowGroup)
    .build()
  return writeParquet(Table.fromIPCStream(stream), properties)
}

/** Lets go of a codec that has failed in the middle of its work: the next use begins with a fresh one. */
export function afterFailure(error: unknown): void {
  if (!(error instanceof Error && error.name === 'RuntimeError')) return
  loaded = import('#parquet').then(({ again }) => again())
}
