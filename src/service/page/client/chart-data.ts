import type { Dataset } from '../../../contract/dataset.js'
import { isLongNumber } from './json-text.js'
import type { Language, TextKey } from './page-text.js'

type Row = readonly unknown[]

/** Columns that a chart is made of: places along x, one line for each group, values above and below. */
interface ChartRule {
  readonly x: readonly string[]
  readonly group: string | undefined
  readonly above: readonly string[]
  readonly below: readonly string[]
}

export interface ChartLine {
  /** Name of the group, or of the column. */
  readonly name: string
  readonly column: string
  /** By place; null is a gap. */
  readonly values: readonly (number | null)[]
}

export interface ChartPanel {
  readonly kind: 'line' | 'bar'
  readonly unit: string | undefined
  /** Columns drawn. */
  readonly columns: readonly string[]
  readonly lines: readonly ChartLine[]
}

export interface ChartData {
  /** Labels of the places, ascending. */
  readonly places: readonly string[]
  readonly panels: readonly ChartPanel[]
  /** Series of the answer; the first few of them are drawn. */
  readonly groups: number
  readonly drawn: number
}

/** Names of the lines in order; a line keeps its place here, and so its colour, in every panel. */
export function lineNames({ panels }: ChartData): string[] {
  return [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
}

const axisUnits: Readonly<Record<Language, readonly (readonly [size: number, name: string])[]>> = {
  en: [
    [1e9, ' bn'],
    [1e6, ' m'],
  ],
  zh: [
    [1e8, '亿'],
    [1e4, '万'],
  ],
}

/** A round number of an axis; big ones in millions or 万. Twelve digits at most, so that 0.30000000000000004 is 0.3. */
export function formatAxis(value: number, language: Language): string {
  const [size, name] = axisUnits[language].find(([least]) => Math.abs(value) >= least) ?? [1, '']
  return String(Number((value / size).toPrecision(12))) + name
}

/** Why there is no chart. */
export interface NoChart {
  readonly why: TextKey
  readonly places?: Readonly<Record<string, string>>
}

/** Lines that can be told apart. */
const maxLines = 8

/** What a chart of a dataset is made of, by the columns and key of the contract; undefined where none suits. */
export function chartRule(dataset: Dataset): ChartRule | undefined {
  const { columns, key, day } = dataset
  if (day === undefined) return undefined
  const group = key.find((name) => name !== day && name !== 'trademin')
  if ('trademin' in columns) return { x: [day, 'trademin'], group, above: ['close', 'vwap'], below: ['vol'] }
  const rest = key.filter((name) => name !== day)
  if (rest.length === 1 && 'close' in columns) return { x: [day], group, above: ['close'], below: ['vol'] }
  if (rest.length > 0 || key.length === 0) return undefined
  const amounts = Object.keys(columns).filter((name) => columns[name]?.kind === 'number')
  const isLevel = (name: string): boolean => /balance$/.test(name)
  return { x: [day], group: undefined, above: amounts.filter(isLevel), below: amounts.filter((name) => !isLevel(name)) }
}

function readNumber(cell: unknown): number | null {
  if (isLongNumber(cell)) return Number(cell.digits)
  return typeof cell === 'number' ? cell : null
}

function placeLabel(key: string): string {
  const [day = '', minute] = key.split(' ')
  const date = /^\d{8}$/.test(day) ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day
  return minute === undefined ? date : `${date} ${minute.slice(0, 2)}:${minute.slice(2)}`
}

/** The day is left out where all places share it. */
function placeLabels(keys: readonly string[]): string[] {
  const whole = keys.map(placeLabel)
  const days = new Set(whole.map((label) => label.slice(0, 10)))
  return days.size === 1 && whole.every((label) => label.length > 10) ? whole.map((label) => label.slice(11)) : whole
}

/** The columns of a rule that an answer has; or why they are too few. */
function drawable(rule: ChartRule, fields: readonly string[]): ChartRule | NoChart {
  const isThere = (name: string): boolean => fields.includes(name)
  const needed = rule.group === undefined ? rule.x : [...rule.x, rule.group, rule.above[0] as string]
  const missing = needed.filter((name) => !isThere(name))
  if (missing.length > 0) return { why: 'chartNeeds', places: { names: missing.join(', ') } }
  const [above, below] = [rule.above.filter(isThere), rule.below.filter(isThere)]
  if (above.length + below.length > 0) return { ...rule, above, below }
  return { why: 'chartNeeds', places: { names: rule.above.join(', ') } }
}

/** Rows by group, each at its place; undefined when two have the same. */
function rowsByGroup(
  items: readonly Row[],
  groupOf: (row: Row) => string,
  keyOf: (row: Row) => string,
  keys: readonly string[],
): ReadonlyMap<string, readonly (Row | undefined)[]> | undefined {
  const place = new Map(keys.map((key, i) => [key, i]))
  const groups = new Map<string, (Row | undefined)[]>()
  for (const row of items) {
    const name = groupOf(row)
    const rows = groups.get(name) ?? new Array<Row | undefined>(keys.length).fill(undefined)
    const i = place.get(keyOf(row)) as number
    if (rows[i]) return undefined
    rows[i] = row
    groups.set(name, rows)
  }
  return groups
}

/**
 * Lines by group over the places of an answer. Absent values stay gaps; nothing is summed, filled or thinned.
 * @param fields names of the columns of `items`
 */
export function chartData(dataset: Dataset, fields: readonly string[], items: readonly Row[]): ChartData | NoChart {
  const declared = chartRule(dataset)
  if (!declared) return { why: 'noChart' }
  const rule = drawable(declared, fields)
  if ('why' in rule) return rule
  const { x, group, above, below } = rule
  const cell = (row: Row | undefined, name: string): unknown => row?.[fields.indexOf(name)]
  const keyOf = (row: Row): string => x.map((name) => String(cell(row, name))).join(' ')
  const keys = [...new Set(items.map(keyOf))].sort()
  if (keys.length < 2) return { why: 'chartPoints', places: { name: x.at(-1) as string } }
  const groups = rowsByGroup(items, (row) => (group === undefined ? '' : String(cell(row, group))), keyOf, keys)
  if (!groups) return { why: 'chartTwice' }
  const drawn = [...groups].slice(0, maxLines)
  const isSingle = groups.size === 1
  const titleOf = (name: string, rows: readonly (Row | undefined)[]): string => {
    const label = cell(
      rows.findLast((row) => row !== undefined),
      'name',
    )
    return typeof label === 'string' && label !== '' ? `${name} ${label}` : name
  }
  const linesOf = (column: string): ChartLine[] =>
    drawn.map(([name, rows]) => {
      const values = rows.map((row) => readNumber(cell(row, column)))
      return { name: isSingle ? column : titleOf(name, rows), column, values }
    })
  const panel = (kind: ChartPanel['kind'], columns: readonly string[]): ChartPanel[] => {
    const [first] = columns
    if (first === undefined) return []
    return [{ kind, columns, unit: dataset.columns[first]?.unit, lines: columns.flatMap(linesOf) }]
  }
  const panels = [
    ...panel('line', isSingle ? above : above.slice(0, 1)),
    ...panel(isSingle && group !== undefined ? 'bar' : 'line', below),
  ]
  return { places: placeLabels(keys), panels, groups: groups.size, drawn: drawn.length }
}
