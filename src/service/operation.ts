import { type Picked, pick } from '../archive/answer/pick.js'
import { join, slice } from '../archive/answer/piece.js'
import type { Manifest } from '../archive/manifest.js'
import type { Shelf } from '../archive/shelf.js'
import { defaultFields } from '../contract/check-fields.js'
import type { Dataset } from '../contract/dataset.js'
import { codes } from '../contract/error.js'
import { type ColumnData, cellOf, texts } from '../table/values.js'
import type { HeldRows } from './encode/held-rows.js'
import type { Asked } from './request.js'

/** A place that rows come from, of which a request sees one state: an archive. */
export interface Shelves {
  readonly name: string
  /** sha256 that names the present state. */
  state(): Promise<string>
  read<T>(ask: (shelf: Shelf, manifest: Manifest) => Promise<T>): Promise<T>
}

const tail = Buffer.from('}}')
const heads = new WeakMap<readonly string[], Buffer>()

/** The envelope up to the first row. */
function headOf(fields: readonly string[]): Buffer {
  let head = heads.get(fields)
  if (!head) {
    head = Buffer.from(`{"code":${codes.ok},"message":"success","data":{"fields":${JSON.stringify(fields)},"items":[`)
    heads.set(fields, head)
  }
  return head
}

/** The last row has no comma behind it. */
function withoutLast(chunks: Uint8Array[]): Uint8Array[] {
  const last = chunks.at(-1)
  if (last) chunks[chunks.length - 1] = last.subarray(0, last.length - 1)
  return chunks
}

function rowsOf(held: HeldRows, dataset: Dataset, { pieces, fields, query }: Picked): Uint8Array[] {
  const all = defaultFields(dataset, query)
  const isAll = fields === all || fields.join() === all.join()
  return withoutLast(pieces.flatMap((piece) => held.chunks(dataset, piece, fields, isAll)))
}

/** The groups of the news by source: its rows once more, each source with its name. */
function groupsOf(held: HeldRows, dataset: Dataset, picked: Picked): Uint8Array[] {
  const columns = join(dataset, picked.pieces, ['source', 'source_name'])
  const [sources, names] = [texts(columns, 'source'), texts(columns, 'source_name')]
  const out: Uint8Array[] = []
  for (let from = 0; from < sources.length; ) {
    let to = from
    while (to < sources.length && sources[to] === sources[from]) to++
    const about = `"source":${JSON.stringify(sources[from])},"source_name":${JSON.stringify(names[from])}`
    out.push(Buffer.from(`${from === 0 ? '' : ','}{${about},"count":${to - from},"items":[`))
    out.push(...rowsOf(held, dataset, { ...picked, pieces: slice(picked.pieces, from, to) }), Buffer.from(']}'))
    from = to
  }
  return out
}

/** `data` of an operation that answers rows, with what stands beside them. */
function tabular(held: HeldRows, dataset: Dataset, picked: Picked): Uint8Array[] {
  const rows = rowsOf(held, dataset, picked)
  const { beside } = picked
  if (!beside) return [headOf(picked.fields), ...rows, Buffer.from(']'), tail]
  const more = JSON.stringify(beside).slice(1, -1)
  const chunks = [headOf(picked.fields), ...rows, Buffer.from(`],${more}`)]
  if (picked.query.view !== 'source') return [...chunks, tail]
  return [...chunks, Buffer.from(',"groups":['), ...groupsOf(held, dataset, picked), Buffer.from(']'), tail]
}

/** The one record of an operation that answers an object. */
export function recordOf(dataset: Dataset, { pieces, fields }: Picked): Record<string, unknown> {
  const columns = join(dataset, slice(pieces, 0, 1), fields)
  return Object.fromEntries(
    fields.map((name) => {
      const cell = cellOf(columns.of.get(name) as ColumnData, 0)
      const isJson = dataset.columns[name]?.kind === 'json' && typeof cell === 'string'
      return [name, isJson ? JSON.parse(cell) : cell]
    }),
  )
}

/** What an operation finds: nothing, or the envelope with its rows. */
export interface Found {
  readonly rows: number
  /** Rows that match. */
  readonly total: number
  /** Why the archive does not know its rows to be all. */
  readonly unproven?: string | undefined
  readonly chunks: readonly Uint8Array[]
}

/**
 * The rows of one state of an archive as an envelope; no chunks when none matches.
 * @throws ParamsError for a request that the contract does not allow
 */
export async function find(shelf: Shelf, { dataset, fields, params }: Asked, held: HeldRows): Promise<Found> {
  const picked = await pick(shelf, dataset, params, { fields })
  const { rows, total, complete, note } = picked
  const about = { rows, total, ...(complete || rows < total ? {} : { unproven: note }) }
  if (rows === 0) return { ...about, chunks: [] }
  if (dataset.shape === 'rows') return { ...about, chunks: tabular(held, dataset, picked) }
  const data = recordOf(dataset, picked)
  return { ...about, chunks: [Buffer.from(JSON.stringify({ code: codes.ok, message: 'success', data }))] }
}
