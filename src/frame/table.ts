import type { Bool, Dictionary, Float64, Int32, List, Table, Utf8 } from 'apache-arrow'
import type { Catalogue, DatasetName } from '../contract/catalogue.js'
import type { Column, Kind } from '../contract/column.js'

type ArrowKind<K extends Kind> = K extends 'code' | 'date' | 'minute' | 'clock' | 'label'
  ? Dictionary<Utf8, Int32>
  : K extends 'moment' | 'id' | 'text' | 'json'
    ? Utf8
    : K extends 'number' | 'long'
      ? Float64
      : K extends 'integer'
        ? Int32
        : K extends 'boolean'
          ? Bool
          : List<Utf8>

type ArrowColumns<C extends Readonly<Record<string, Column>>> = { [N in keyof C & string]: ArrowKind<C[N]['kind']> }

/** The Arrow table of a dataset, with its column names and types. */
export type TableOf<N extends DatasetName> = Table<ArrowColumns<Catalogue[N]['columns']>>
