import { Data, type DataType, type Dictionary } from 'apache-arrow'

/** A chunk whose cells are put together when somebody first reads one. Until then it holds on to what they come from. */
export class LateChunk extends Data {
  #make: (() => Data) | undefined
  #made: Data | undefined
  readonly #held: number

  /** @param held the rows of what the cells come from */
  constructor(type: DataType, length: number, dictionary: Data['dictionary'], held: number, make: () => Data) {
    super(type, 0, length, undefined, undefined, undefined, dictionary)
    this.#make = make
    this.#held = held
  }

  static {
    for (const key of ['values', 'nullBitmap', '_nullCount'] as const) {
      const get = function (this: LateChunk): unknown {
        return this.#own[key]
      }
      Object.defineProperty(LateChunk.prototype, key, { get, set: () => undefined })
    }
  }

  get #own(): Data {
    if (this.#make) {
      this.#made = this.#make()
      this.#make = undefined
    }
    return this.#made as Data
  }

  /** Rows that are kept in memory for its cells. */
  get held(): number {
    return this.#make ? this.#held : this.length
  }

  /** The same cells as another type has them. */
  under(type: DataType): Data {
    return new LateChunk(type, this.length, this.dictionary, this.held, () => this.#own.clone(type))
  }
}

/** How many times its own rows a chunk may hold on to. */
const most = 8

/** A chunk of what `make` gives, later where that keeps little in memory: a small part of many rows is taken at once, so that they can go. */
export function lateChunk(like: Data, length: number, sources: readonly Data[], make: () => Data): Data {
  const { type, dictionary } = like as Data<DataType> & Data<Dictionary>
  const held = sources.reduce((sum, chunk) => sum + (chunk instanceof LateChunk ? chunk.held : chunk.length), 0)
  return held > most * length ? make() : new LateChunk(type, length, dictionary, held, make)
}
