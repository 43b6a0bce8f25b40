import type { Dataset } from '../../../src/contract/dataset.js'
import { dateIn } from '../../../src/contract/date.js'
import { dayColumn } from '../../../src/data/archive/merge-rows.js'
import { gatherCells, gatherRows } from '../../../src/frame/table/gather-cells.js'
import { type ColumnData, type RecordColumns, textCells } from '../../../src/frame/table/values.js'

/** Something that the source mends: another number or text in a row of a day, a row less, two rows that change places. */
export interface Mend {
  readonly name: string
  readonly day: string
  readonly at: number
  readonly how: 'change' | 'drop' | 'swap'
}

const changing: Readonly<Record<string, string>> = {
  theme_daily: 'close',
  convertible_daily: 'close',
  southbound_top10: 'amount',
  hotstock: 's',
  finance_announcement: 'summary',
  interactive_qa: 'answer',
  thememembers_jx: 'symbols',
  theme_lib_detail_kp: 'stock_list',
  news: 'title',
}

function cellsWith(values: ColumnData, row: number, text: string): ColumnData {
  if (values.type === 'float') return { ...values, data: values.data.map((cell, i) => (i === row ? cell + 1 : cell)) }
  if (values.type === 'dictionary') {
    const data = values.data.map((code, i) => (i === row ? values.dictionary.length : code))
    return { ...values, data, dictionary: [...values.dictionary, text] }
  }
  if (values.type === 'list') return { ...values, data: values.data.map((cell, i) => (i === row ? [text] : cell)) }
  if (values.type !== 'string') throw new TypeError(values.type)
  return { ...values, data: values.data.map((cell, i) => (i === row ? text : cell)) }
}

/** The rows with one thing mended. */
export function mended(dataset: Dataset, columns: RecordColumns, { day, at, how }: Mend): RecordColumns {
  const days = textCells(columns, dayColumn(dataset) ?? '').map((word) => dateIn(word ?? ''))
  // Of the lists one is looked at.
  const lists = dataset.list ? textCells(columns, 'type') : []
  const isOwn = (row: number): boolean => (lists[row] ?? 'ths&normal') === 'ths&normal'
  const rows = days.flatMap((own, row) => (own === day && isOwn(row) ? [row] : []))
  const row = rows[at % rows.length]
  if (row === undefined) return columns
  const all = days.map((_, i) => i)
  if (how === 'drop' && rows.length > 1)
    return gatherRows(
      columns,
      all.filter((i) => i !== row),
    )
  const name = changing[dataset.name] as string
  if (how === 'swap' && dataset.name === 'theme_lib_detail_kp') {
    // The theme comes again on another day.
    const synced = cellsWith(columns.columns.get('synced_at') as ColumnData, row, '2026-07-31T00:30:00+08:00')
    return { length: columns.length, columns: new Map(columns.columns).set('synced_at', synced) }
  }
  const of = new Map(columns.columns)
  if (how === 'swap') {
    const other = rows[(at + 1) % rows.length] as number
    const order = all.map((i) => (i === row ? other : i === other ? row : i))
    of.set(name, gatherCells(of.get(name) as ColumnData, order))
  } else
    of.set(
      name,
      cellsWith(of.get(name) as ColumnData, row, dataset.name === 'theme_lib_detail_kp' ? `[${at}]` : `changed ${at}`),
    )
  return { length: columns.length, columns: of }
}
