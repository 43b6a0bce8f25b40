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

/** Arrow types of the columns of a dataset, or of some of them. */
export type ColumnsOf<N extends DatasetName, F extends string = string> = {
  [K in keyof Catalogue[N]['columns'] &
    ([F] extends [never] ? string : F)]: ArrowTypes[(typeof columnTypes)[Catalogue[N]['columns'][K] extends {
    readonly kind: infer D extends Kind
  }
    ? D
    : never]]
}

/** The Arrow table of a dataset, with its column names and types; of the fields `F` where they are chosen. */
export type TableOf<N extends DatasetName, F extends string = string> = Table<ColumnsOf<N, F>>
