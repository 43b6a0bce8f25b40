/**
 * What a cell can be. A kind fixes the wire form, the Arrow type, the danfo dtype and the TypeScript type of a column.
 *
 * | kind    | wire                                 | TypeScript | Arrow                        |
 * |---------|--------------------------------------|------------|------------------------------|
 * | code    | security, index or theme code        | string     | Dictionary<Int32, Utf8>      |
 * | date    | `YYYYMMDD`, a Beijing date           | string     | Dictionary<Int32, Utf8>      |
 * | minute  | `HHmm`, Beijing                      | string     | Dictionary<Int32, Utf8>      |
 * | clock   | `HH:mm:ss` or `HH:mm:ss.mmm`         | string     | Dictionary<Int32, Utf8>      |
 * | label   | short text that repeats              | string     | Dictionary<Int32, Utf8>      |
 * | moment  | date and time as the field says      | string     | Utf8                         |
 * | id      | identifier, always text              | string     | Utf8                         |
 * | text    | free text from outside               | string     | Utf8                         |
 * | number  | decimal                              | number     | Float64                      |
 * | integer | whole number within 32 bits          | number     | Int32                        |
 * | long    | whole number within 2^53             | number     | Float64                      |
 * | boolean | true or false                        | boolean    | Bool                         |
 * | texts   | array of strings                     | string[]   | List<Utf8>                   |
 * | json    | any JSON value                       | unknown    | Utf8 (its JSON text)         |
 */
export type Kind =
  | 'code'
  | 'date'
  | 'minute'
  | 'clock'
  | 'label'
  | 'moment'
  | 'id'
  | 'text'
  | 'number'
  | 'integer'
  | 'long'
  | 'boolean'
  | 'texts'
  | 'json'

/** A column of a dataset: the kind of its cells, their unit and their meaning. */
export interface Column {
  readonly kind: Kind
  /** What one means: yuan, percent, lot, point. Absent if a unit makes no sense. */
  readonly unit?: string
  /** Null is allowed and means "not known" or "did not happen", never zero. */
  readonly nullable?: true
  readonly meaning: string
  /** The only values allowed, if the contract fixes them. */
  readonly values?: readonly string[]
  /** How a code is written: `full` with the suffix of its market, `bare` without. Absent if the contract does not say. */
  readonly spelling?: 'full' | 'bare'
  /** A code that the vendor gave, and no exchange: of any length. */
  readonly isOwn?: true
  /** A date of trading: no Saturday, Sunday or holiday. */
  readonly isTrading?: true
  /** Present in one mode of a two-mode operation only (`hotstock`). */
  readonly mode?: 'latest' | 'history'
  /** Above zero is a rise or money that came in, below zero a fall or money that left: shown red and green. */
  readonly isChange?: true
  /** A credential: handed to code, never shown. */
  readonly secret?: true
}

/** A column that the wire does not carry and a query needs. `from` says how it is filled when an import lacks it. */
export interface StoredColumn extends Column {
  /** `given`: must be stated at import; otherwise the rule's name, see `src/data/archive/import/`. */
  readonly from: string
  /** Part of the archive's key, beside the key of the answer. */
  readonly key?: true
}

type Text = 'code' | 'date' | 'minute' | 'clock' | 'label' | 'moment' | 'id' | 'text'

type Value<C extends Column> = C['kind'] extends Text
  ? C extends { readonly values: readonly (infer V extends string)[] }
    ? V
    : string
  : C['kind'] extends 'number' | 'integer' | 'long'
    ? number
    : C['kind'] extends 'boolean'
      ? boolean
      : C['kind'] extends 'texts'
        ? readonly string[]
        : unknown

/** TypeScript type of a cell, with null if the contract allows it. */
export type Cell<C extends Column> = C extends { readonly nullable: true } ? Value<C> | null : Value<C>
