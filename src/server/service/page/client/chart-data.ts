import type { Dataset } from '../../../../contract/dataset.js'
import { unitText } from '../../../../contract/dataset-text.js'
import type { Language } from '../../../../contract/language.js'
import {
  barSeries,
  type CandleSeries,
  lineSeries,
  type PagePlot,
  type PlotPanel,
  type PlotSeries,
} from '../../../../research/report/plot.js'
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

/** An answer as a plot, for the script that draws those of reports. */
export interface AnswerChart {
  readonly plot: PagePlot
  /** Series of the answer; the first few of them are drawn. */
  readonly groups: number
  readonly drawn: number
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

/** By place; null is a gap. */
type Values = readonly (number | null)[]
type Candles = CandleSeries['at']

/** What a panel draws: its columns, a line for each of them or for each group, candles where one series has all prices. */
interface Drawn {
  readonly columns: readonly string[]
  readonly lines: readonly (readonly [name: string, values: Values])[]
  readonly candles?: Candles | undefined
  readonly isBar?: boolean
}

const inks = ['one', 'two', 'three'] as const
const dashes = [undefined, 'dashed', 'dotted'] as const
// biome-ignore format: a table, one language a line
const sizes: Readonly<Record<Language, readonly (readonly [power: number, word: string])[]>> = {
  en: [[9, 'billion '], [6, 'million ']],
  zh: [[8, '亿'], [6, '百万']],
}

/** The series of a panel: its lines each with a look of its own, its bars hollow where the candles of the chart rise. */
function seriesOf({ lines, candles, isBar }: Drawn, bars: Candles | undefined, names: readonly string[]): PlotSeries[] {
  const volumes = lines[0]?.[1]
  if (isBar && bars && volumes) {
    const half = (isFall: boolean) =>
      volumes.map((value, i) => {
        const [open = 0, close = 0] = bars[i] ?? []
        return close < open === isFall && value !== null ? value : undefined
      })
    return [barSeries(half(false), 'up', { hollow: true }), barSeries(half(true), 'down')]
  }
  const drawn = lines.map(([name, values]): PlotSeries => {
    const n = names.indexOf(name)
    const own = values.map((value) => value ?? undefined)
    const ink = inks[n % 3] ?? 'one'
    return isBar ? barSeries(own, ink, { name }) : lineSeries(own, ink, { name, dash: dashes[Math.floor(n / 3) % 3] })
  })
  return candles ? [{ kind: 'candles', at: candles, rise: 'up', fall: 'down' }, ...drawn] : drawn
}

/** The panels of a chart, each under its columns and their unit. */
function panelsOf(dataset: Dataset, all: readonly Drawn[], names: readonly string[], language: Language): PlotPanel[] {
  const bars = all.find(({ candles }) => candles)?.candles
  return all.map((one, i) => {
    const { columns, lines, candles = [], isBar } = one
    const values = [...lines.flatMap(([, own]) => own), ...candles.flatMap((prices) => prices ?? [])]
    const most = values.reduce<number>((a, value) => Math.max(a, Math.abs(value ?? 0)), 0)
    const [power, word] = sizes[language].find(([least]) => most >= 10 ** least) ?? [0, '']
    const about = `${word}${unitText(dataset.columns[columns[0] ?? ''], language) ?? ''}`
    const unit = about === '' ? '' : language === 'zh' ? `（${about}）` : ` (${about})`
    const series = seriesOf(one, bars, names)
    const name = `${columns.join(', ')}${unit}`
    return { name, height: i === 0 ? 260 : 110, ...(isBar && { zero: true }), format: { power }, series }
  })
}

const priceNames = ['open', 'close', 'low', 'high'] as const

/** The prices of one series as candles, with what else is known of it as lines; a bar that lacks a price is a gap. */
function asCandles({ columns, lines }: Drawn, prices: Drawn['lines']): Drawn {
  const candles = (prices[0]?.[1] ?? []).map((_, i) => {
    const own = prices.map(([, values]) => values[i] ?? null)
    return own.includes(null) ? null : (own as unknown as Candles[number])
  })
  const others = lines.filter(([name]) => name !== 'close')
  return { columns: ['open', 'high', 'low', ...columns], lines: others, candles }
}

/** The rows of an answer by group and place; undefined where two stand at one place. */
function groupRows(items: readonly Row[], groupOf: (row: Row) => string, placeOf: (row: Row) => string) {
  const groups = new Map<string, Map<string, Row>>()
  for (const row of items) {
    const [name, key] = [groupOf(row), placeOf(row)]
    const rows = groups.get(name) ?? new Map<string, Row>()
    if (rows.has(key)) return undefined
    groups.set(name, rows.set(key, row))
  }
  return groups
}

/**
 * Lines by group over the places of an answer. Absent values stay gaps; nothing is summed, filled or thinned.
 * @param fields names of the columns of `items`
 */
export function answerChart(
  dataset: Dataset,
  fields: readonly string[],
  items: readonly Row[],
  { title, language }: { readonly title: string; readonly language: Language },
): AnswerChart | NoChart {
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
  const placeOf = (row: Row): string => x.map((column) => String(cell(row, column))).join(' ')
  const keys = [...new Set(items.map(placeOf))].sort()
  if (keys.length < 2) return { why: 'chartPoints', places: { name: x.at(-1) as string } }
  const groups = groupRows(items, (row) => (group === undefined ? '' : String(cell(row, group))), placeOf)
  if (!groups) return { why: 'chartTwice' }

  const isSingle = groups.size === 1
  const drawn = [...groups].slice(0, maxLines).map(([name, rows]) => {
    const label = cell(rows.get(keys.findLast((key) => rows.has(key)) as string), 'name')
    return { rows, title: typeof label === 'string' && label !== '' ? `${name} ${label}` : name }
  })
  const linesOf = (columns: readonly string[]): Drawn['lines'] =>
    columns.flatMap((column) =>
      drawn.map((one) => [isSingle ? column : one.title, keys.map((key) => numberOf(cell(one.rows.get(key), column)))]),
    )
  const columns = isSingle ? above : above.slice(0, 1)
  const upper: Drawn = { columns, lines: linesOf(columns) }
  const isBars = isSingle && priceNames.every((name) => name in dataset.columns && isThere(name))
  const lower: Drawn = { columns: below, lines: linesOf(below), isBar: isSingle && group !== undefined }
  const all = [isBars ? asCandles(upper, linesOf(priceNames)) : upper, lower].filter((one) => one.columns.length > 0)
  const names = [...new Set(all.flatMap(({ lines }) => lines.map(([name]) => name)))]
  const dates = placeLabels(keys)
  const desc = `${dates[0]} – ${dates.at(-1)}. ${names.join(', ')}`
  const plot = { id: 'answer', title, desc, x: { dates }, panels: panelsOf(dataset, all, names, language) }
  return { plot, groups: groups.size, drawn: drawn.length }
}
