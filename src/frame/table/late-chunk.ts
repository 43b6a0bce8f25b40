import { Data, type DataType, type Dictionary } from 'apache-arrow'

/** What a chunk is made of whose cells nobody has read yet, and how many rows that holds in memory. */
interface Pending {
  readonly held: number
  readonly make: () => Data
}

const pending = new WeakMap<Data, Pending>()

/** Whether the cells of a chunk are put together when somebody first reads one. */
export function isLate(chunk: Data): boolean {
  return pending.has(chunk)
}

/** A chunk that holds on to what its cells come from, until one is read. */
function pendingChunk(type: DataType, length: number, dictionary: Data['dictionary'], from: Pending): Data {
  const chunk = new Data(type, 0, length, undefined, undefined, undefined, dictionary)
  const put = (value: unknown, key: string): void => {
    Object.defineProperty(chunk, key, { value, writable: true, enumerable: true, configurable: true })
  }
  const own = (): Data => {
    const { values, nullBitmap, nullCount } = from.make()
    pending.delete(chunk)
    put(values, 'values')
    put(nullBitmap, 'nullBitmap')
    put(nullCount, '_nullCount')
    return chunk
  }
  for (const key of ['values', 'nullBitmap', '_nullCount'] as const)
    Object.defineProperty(chunk, key, { get: () => own()[key], enumerable: true, configurable: true })
  pending.set(chunk, from)
  return chunk
}

/** The same cells as another type has them. */
export function lateUnder(type: DataType, chunk: Data): Data {
  const from = pending.get(chunk)
  if (!from) return chunk.clone(type)
  return pendingChunk(type, chunk.length, chunk.dictionary, { held: from.held, make: () => chunk.clone(type) })
}

/** How many times its own rows a chunk may hold on to. */
const most = 8

/** A chunk of what `make` gives, later where that keeps little in memory: a small part of many rows is taken at once, so that they can go. */
export function lateChunk(like: Data, length: number, sources: readonly Data[], make: () => Data): Data {
  const { type, dictionary } = like as Data<DataType> & Data<Dictionary>
  const held = sources.reduce((sum, chunk) => sum + (pending.get(chunk)?.held ?? chunk.length), 0)
  return held > most * length ? make() : pendingChunk(type, length, dictionary, { held, make })
}
