import type { Bool, DataType, Decimal, Dictionary, Float, Int, List, Table, TypeMap, Utf8 } from 'apache-arrow'
import type { DataFrame, Series } from './danfo-types.js'

/** An Arrow table or a danfo DataFrame: every verb accepts both. */
// biome-ignore lint/suspicious/noExplicitAny: a table of any columns; Table is not covariant in them
export type Data = Table<any> | DataFrame

/** Members without index signatures, so that a name which is not there is an error. */
type Known<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] }

/** danfo's DataFrame by its members alone. An interface, so that notebooks print its name and not its members. */
export interface KnownFrame extends Known<DataFrame> {}

/**
 * A DataFrame of these columns: `frame.close` is a Series, `frame.closse` an error. `$columnTypes` is there
 * for the compiler alone; it has a plain name because notebooks print this type into the declarations of a cell.
 */
export type TypedFrame<C> = KnownFrame & { readonly [K in keyof C]: Series } & { readonly $columnTypes: C }

/** A DataFrame whose columns the compiler knows, as far as it knows them. */
export type FrameOf<C extends TypeMap> = string extends keyof C ? DataFrame : TypedFrame<C>

/** Arrow types of the columns of a table or a frame, by name; of any name where they are not known. */
export type ColumnsIn<D> =
  D extends Table<infer C> ? C : D extends { readonly $columnTypes: infer C extends TypeMap } ? C : TypeMap

/** Column names of a table or a frame; any text where they are not known. */
export type NameOf<D> = Extract<keyof ColumnsIn<D>, string>

/** Names of the columns whose type is one of `T`; any text where types are not known. */
export type NameOfType<D, T> =
  string extends NameOf<D>
    ? string
    : { [K in NameOf<D>]: DataType extends ColumnsIn<D>[K] ? K : ColumnsIn<D>[K] extends T ? K : never }[NameOf<D>]

/** Arrow types whose cells are numbers. */
export type Numeric = Float | Int | Decimal

/** A cell as a program reads it: NaN for a missing number, null for anything else that is missing. */
export type CellOf<T> = T extends Float | Int
  ? number
  : T extends Bool
    ? boolean | null
    : T extends Utf8 | Dictionary<Utf8>
      ? string | null
      : T extends List<Utf8>
        ? readonly string[] | null
        : DataType extends T
          ? // biome-ignore lint/suspicious/noExplicitAny: the type of the column is not known
            any
          : unknown

/** A row as a program reads it. */
export type RowIn<D> = { readonly [K in NameOf<D>]: CellOf<ColumnsIn<D>[K]> }
