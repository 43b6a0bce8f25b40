/**
 * What a query condition can be.
 *
 * `codes`, `choices`, `ids` and `texts` take one value, a comma-separated string or an array of strings.
 */
export type ParamKind =
  | 'date'
  | 'minute'
  | 'moment'
  | 'integer'
  | 'text'
  | 'choice'
  | 'choices'
  | 'codes'
  | 'ids'
  | 'texts'

/** What a condition does to a query; the archive's engine acts on it. */
export type Role = 'day' | 'from' | 'to' | 'recent' | 'match' | 'search' | 'limit' | 'offset' | 'own' // the operation has a rule of its own for it

/** A parameter of a dataset: its kind, its meaning and the values it accepts. */
export interface Param {
  readonly kind: ParamKind
  readonly role: Role
  readonly required?: true
  readonly values?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly default?: string | number
  /** The columns that a `match` or `search` looks at. */
  readonly columns?: readonly string[]
  /** The param whose bar period a minute must close a bucket of. */
  readonly period?: string
  /** Several values go as one text with commas: an array is not taken. */
  readonly joined?: true
  /** The only exchanges served; a code of another is answered with UNSUPPORTED_MARKET. */
  readonly markets?: readonly string[]
  readonly meaning: string
}

type One<P extends Param> = P extends { readonly values: readonly (infer V extends string)[] } ? V : string

type ParamValue<P extends Param> = P['kind'] extends 'integer'
  ? number
  : P['kind'] extends 'choices'
    ? One<P> | `${One<P>},${string}` | (P extends { readonly joined: true } ? never : readonly One<P>[])
    : P['kind'] extends 'codes' | 'ids' | 'texts'
      ? string | readonly string[]
      : One<P>

type Required<P extends Record<string, Param>> = {
  [K in keyof P]: P[K] extends { readonly required: true } ? K : never
}[keyof P]

/** The params object of an operation, as the vendor spells it. `undefined` and null mean absent. */
export type ParamsOf<P extends Record<string, Param>> = {
  readonly [K in Required<P>]: ParamValue<P[K]>
} & {
  readonly [K in Exclude<keyof P, Required<P>>]?: ParamValue<P[K]> | null | undefined
}
