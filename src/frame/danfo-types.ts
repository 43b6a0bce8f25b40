import type * as base from '#danfo'

/** What the bundle exports (entry.ts): danfo's classes and functions without readers and writers of files. */
export type Danfo = Pick<
  typeof base,
  | 'concat'
  | 'DataFrame'
  | 'dateRange'
  | 'getDummies'
  | 'LabelEncoder'
  | 'merge'
  | 'MinMaxScaler'
  | 'NDframe'
  | 'OneHotEncoder'
  | 'Series'
  | 'StandardScaler'
  | 'toDateTime'
>

export type { DataFrame, Series } from '#danfo'
