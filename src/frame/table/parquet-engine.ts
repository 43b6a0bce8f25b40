import { messageOf } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { usualLimits } from './parquet-file/limits.js'

/*
 * What Quotebook needs of parquet-wasm, in its own words: declarations of ours can not name a type of it, since it comes as
 * a part of the build.
 */

interface Freed {
  free(): void
}

export interface CodecBatch {
  /** By the Arrow C data interface. */
  intoFFI(): Freed & { arrayAddr(): number }
  intoIPCStream(): Uint8Array
}

export interface CodecTable extends Freed {
  recordBatches(): CodecBatch[]
  intoIPCStream(): Uint8Array
}

export interface CodecReading {
  batchSize?: number
  /** Rows that are passed over, and rows that are read. */
  offset?: number
  limit?: number
  rowGroups?: number[]
  columns?: string[]
}

export interface CodecFile extends Freed {
  schema(): { intoIPCStream(): Uint8Array }
  read(options?: CodecReading): Promise<CodecTable>
}

export interface Codec {
  readonly ParquetFile: { fromFile(handle: Blob): Promise<CodecFile> }
  wasmMemory(): { readonly buffer: ArrayBufferLike }
  /** The end of work that this instance does, or its breakdown. */
  unlessTrapped<T>(work: Promise<T>): Promise<T>
}

type Module = ReturnType<typeof import('#parquet')['again']>

const memoryPage = 2 ** 16
const mostPages = 2 ** 16
/** Instances of the codec by the pages of memory that each may have. */
const loaded = new Map<number, Promise<Module>>()

function codec(pages: number): Promise<Module> {
  const known = loaded.get(pages) ?? import('#parquet').then(({ again }) => again(pages))
  loaded.set(pages, known)
  return known
}

/**
 * The Parquet codec, loaded on first use: 5 MB of wasm. It breaks down where a file needs more memory than it may have, whatever
 * the file says of itself.
 * @param bytes that what is read may take
 */
export async function parquetCodec(bytes: number = usualLimits.bytes): Promise<Codec> {
  return codec(Math.min(mostPages, Math.max(512, Math.ceil((bytes * 0.75) / memoryPage))))
}

/** How a Parquet file is laid out. */
export interface ParquetLayout {
  /** Rows of a row group at most. */
  readonly rowGroup: number
  /** Default ZSTD, the smallest; SNAPPY is read several times as fast. */
  readonly compression?: 'ZSTD' | 'SNAPPY' | undefined
  /** Bytes of a page before it is compressed, about: what is read of a column is at least one. */
  readonly page?: number | undefined
}

/**
 * A table in an Arrow IPC stream as a Parquet file.
 * @param plain columns whose cells are written as they are, not as numbers of a dictionary
 */
export async function encodeParquet(
  stream: Uint8Array,
  { rowGroup, compression = 'ZSTD', page }: ParquetLayout,
  plain: readonly string[] = [],
): Promise<Uint8Array> {
  const { Compression, Table, WriterPropertiesBuilder, writeParquet } = await codec(mostPages)
  let properties = new WriterPropertiesBuilder()
    .setCompression(Compression[compression])
    .setCreatedBy('quotebook')
    .setMaxRowGroupSize(rowGroup)
  if (page !== undefined) properties = properties.setDataPageSizeLimit(page)
  for (const name of plain) properties = properties.setColumnDictionaryEnabled(name, false)
  return writeParquet(Table.fromIPCStream(stream), properties.build())
}

/** Whether a codec has broken down. */
export function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

/** Why reading failed, in words: a codec does not say why it breaks down. */
export function whyBroken(error: unknown): Words {
  return isTrap(error) ? sentence`it is damaged, or needs more memory than it may have` : messageOf(error)
}

/** Lets go of codecs when one has failed in the middle of its work: the next use begins with a fresh one. */
export function resetCodecs(error: unknown): void {
  if (isTrap(error)) loaded.clear()
}
