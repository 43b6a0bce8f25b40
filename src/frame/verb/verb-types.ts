import type { Bool, DataType, Dictionary, Float64, Int32, Table, TypeMap, Utf8 } from 'apache-arrow'
import type { CellOf, ColumnsIn, Data, FrameOf, NameOf, NameOfType, Numeric } from '../data.js'
import type { Comparable, FlagArray, TextArray } from './cell-array.js'
import type { NumberArray } from './number-array.js'

/** A column whose type the compiler does not know: what any can do. */
export type AnyArray = readonly CellOf<DataType>[] &
  Omit<NumberArray, keyof Float64Array | symbol> &
  Pick<TextArray, keyof Comparable<never>> &
  Pick<FlagArray, 'and' | 'or' | 'not'>

/** A column as an array that computes as a whole: numbers with NaN where missing, anything else with null. */
export type ArrayOf<T> = 0 extends CellOf<T> & 1
  ? AnyArray
  : [CellOf<T>] extends [number]
    ? NumberArray
    : [CellOf<T>] extends [string | null]
      ? TextArray
      : [CellOf<T>] extends [boolean | null]
        ? FlagArray
        : readonly CellOf<T>[]

/** Columns as arrays, by name. */
export type ArraysIn<D> = { readonly [K in NameOf<D>]: ArrayOf<ColumnsIn<D>[K]> }

type Text = Dictionary<Utf8, Int32>

/** The same form of data as `D`, with other columns. */
// biome-ignore lint/suspicious/noExplicitAny: a table of any columns
export type SameForm<D, C extends TypeMap> = D extends Table<any> ? Table<C> : FrameOf<C>

/** The same form of data as `D`, with columns that the compiler does not know. */
// biome-ignore lint/suspicious/noExplicitAny: the columns are not known
export type SameFormUntyped<D> = D extends Table<any> ? Table<any> : FrameOf<TypeMap>

/** A sort key: `name`, or `-name` for descending. */
export type SortKey<D> = NameOf<D> | `-${NameOf<D>}`

type Flat<C> = { [K in keyof C]: C[K] } extends infer F extends TypeMap ? F : never

/** What a function makes of columns. */
export type ColumnResult =
  | Float64Array
  | Int32Array
  | readonly (number | null)[]
  | readonly (string | null)[]
  | readonly (boolean | null)[]
  | number
  | string
  | boolean
  | null

/** Arrow type of what was made. */
export type TypeOfResult<R> = R extends Int32Array
  ? Int32
  : R extends Float64Array
    ? Float64
    : TypeOfCell<R extends readonly (infer C)[] ? C : R>

type TypeOfCell<C> = [C] extends [number | null] ? Float64 : [C] extends [string | null] ? Text : Bool

/** Columns of `C` and of `More`, which take the place of those of the same name. */
export type WithColumns<C, More> = string extends keyof C
  ? TypeMap
  : [keyof C & keyof More] extends [never]
    ? C & More extends infer F extends TypeMap
      ? F
      : never
    : Flat<Omit<C, keyof More> & More>

/** Only the named columns of `C`. */
export type OnlyColumns<C, K extends string> = string extends keyof C ? TypeMap : Flat<Pick<C, K & keyof C>>

/** Columns of `C` under the names that `R` gives them. */
export type Renamed<C, R> = string extends keyof C
  ? TypeMap
  : Flat<{ [K in keyof C as K extends keyof R ? R[K] & string : K]: C[K] }>

/** What brings columns of `C` together in one: whole numbers beside others are numbers, all text is text. */
export type TypeOfColumns<C, K extends string> = string extends keyof C ? DataType : TypeTogether<C[K & keyof C]>

type TypeTogether<T> = [T] extends [Int32 | Float64]
  ? [T] extends [Int32]
    ? Int32
    : Float64
  : [T] extends [Utf8 | Text]
    ? [T] extends [Utf8]
      ? Utf8
      : Text
    : T extends DataType
      ? T
      : never

/** What needs numbers. */
export type NumberOperation = 'sum' | 'mean' | 'median' | 'std' | 'var'

/** How a group becomes one number or text. */
export type Operation = NumberOperation | 'min' | 'max' | 'first' | 'last' | 'count' | 'nunique'

/** One result column of `groupBy`: a column and its operation, the number of rows, or a function. */
export type Aggregate<D> =
  | readonly [column: NameOf<D>, operation: Exclude<Operation, NumberOperation>]
  | readonly [column: NameOfType<D, Numeric>, operation: NumberOperation]
  | 'rows'
  | ((columns: ArraysIn<D>) => number | string | boolean | null)

/** Arrow type of an aggregate. */
export type TypeOfAggregate<C, A> = A extends 'rows'
  ? Int32
  : A extends readonly [infer N, infer O]
    ? O extends 'count' | 'nunique'
      ? Int32
      : O extends 'min' | 'max' | 'first' | 'last'
        ? N extends keyof C
          ? C[N]
          : never
        : Float64
    : A extends (...columns: never[]) => infer R
      ? TypeOfResult<R>
      : never

/** Columns of a join: the left ones, then the right ones without its keys, under a suffix where the name is taken. */
export type Joined<L, R, K extends string, S extends string> = string extends keyof L
  ? TypeMap
  : string extends keyof R
    ? TypeMap
    : Flat<L & { [N in Exclude<keyof R & string, K> as N extends keyof L ? `${N}${S}` : N]: R[N] }>

/** Key columns: names that both sides have, or names of the left with those of the right. */
export type On<L, R> =
  | (NameOf<L> & NameOf<R>)
  | readonly (NameOf<L> & NameOf<R>)[]
  | { readonly [N in NameOf<L>]?: NameOf<R> }

/** Names of the right's key columns. */
export type RightKey<O> = O extends string ? O : O extends readonly (infer N)[] ? N & string : O[keyof O] & string

export type { ColumnsIn, Data, NameOf }
