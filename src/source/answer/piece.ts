import type { Columns } from '../../frame/values.js'

/** What one request brought. */
export interface Piece {
  readonly columns: Columns
  /** What stands beside the rows: limit, offset, total, count, view, meta. */
  readonly beside: Readonly<Record<string, unknown>>
  /** The node that answered. */
  readonly node: string
}
