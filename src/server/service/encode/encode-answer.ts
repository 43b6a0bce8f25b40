import { defaultFields } from '../../../contract/check-fields.js'
import type { Dataset } from '../../../contract/dataset.js'
import { codes } from '../../../contract/error.js'
import { joinSlices, sliceLength, sliceRows } from '../../../data/archive/answer/row-slices.js'
import type { SelectedRows } from '../../../data/archive/answer/select-rows.js'
import { type ColumnData, cellOf, textCells } from '../../../frame/table/values.js'
import type { EncodedCache } from './encoded-cache.js'
import { rowsATurn } from './row-encoder.js'

const heads = new WeakMap<readonly string[], Buffer>()

/** The envelope up to the first row. */
function encodeHead(fields: readonly string[]): Buffer {
  let head = heads.get(fields)
  if (!head) {
    head = Buffer.from(`{"code":${codes.ok},"message":"success","data":{"fields":${JSON.stringify(fields)},"items":[`)
    heads.set(fields, head)
  }
  return head
}

/** The rows with commas between them: the one behind the last row is left out. */
function* encodeItems(
  cache: EncodedCache,
  dataset: Dataset,
  { slices, fields, query }: SelectedRows,
): Generator<Uint8Array> {
  const all = defaultFields(dataset, query)
  const isAll = fields === all || fields.join() === all.join()
  let last: Uint8Array | undefined
  for (const slice of slices) {
    for (let from = 0; from < sliceLength(slice); from += rowsATurn) {
      const [part = slice] = sliceRows([slice], from, from + rowsATurn)
      for (const chunk of cache.chunks(dataset, part, fields, isAll)) {
        if (last) yield last
        last = chunk
      }
    }
  }
  if (last) yield last.subarray(0, last.length - 1)
}

/** The groups of the news by source: its rows once more, each source with its name. */
function* encodeGroups(cache: EncodedCache, dataset: Dataset, selected: SelectedRows): Generator<Uint8Array> {
  const columns = joinSlices(dataset, selected.slices, ['source', 'source_name'])
  const [sources, names] = [textCells(columns, 'source'), textCells(columns, 'source_name')]
  for (let from = 0; from < sources.length; ) {
    let to = from
    while (to < sources.length && sources[to] === sources[from]) to++
    const about = `"source":${JSON.stringify(sources[from])},"source_name":${JSON.stringify(names[from])}`
    yield Buffer.from(`${from === 0 ? '' : ','}{${about},"count":${to - from},"items":[`)
    yield* encodeItems(cache, dataset, { ...selected, slices: sliceRows(selected.slices, from, to) })
    yield Buffer.from(']}')
    from = to
  }
}

/** The one record of an operation that answers an object. */
function firstRecord(dataset: Dataset, { slices, fields }: SelectedRows): Record<string, unknown> {
  const columns = joinSlices(dataset, sliceRows(slices, 0, 1), fields)
  return Object.fromEntries(
    fields.map((name) => {
      const cell = cellOf(columns.columns.get(name) as ColumnData, 0)
      const isJson = dataset.columns[name]?.kind === 'json' && typeof cell === 'string'
      return [name, isJson ? JSON.parse(cell) : cell]
    }),
  )
}

/** The envelope of an answer that has rows: its rows or its record, and what stands beside them in `data`; `rowsATurn` a piece. */
export function* encodeAnswer(cache: EncodedCache, dataset: Dataset, selected: SelectedRows): Generator<Uint8Array> {
  if (dataset.shape === 'object') {
    yield Buffer.from(JSON.stringify({ code: codes.ok, message: 'success', data: firstRecord(dataset, selected) }))
    return
  }
  const { beside, fields, query } = selected
  yield encodeHead(fields)
  yield* encodeItems(cache, dataset, selected)
  if (!beside) yield Buffer.from(']}}')
  else {
    yield Buffer.from(`],${JSON.stringify(beside).slice(1, -1)}`)
    if (query.view !== 'source') yield Buffer.from('}}')
    else {
      yield Buffer.from(',"groups":[')
      yield* encodeGroups(cache, dataset, selected)
      yield Buffer.from(']}}')
    }
  }
}
