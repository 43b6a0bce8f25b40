import * as bundle from '#danfo'
import type { ColumnStore } from './danfo-types.js'

/** The columns behind a frame: those that it has, and frames made of others. */
export const columnStore: ColumnStore = bundle as unknown as ColumnStore

/**
 * danfo's DataFrame and Series, its columns. Build a frame from a table with `toDataFrame`; the constructor guesses the types of
 * its columns. They are handed on as they are, so that declarations made from ours can name them.
 */
export { DataFrame, Series } from '#danfo'
