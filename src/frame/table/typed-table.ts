import type { Bool, Dictionary, Float64, Int32, List, Table, Utf8 } from 'apache-arrow'
import type { Catalogue, DatasetName } from '../../contract/catalogue.js'
import type { Kind } from '../../contract/column.js'
import type { columnTypes } from './arrow.js'

interface ArrowTypes {
  float: Float64
  int: Int32
  boolean: Bool
  dictionary: Dictionary<Utf8, Int32>
  string: Utf8
  list: List<Utf8>
}

type Picked<N extends DatasetName, F extends string> = Pick<
  Catalogue[N]['columns'],
  keyof Catalogue[N]['columns'] & ([F] extends [never] ? string : F)
>

/** Arrow types of the columns of a dataset, or of some of them: over the columns themselves, so that editors show what they say. */
export type ColumnsOf<N extends DatasetName, F extends string = string> = {
  -readonly [K in keyof Picked<N, F>]: ArrowTypes[(typeof columnTypes)[Picked<N, F>[K] extends {
    readonly kind: infer D extends Kind
  }
    ? D
    : never]]
}

/** The Arrow table of a dataset, with its column names and types; only the fields `F`, if given. */
export type TableOf<N extends DatasetName, F extends string = string> = Table<ColumnsOf<N, F>>
