import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Dataset } from '../../../contract/dataset.js'
import { eachRun, type RowSlice, sliceLength } from '../../../data/archive/answer/row-slices.js'
import { bytesOf } from '../../../frame/table/size.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import type { ServiceAnswer } from '../service-answer.js'
import { ByteWriter, type EncodedRows, encodeRows, rowWriter } from './row-encoder.js'

/** The share of its rows that must have been queried before the rows of a part are encoded whole. */
const wholeShare = 1 / 4
/** Most rows of a part that is encoded whole. */
const maxRows = 2 ** 16
/** Longer requests, and larger answers, are not cached: they cost more to send than to compute. Bytes. */
const [maxRequest, maxAnswer] = [1024, 2 ** 16]
/** Bytes of a cached answer beside its texts, about. */
const overhead = 600
const hashSlots = 2 ** 18

/** A part as it is sent. `fields`: an operation with two modes has other ones in each. */
interface EncodedPart extends EncodedRows {
  readonly fields: readonly string[]
}

/** The answer to a request that came before: whose key was in it, and the state of the archive that it is of. */
export interface CachedAnswer {
  readonly apikey: string
  readonly apiname: string
  readonly state: string
  readonly answer: ServiceAnswer
}

/** A request as the key of its answer; undefined for one that is too long. */
export function requestKey(body: Uint8Array): string | undefined {
  if (body.length > maxRequest) return undefined
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
}

/**
 * What is encoded once and sent again, under one bound of bytes: the rows of parts that are queried often, of which answers are
 * slices, and small answers to requests that come again, byte for byte, while the archive is in the same state. What is queried
 * seldom, once, or in another order of columns, is encoded for the answer alone.
 */
export class EncodedCache {
  readonly #entries: LRUCache<RecordColumns | string, EncodedPart | CachedAnswer>
  /** Rows queried since a part was first seen, or last evicted. */
  readonly #queried = new WeakMap<RecordColumns, number>()
  /** Hashes of requests that came once: only what comes again is cached. */
  readonly #hashes = new Int32Array(hashSlots)

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: (entry, key) => {
        if (typeof key === 'string')
          return overhead + key.length + ((entry as CachedAnswer).answer.chunks[0]?.length ?? 0)
        // The columns count too: the cache of columns may have evicted them.
        const { bytes, ends } = entry as EncodedPart
        return bytes.length + ends.byteLength + bytesOf(key)
      },
      dispose: (_, key) => typeof key !== 'string' && this.#queried.delete(key),
    })
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  /** The answer to a request, whoever sends it: its key is a part of it, and is authenticated each time. */
  answer(key: string | undefined, state: string | undefined): CachedAnswer | undefined {
    const found = key === undefined ? undefined : (this.#entries.get(key) as CachedAnswer | undefined)
    return found?.state === state ? found : undefined
  }

  /** The answer, cached where it is small and its request came before. */
  addAnswer(key: string | undefined, cached: CachedAnswer): ServiceAnswer {
    const { answer } = cached
    const size = answer.chunks.reduce((sum, { length }) => sum + length, 0)
    if (key === undefined || size > maxAnswer) return answer
    const hash = crc32(key) | 0
    const slot = hash & (hashSlots - 1)
    if (this.#hashes[slot] === hash) {
      // In memory of its own: a small buffer out of Node's pool would keep all 8 KiB of the pool.
      const whole = { ...answer, chunks: [new Uint8Array(Buffer.concat(answer.chunks))] }
      this.#entries.set(key, { ...cached, answer: whole })
      return whole
    }
    this.#hashes[slot] = hash
    return answer
  }

  /** The rows of a slice as JSON arrays, each with a comma behind it. `all`: the fields are those of the contract, in its order. */
  chunks(dataset: Dataset, slice: RowSlice, fields: readonly string[], all: boolean): Uint8Array[] {
    const part = all ? this.#part(dataset, slice, fields) : undefined
    if (!part) {
      const writer = new ByteWriter(Math.min(2 ** 20, 128 * sliceLength(slice)))
      const write = rowWriter(dataset, slice.columns, fields)
      eachRun(slice, (from, to) => write(writer, from, to))
      return [writer.toBuffer()]
    }
    const { bytes, ends } = part
    const out: Uint8Array[] = []
    eachRun(slice, (from, to) => out.push(bytes.subarray(ends[from], ends[to])))
    return out
  }

  #part(dataset: Dataset, slice: RowSlice, fields: readonly string[]): EncodedRows | undefined {
    const { columns } = slice
    const part = this.#entries.get(columns) as EncodedPart | undefined
    if (part) return part.fields === fields || part.fields.join() === fields.join() ? part : undefined
    if (columns.length > maxRows) return undefined
    const before = this.#queried.get(columns)
    const queried = (before ?? 0) + sliceLength(slice)
    this.#queried.set(columns, queried)
    // Rows that were joined for one answer are seen once.
    if (before === undefined || queried < columns.length * wholeShare) return undefined
    // Once, whatever becomes of it; this answer does not wait for it.
    this.#queried.set(columns, -Infinity)
    encodeRows(dataset, columns, fields).then(
      (rows) => this.#entries.set(columns, { ...rows, fields }),
      () => undefined,
    )
    return undefined
  }
}
