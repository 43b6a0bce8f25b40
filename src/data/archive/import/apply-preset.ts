import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { ContractError, ImportError } from '../../../contract/error.js'
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

/** The dataset as its columns stand in the table: codes in any spelling, which are respelled afterwards. */
export function readAs(dataset: Dataset, { columns }: FoundPreset): Dataset {
  const own = [...columns.values()].flatMap(({ to }): [string, Column][] => {
    const column = to === undefined ? undefined : dataset.columns[to]
    return to !== undefined && column?.kind === 'code' ? [[to, { kind: 'code', meaning: column.meaning }]] : []
  })
  return { ...dataset, columns: { ...dataset.columns, ...Object.fromEntries(own) } }
}

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

const exchanges: Readonly<Record<string, string>> = { XSHG: 'SH', XSHE: 'SZ' }

/** A code as the programs write it, with its market before or behind, as the contract does; undefined where it does not tell. */
function codeOf(text: string, spelling: 'full' | 'bare', digits: number): string | undefined {
  const [, before, , bare = '', behind = ''] =
    /^((sh|sz|bj|hk)[.#]?)?(\d{1,6})(?:\.([a-z]{2,4}))?$/i.exec(text.trim()) ?? []
  if (bare === '') return undefined
  const market = (before?.slice(0, 2) ?? behind).toUpperCase()
  const suffix = exchanges[market] ?? market
  const whole = digits === 5 ? String(Number(bare)).padStart(5, '0') : bare.padStart(digits, '0')
  return spelled(suffix === '' ? whole : `${whole}.${suffix}`, spelling)
}

/** Codes in the spelling of a column. @throws ContractError for one that does not tell its market */
function respelled(
  dataset: Dataset,
  { digits = 6 }: Preset,
  name: string,
  texts: readonly (string | null)[],
): (string | null)[] {
  const { spelling } = dataset.columns[name] as Column
  return texts.map((text, row) => {
    const code = text === null ? null : codeOf(text, spelling ?? 'bare', digits)
    if (code !== undefined) return code
    const wrong = sentence`row ${row + 1}: ${name} ${JSON.stringify(text)} is no code that is known`
    throw new ContractError(dataset.name, wrong, { field: name, row })
  })
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
  const codes: { column: string; from: string; to: string }[] = []
  const put = (name: string, from: readonly (string | null)[]): void => {
    const cells = respelled(dataset, preset, name, from)
    const at = cells.findIndex((cell, row) => cell !== from[row])
    if (at >= 0) codes.push({ column: name, from: String(from[at]), to: String(cells[at]) })
    columns.set(name, decodeCells(dataset, name, cells))
  }
  for (const { to, unit, shift } of found.values()) {
    if (to === undefined) continue
    const values = columns.get(to) as ColumnData
    const column = dataset.columns[to]
    if (column?.kind === 'code') {
      const texts = textCells(given, to)
      put(to, texts)
      if (preset.alsoCode !== undefined && !columns.has(preset.alsoCode)) put(preset.alsoCode, texts)
    }
    if (unit === undefined || shift === undefined) continue
    columns.set(to, shiftedColumn(values, shift))
    units.push({ column: to, from: unit, to: column?.unit ?? '', shift })
  }
  checkUnits(file, preset, columns)
  const rest = Object.entries(preset.given ?? {}).filter(([name]) => !columns.has(name))
  for (const [name, cell] of rest) columns.set(name, everyRow(dataset, name, cell, given.length))
  const { name, source } = preset
  const remark: PresetRemark = { about: 'preset', name, source, units, codes, given: Object.fromEntries(rest) }
  return { columns: { length: given.length, columns }, remark }
}
