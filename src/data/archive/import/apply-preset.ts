import type { Dataset } from '../../../contract/dataset.js'
import { ImportError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { spelled } from '../../../contract/symbol.js'
import { decodeCells } from '../../../frame/table/as-declared.js'
import { gatherCells } from '../../../frame/table/gather-cells.js'
import { turnoverRatio } from '../../../frame/table/turnover-ratio.js'
import { type ColumnData, type RecordColumns, textCells } from '../../../frame/table/values.js'
import type { FoundPreset } from './find-preset.js'
import type { Preset } from './preset.js'
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

/**
 * Turnover / (volume x units of a lot) lies near the close in every market: where it is ten times off, the units are not those that
 * are published, and a conversion would make it worse.
 * @throws ImportError saying by how much
 */
function checkUnits(file: string, { name, lot }: Preset, columns: ReadonlyMap<string, ColumnData>): void {
  const [amount, vol, close] = ['amount', 'vol', 'close'].map((own) => columns.get(own))
  if (lot === undefined || amount?.type !== 'float' || vol?.type !== 'float' || close?.type !== 'float') return
  const ratio = turnoverRatio(amount.data, vol.data, close.data)
  const middle = ratio && ratio / lot
  if (middle === undefined || (middle > 0.5 && middle < 2)) return
  const off = sentence`read as ${name}, its turnover is ${middle.toPrecision(3)} times volume x close`
  throw new ImportError(
    file,
    sentence`${off}: its units are others; convert it, and say with --rename what its columns are`,
  )
}

/** One cell in every row. */
function everyRow(dataset: Dataset, name: string, cell: string, length: number): ColumnData {
  return gatherCells(decodeCells(dataset, name, [cell]), new Int32Array(length))
}

/**
 * The columns of the contract from those of a table of another program, and what was done.
 * @param given under the names of the contract, in units and codes of the table
 * @throws ContractError for a code that does not tell its market, ImportError for units that its numbers contradict
 */
export function applyPreset(
  file: string,
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
  checkUnits(file, preset, columns)
  const rest = Object.entries(preset.given ?? {}).filter(([name]) => !columns.has(name))
  for (const [name, cell] of rest) columns.set(name, everyRow(dataset, name, cell, given.length))
  const { name, source } = preset
  const remark: PresetRemark = { about: 'preset', name, source, units, given: Object.fromEntries(rest) }
  return { columns: { length: given.length, columns }, remark }
}
