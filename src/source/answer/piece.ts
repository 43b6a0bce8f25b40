import type { RecordColumns } from '../../table/values.js'
import type { ArchiveIdentity } from './identity.js'

/** What one request brought. */
export interface ReplyChunk {
  readonly columns: RecordColumns
  /** What stands beside the rows: limit, offset, total, count, view, meta. */
  readonly beside: Readonly<Record<string, unknown>>
  /** The node that answered. */
  readonly node: string
  /** The archive behind the node, where it tells. */
  readonly archive?: ArchiveIdentity | undefined
}
