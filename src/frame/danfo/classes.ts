import * as bundle from '#danfo'
import { richFrames } from '../show/hooks.js'
import type { Series as Column, Danfo, DataFrame as Frame } from './types.js'

/** danfo in double precision, repaired (see bundle.mjs): DataFrame, Series, merge, concat, … */
export const danfo: Danfo = bundle

/** danfo's DataFrame. Build one from a table with `toDataFrame`; its constructor guesses the types of its columns. */
export const DataFrame: Danfo['DataFrame'] = bundle.DataFrame
export type DataFrame = Frame

/** danfo's Series: a column of a DataFrame. */
export const Series: Danfo['Series'] = bundle.Series
export type Series = Column

richFrames([DataFrame.prototype, Series.prototype])
