import type { Dataset } from '../../../contract/dataset.js'
import { spelled } from '../../../contract/symbol.js'
import { decodeCells } from '../../../frame/table/as-declared.js'
import { gatherCells } from '../../../frame/table/gather-cells.js'
import { type ColumnData, type RecordColumns, textCells } from '../../../frame/table/values.js'
import type { FoundPreset } from './find-preset.js'
import type { ImportRemark, UnitRemark } from './spelling.js'

type PresetRemark = Extract<ImportRemark, { about: 'preset' }>

/** A decimal times a power of ten, without the error of a product. */
function shifted(value: number, shift: number): number {
  const [digits, power = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(power) + shift}`)
}

function shiftedColumn(values: ColumnData, shift: number): ColumnData {
  if (values.type !== 'float') return values
  const { data, valid } = values
  return { ...values, data: data.map((value, row) => (valid && valid[row] === 0 ? value : shifted(value, shift))) }
}

/** One cell in every row. */
export function everyRow(dataset: Dataset, name: string, cell: unknown, length: number): ColumnData {
  return gatherCells(decodeCells(dataset, name, [cell]), new Int32Array(length))
}

/**
 * The columns of the contract from those of a table of another program, and what was done.
 * @param given under the names of the contract, in units and codes of the table
 */
export function applyPreset(
  dataset: Dataset,
  { preset, columns: found }: FoundPreset,
  given: RecordColumns,
): { columns: RecordColumns; remark: PresetRemark } {
  const columns = new Map(given.columns)
  const units: UnitRemark[] = []
  for (const { to, unit, shift } of found.values()) {
    if (to === undefined) continue
    const values = columns.get(to) as ColumnData
    const column = dataset.columns[to]
    const { alsoCode } = preset
    if (column?.kind === 'code' && alsoCode !== undefined && !columns.has(alsoCode)) {
      const spelling = dataset.columns[alsoCode]?.spelling ?? 'bare'
      const codes = textCells(given, to).map((text) => (text === null ? null : spelled(text, spelling)))
      columns.set(alsoCode, decodeCells(dataset, alsoCode, codes))
    }
    if (unit === undefined || shift === undefined) continue
    columns.set(to, shiftedColumn(values, shift))
    units.push({ column: to, from: unit, to: column?.unit ?? '', shift })
  }
  const rest = Object.entries(preset.given ?? {}).filter(([name]) => !columns.has(name))
  for (const [name, cell] of rest) columns.set(name, everyRow(dataset, name, cell, given.length))
  const { name, source } = preset
  const remark: PresetRemark = { about: 'preset', name, source, units, given: Object.fromEntries(rest) }
  return { columns: { length: given.length, columns }, remark }
}
