import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { ImportError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { akshareTables } from './akshare-tables.js'
import { headLines, isTitle, isUnit } from './head-names.js'
import type { Preset, PresetColumn } from './preset.js'
import { tushareTables } from './tushare-tables.js'

/** 通达信's day file of a convertible bond, as `fromTdx` reads it. */
const tdxBond: Preset = {
  name: '通达信 .day',
  source: 'https://github.com/rainx/pytdx/blob/master/pytdx/reader/daily_bar_reader.py',
  dataset: 'convertible_daily',
  form: 'tdx',
  alsoCode: 'symbol',
  columns: [
    { heads: ['symbol'], to: 'code', needed: true },
    { heads: ['vol'], to: 'vol', unit: 'bond', shift: -1, needed: true },
    ...['tradedate', 'open', 'high', 'low', 'close', 'amount'].map((to) => ({ heads: [to], to })),
  ],
}

const presets: readonly Preset[] = [...tushareTables, ...akshareTables, tdxBond]

/** The tables of other programs that are of a dataset. */
export function presetsOf(dataset: Dataset): readonly Preset[] {
  return presets.filter((preset) => preset.dataset === dataset.name)
}

/** A preset and where the file has its columns. */
export interface FoundPreset {
  readonly preset: Preset
  /** By head of the file. Those that it converts have their unit there. */
  readonly columns: ReadonlyMap<string, PresetColumn>
}

type Columns = Readonly<Record<string, Column>>

/** Name and unit of a head, which may have the unit in brackets. */
function partsOf(head: string): { name: string; unit: string | undefined } {
  const [line] = headLines(head)
  return { name: line?.name ?? head, unit: line?.unit }
}

/** The column as the head has it: without a conversion where it says the unit of the contract. @throws ImportError for a third one */
function inItsUnit(file: string, { name }: Preset, own: PresetColumn, head: string, columns: Columns): PresetColumn {
  const { unit } = partsOf(head)
  const here = own.to === undefined ? undefined : columns[own.to]?.unit
  if (unit === undefined || here === undefined || isUnit(unit, own.unit ?? here)) return own
  const { shift: _, unit: __, ...plain } = own
  if (isUnit(unit, here)) return plain
  const wrong = sentence`the head ${JSON.stringify(head)} is in ${unit}, and ${own.heads[0]} of ${name} is in ${own.unit ?? here}`
  throw new ImportError(file, sentence`${wrong}; convert it, or say with --rename that it is`)
}

interface Candidate {
  readonly preset: Preset
  readonly places: ReadonlyMap<string, PresetColumn>
  readonly missing: readonly PresetColumn[]
  /** Heads that mean nothing to the contract, and something to the preset. */
  readonly foreign: number
}

/** Without these a unit can't be proven. */
const proof: readonly string[] = ['amount', 'vol', 'close']

function candidate(preset: Preset, heads: readonly string[], columns: Columns): Candidate {
  const names = heads.map((head) => partsOf(head).name)
  const isThere = ({ to, heads: own }: PresetColumn): boolean =>
    to !== undefined && names.includes(to) && !own.includes(to)
  const placed = preset.columns.map((column) => ({
    column,
    head: isThere(column) ? undefined : heads[names.findIndex((name) => column.heads.includes(name))],
  }))
  const isOwn = (name: string): boolean =>
    Object.hasOwn(columns, name) || Object.keys(columns).some((own) => isTitle(own, name))
  const found = placed.filter((one): one is { column: PresetColumn; head: string } => one.head !== undefined)
  const isProven = preset.isProven && found.some(({ column }) => column.shift !== undefined)
  const isNeeded = ({ needed, to = '' }: PresetColumn): boolean =>
    needed === true || (isProven === true && proof.includes(to))
  return {
    preset,
    places: new Map(found.map(({ column, head }) => [head, column])),
    missing: placed.flatMap(({ column, head }) => (head === undefined && isNeeded(column) ? column : [])),
    foreign: found.filter(({ head }) => !isOwn(partsOf(head).name)).length,
  }
}

/**
 * The table of another program that a file is, by its heads; undefined for any other. Heads that are renamed count as the contract's.
 * @throws ImportError for a file that has two heads or more of such a table, and lacks what shows that it is one
 */
export function findPreset(
  file: string,
  dataset: Dataset,
  rename: Readonly<Record<string, string>>,
  heads: readonly string[],
  form?: string,
): FoundPreset | undefined {
  const columns: Columns = { ...dataset.columns, ...dataset.stored }
  const own = heads.filter((head) => ![head, partsOf(head).name].some((name) => Object.hasOwn(rename, name)))
  const all = presetsOf(dataset)
    .filter((preset) => preset.form === form)
    .map((preset) => candidate(preset, own, columns))
    .filter(({ foreign }) => foreign > 0 || form !== undefined)
  const size = ({ places }: Candidate): number => places.size
  const [best] = all.filter(({ missing }) => missing.length === 0).sort((a, b) => size(b) - size(a))
  if (!best) {
    const [near] = all.filter(({ foreign }) => foreign > 1).sort((a, b) => b.foreign - a.foreign)
    if (!near) return undefined
    const lacks = near.missing.map((column) => column.heads[0]).join(', ')
    const { name, source } = near.preset
    const looks = sentence`looks like ${name} (${source}), and lacks ${lacks}`
    throw new ImportError(file, sentence`${looks}; give the whole table, or say what its columns are with --rename`)
  }
  const converted = [...best.places].map(
    ([head, column]) => [head, inItsUnit(file, best.preset, column, head, columns)] as const,
  )
  return { preset: best.preset, columns: new Map(converted) }
}
