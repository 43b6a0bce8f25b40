import type { Dataset } from '../../../../contract/dataset.js'
import { isLongNumber } from './json-text.js'
import type { TextKey } from './page-text.js'

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
  /** By place; null is a gap. */
  readonly values: readonly (number | null)[]
}

export interface ChartPanel {
  readonly kind: 'line' | 'bar'
  readonly unit: string | undefined
  /** Columns drawn. */
  readonly columns: readonly string[]
  readonly lines: readonly ChartLine[]
  /** By place: open, close, low, high, where one series has them all. */
  readonly candles?: readonly (Candle | null)[]
}

type Candle = readonly [open: number, close: number, low: number, high: number]

export interface ChartData {
  /** Labels of the places, ascending. */
  readonly places: readonly string[]
  readonly panels: readonly ChartPanel[]
  /** Series of the answer; the first few of them are drawn. */
  readonly groups: number
  readonly drawn: number
}

/** Why there is no chart. */
export interface NoChart {
  readonly why: TextKey
  readonly places?: Readonly<Record<string, string>>
}

const priceNames = ['open', 'close', 'low', 'high'] as const

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

function numberOf(cell: unknown): number | null {
  if (isLongNumber(cell)) return Number(cell.digits)
  return typeof cell === 'number' ? cell : null
}

const withoutClose = (names: readonly string[]): string[] => names.filter((name) => name !== 'close')

/** A bar that lacks a price is a gap. */
function candleOf(prices: readonly (number | null)[]): Candle | null {
  return prices.includes(null) ? null : (prices as unknown as Candle)
}

/**
 * Lines by group over the places of an answer. Absent values stay gaps; nothing is summed, filled or thinned.
 * @param fields names of the columns of `items`
 */
export function chartData(dataset: Dataset, fields: readonly string[], items: readonly Row[]): ChartData | NoChart {
  const rule = chartRule(dataset)
  if (!rule) return { why: 'noChart' }
  const { x, group } = rule
  const isThere = (name: string): boolean => fields.includes(name)
  const [above, below] = [rule.above.filter(isThere), rule.below.filter(isThere)]
  const needed = group === undefined ? x : [...x, group, rule.above[0] as string]
  const absent = needed.filter((name) => !isThere(name))
  const missing = absent.length === 0 && above.length + below.length === 0 ? rule.above : absent
  if (missing.length > 0) return { why: 'chartNeeds', places: { names: missing.join(', ') } }

  const cell = (row: Row | undefined, name: string): unknown => row?.[fields.indexOf(name)]
  const groups = new Map<string, Map<string, Row>>()
  let isTwice = false
  for (const row of items) {
    const name = group === undefined ? '' : String(cell(row, group))
    const key = x.map((column) => String(cell(row, column))).join(' ')
    const rows = groups.get(name) ?? new Map<string, Row>()
    isTwice ||= rows.has(key)
    groups.set(name, rows.set(key, row))
  }
  const keys = [...new Set([...groups.values()].flatMap((rows) => [...rows.keys()]))].sort()
  if (keys.length < 2) return { why: 'chartPoints', places: { name: x.at(-1) as string } }
  if (isTwice) return { why: 'chartTwice' }

  const isSingle = groups.size === 1
  const drawn = [...groups].slice(0, maxLines).map(([name, rows]) => {
    const label = cell(rows.get(keys.findLast((key) => rows.has(key)) as string), 'name')
    return { rows, title: typeof label === 'string' && label !== '' ? `${name} ${label}` : name }
  })
  const panel = (kind: ChartPanel['kind'], columns: readonly string[]): ChartPanel => {
    const lines = columns.flatMap((column) =>
      drawn.map(({ rows, title }) => {
        return { name: isSingle ? column : title, values: keys.map((key) => numberOf(cell(rows.get(key), column))) }
      }),
    )
    return { kind, columns, unit: dataset.columns[columns[0] ?? '']?.unit, lines }
  }
  const [only] = groups.values()
  const isBars = isSingle && only !== undefined && priceNames.every((name) => name in dataset.columns && isThere(name))
  const bars = (): ChartPanel => ({
    ...panel('line', withoutClose(above)),
    columns: ['open', 'high', 'low', ...above],
    unit: dataset.columns.close?.unit,
    candles: keys.map((key) => candleOf(priceNames.map((name) => numberOf(cell(only?.get(key), name))))),
  })
  const panels = [
    ...(isBars ? [bars()] : [panel('line', isSingle ? above : above.slice(0, 1))]),
    panel(isSingle && group !== undefined ? 'bar' : 'line', below),
  ].filter(({ columns }) => columns.length > 0)
  return { places: placeLabels(keys), panels, groups: groups.size, drawn: drawn.length }
}
