import type { Dataset } from '../../../contract/dataset.js'
import { isLongNumber } from './json-text.js'
import type { Language, TextKey } from './page-text.js'

/** Columns that a chart is made of: places along x, one line for each group, values above and below. */
interface Rule {
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
  /** Series of the answer; `most` of them are drawn. */
  readonly groups: number
  readonly drawn: number
}

/** Names of the lines in order; a line keeps its place here, and so its colour, in every panel. */
export function lineNames({ panels }: ChartData): string[] {
  return [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
}

const steps: Readonly<Record<Language, readonly (readonly [size: number, name: string])[]>> = {
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
  const step = steps[language].find(([size]) => Math.abs(value) >= size)
  const bare = String(Number((value / (step?.[0] ?? 1)).toPrecision(12)))
  return bare + (step?.[1] ?? '')
}

/** Why there is no chart. */
export interface NoChart {
  readonly why: TextKey
  readonly places?: Readonly<Record<string, string>>
}

/** Lines that can be told apart. */
const most = 8

/** What a chart of a dataset is made of, by the columns and key of the contract; undefined where none suits. */
export function chartRule(dataset: Dataset): Rule | undefined {
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

function numberIn(cell: unknown): number | null {
  if (isLongNumber(cell)) return Number(cell.digits)
  return typeof cell === 'number' ? cell : null
}

function placeText(parts: readonly string[]): string {
  const [day = '', minute] = parts
  const date = /^\d{8}$/.test(day) ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day
  return minute === undefined ? date : `${date} ${minute.slice(0, 2)}:${minute.slice(2)}`
}

/** The day is left out where all places share it. */
function labels(keys: readonly string[]): string[] {
  const whole = keys.map((key) => placeText(key.split(' ')))
  const days = new Set(whole.map((label) => label.slice(0, 10)))
  return days.size === 1 && whole.every((label) => label.length > 10) ? whole.map((label) => label.slice(11)) : whole
}

/**
 * Lines by group over the places of an answer. Absent values stay gaps; nothing is summed, filled or thinned.
 * @param fields names of the columns of `items`
 */
export function chartData(
  dataset: Dataset,
  fields: readonly string[],
  items: readonly (readonly unknown[])[],
): ChartData | NoChart {
  const rule = chartRule(dataset)
  if (!rule) return { why: 'noChart' }
  const at = (name: string): number => fields.indexOf(name)
  const { group } = rule
  const [above, below] = [rule.above, rule.below].map((names) => names.filter((name) => at(name) >= 0)) as [
    string[],
    string[],
  ]
  const needed = group === undefined ? rule.x : [...rule.x, group, rule.above[0] as string]
  const missing = needed.filter((name) => at(name) < 0)
  if (missing.length > 0) return { why: 'chartNeeds', places: { names: missing.join(', ') } }
  if (above.length + below.length === 0) return { why: 'chartNeeds', places: { names: rule.above.join(', ') } }

  const keyOf = (row: readonly unknown[]): string => rule.x.map((name) => String(row[at(name)])).join(' ')
  const groupOf = (row: readonly unknown[]): string => (group === undefined ? '' : String(row[at(group)]))
  const keys = [...new Set(items.map(keyOf))].sort()
  if (keys.length < 2) return { why: 'chartPoints', places: { name: rule.x.at(-1) as string } }
  const place = new Map(keys.map((key, i) => [key, i]))
  const byGroup = new Map<string, (readonly unknown[] | undefined)[]>()
  for (const row of items) {
    const name = groupOf(row)
    const own = byGroup.get(name) ?? new Array<readonly unknown[] | undefined>(keys.length).fill(undefined)
    const i = place.get(keyOf(row)) as number
    if (own[i]) return { why: 'chartTwice' }
    own[i] = row
    byGroup.set(name, own)
  }
  const drawn = [...byGroup].slice(0, most)
  const single = byGroup.size === 1
  const title = (name: string, own: readonly (readonly unknown[] | undefined)[]): string => {
    const last = own.findLast((row) => row !== undefined)
    const label = at('name') < 0 ? undefined : last?.[at('name')]
    return typeof label === 'string' && label !== '' ? `${name} ${label}` : name
  }
  const linesOf = (columns: readonly string[]): ChartLine[] =>
    columns.flatMap((column) =>
      drawn.map(([name, own]) => ({
        name: single ? column : title(name, own),
        column,
        values: own.map((row) => (row ? numberIn(row[at(column)]) : null)),
      })),
    )
  const panel = (kind: 'line' | 'bar', columns: readonly string[]): ChartPanel[] =>
    columns.length === 0
      ? []
      : [{ kind, columns, unit: dataset.columns[columns[0] as string]?.unit, lines: linesOf(columns) }]
  return {
    places: labels(keys),
    panels: [
      ...panel('line', single ? above : above.slice(0, 1)),
      ...panel(single && group !== undefined ? 'bar' : 'line', below),
    ],
    groups: byGroup.size,
    drawn: drawn.length,
  }
}
