import { Field, type Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import type { Data } from '../data.js'
import { type ArrowColumn, arrowColumn, fieldOf } from '../table/arrow.js'
import { tableOfColumns } from '../table/arrow-column.js'
import { asNullable } from '../table/declaration.js'
import { gatherCells } from '../table/gather-cells.js'
import { canGather, concatChunks, gatherChunk } from '../table/gather-chunk.js'
import type { ColumnData } from '../table/values.js'
import { toDataFrame } from '../to-data-frame.js'
import type { VerbInput } from './verb-input.js'

/** Columns of a result in order, with what is known of them. */
export class VerbOutput {
  readonly #length: number
  readonly #of = new Map<string, ArrowColumn>()

  constructor(length: number) {
    this.#length = length
  }

  has(name: string): boolean {
    return this.#of.has(name)
  }

  set(name: string, values: ColumnData, about: Column | undefined): void {
    this.#of.set(name, arrowColumn(name, values, about))
  }

  /** A column of the input, under its own name or another: the given rows of it, missing for row -1, or all. */
  copy(input: VerbInput, name: string, rows?: Int32Array, own = name, holes = false): void {
    const column = input.arrowColumn(name)
    if (column && (!rows || canGather(column.chunk))) {
      this.take(column, rows, own, holes)
      return
    }
    const [values, about] = [input.cells(name), input.declarationOf(name)]
    this.set(own, rows ? gatherCells(values, rows) : values, holes ? asNullable(about) : about)
  }

  /** The given rows of a column that can be gathered, or all, under a name. */
  take({ field, chunk }: ArrowColumn, rows: Int32Array | undefined, own: string, holes: boolean): void {
    const kept = field.metadata.size === 0 ? new Map([['kind', 'extra']]) : new Map(field.metadata)
    this.#of.set(own, {
      field: new Field(own, field.type, holes || field.nullable, kept),
      chunk: rows ? gatherChunk(chunk, rows, holes) : chunk,
    })
  }

  /** A column of several inputs end to end, as far as its chunks are alike; false where they are not. */
  join(inputs: readonly VerbInput[], name: string): boolean {
    const chunks = inputs.flatMap((input) => input.arrowColumn(name)?.chunk ?? [])
    const chunk = chunks.length === inputs.length ? concatChunks(chunks) : undefined
    if (chunk)
      this.#of.set(name, { field: fieldOf(name, chunk.type, asNullable(inputs[0]?.declarationOf(name))), chunk })
    return chunk !== undefined
  }

  table(): Table {
    return tableOfColumns([...this.#of.values()], this.#length)
  }

  /** In the form of the input: a table without schema metadata, or a DataFrame. */
  inFormOf(input: VerbInput): Data {
    return input.isFrame ? toDataFrame(this.table()) : this.table()
  }
}

/** The given rows of all columns, in that order. */
export function selectOutput(input: VerbInput, rows: Int32Array): Data {
  const output = new VerbOutput(rows.length)
  for (const name of input.names) output.copy(input, name, rows)
  return output.inFormOf(input)
}
