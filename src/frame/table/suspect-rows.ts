import type { AverageLaw, Dataset } from '../../contract/dataset.js'
import { dateIn } from '../../contract/date.js'
import { breaksByWord, lawColumns, priceOrder, type RowLaw, type Suspect } from '../../contract/row-laws.js'
import { averageLawOf, averageLies } from '../../contract/turnover-law.js'
import type { Provenance } from './provenance.js'
import { type ColumnData, cellOf, floatsIn, type RecordColumns, textCells } from './values.js'

/** Longer texts are cut where a suspect row is shown. */
const longest = 40

/** Rows that break a law, a byte of 1 each. */
type Broken = Uint8Array

/** @param names the columns that tell what the first row is */
function foundBy(law: RowLaw, { columns }: RecordColumns, broken: Broken, names: readonly string[]): Suspect[] {
  const row = broken.indexOf(1)
  if (row < 0) return []
  const cells = names.flatMap((name): [string, string | number | null][] => {
    const values = columns.get(name)
    const cell = values && cellOf(values, row)
    if (cell === undefined) return []
    return [[name, typeof cell === 'number' || cell === null ? cell : String(cell).slice(0, longest)]]
  })
  return [{ law, rows: broken.reduce((sum, is) => sum + is, 0), first: { row, cells: Object.fromEntries(cells) } }]
}

type Numbers = Float64Array | undefined

/** A 0 in the place of a price is none: a day without trade has it, and the law of prices sees to others. */
function breakOrder(broken: Broken, lower: Float64Array, upper: Float64Array): void {
  for (let row = 0; row < lower.length; row++) {
    if ((lower[row] as number) > (upper[row] as number) && lower[row] !== 0 && upper[row] !== 0) broken[row] = 1
  }
}

/** @param vol undefined where it is not there; `mayBeIdle`: then nothing tells whether there was trade */
function breakPrice(broken: Broken, prices: Float64Array, vol: Numbers, mayBeIdle: boolean): void {
  for (let row = 0; row < prices.length; row++) {
    const price = prices[row] as number
    if (price > 0 || Number.isNaN(price)) continue
    const hadTrade = vol ? (vol[row] as number) > 0 : !mayBeIdle
    if (price < 0 || hadTrade) broken[row] = 1
  }
}

/** Places of rows whose average price lies outside of their range. */
export function brokenAverages({ columns, length }: RecordColumns, law: AverageLaw): number[] {
  const [amount, vol, low, high] = [law.amount, law.vol, law.low, law.high].map((name) => {
    const values = columns.get(name)
    return values && floatsIn(values)
  })
  const rows: number[] = []
  if (!amount || !vol || !low || !high) return rows
  for (let row = 0; row < length; row++) {
    const [turnover, counted] = [(amount[row] as number) * law.money, vol[row] as number]
    if (!averageLies(turnover, counted, law.unit, low[row] as number, high[row] as number)) rows.push(row)
  }
  return rows
}

/** Each distinct word is asked once; rows are looked at only where one is wrong. */
function breakWords(broken: Broken, values: ColumnData | undefined, isWrong: (word: string) => boolean): void {
  if (values?.type === 'list') {
    for (const [row, list] of values.data.entries()) if (list?.some(isWrong)) broken[row] = 1
  }
  if (values?.type !== 'dictionary') return
  const wrong = values.dictionary.map(isWrong)
  if (!wrong.includes(true)) return
  for (const [row, code] of values.data.entries()) if (wrong[code] === true) broken[row] = 1
}

/** The column with the days that settle. */
const dayOf = ({ archiveDay, day = '' }: Dataset): string => archiveDay ?? day

/** What in the rows of a dataset breaks a law, by law in a fixed order. */
export function suspectRows(
  dataset: Dataset,
  columns: RecordColumns,
  waiting: readonly string[] = [],
): readonly Suspect[] {
  const { columns: of, length } = columns
  if (length === 0 || dataset.shape !== 'rows') return []
  const laws = lawColumns(dataset)
  const floats = (name: string): Numbers => {
    const values = of.get(name)
    return values && floatsIn(values)
  }
  return (Object.keys(laws) as RowLaw[]).flatMap((law) => {
    const names = laws[law]
    const broken = new Uint8Array(length)
    if (law === 'range' && names.length > 0) {
      for (const [lower, upper] of priceOrder.map((pair) => pair.map(floats)))
        if (lower && upper) breakOrder(broken, lower, upper)
    } else if (law === 'price') {
      for (const prices of names.flatMap((name) => floats(name) ?? []))
        breakPrice(broken, prices, floats('vol'), dataset.columns.vol !== undefined)
    } else if (law === 'average') {
      const average = averageLawOf(dataset)
      if (average) for (const row of brokenAverages(columns, average)) broken[row] = 1
    } else if (law === 'waiting') {
      const isOwn = (word: string): boolean => waiting.includes(dateIn(word) ?? '')
      if (waiting.length > 0) breakWords(broken, of.get(dayOf(dataset)), isOwn)
    } else if (law !== 'range') for (const name of names) breakWords(broken, of.get(name), breaksByWord[law])
    return foundBy(law, columns, broken, [...new Set([...dataset.key, ...names])])
  })
}

/** Provenance of these rows, with what of them breaks a law. */
export function withSuspects(dataset: Dataset, columns: RecordColumns, about: Provenance): Provenance {
  const { suspect: _, waiting: all = [], ...rest } = about
  const suspect = suspectRows(dataset, columns, all)
  if (suspect.length === 0) return rest
  const days =
    all.length > 0 ? new Set(textCells(columns, dayOf(dataset)).map((word) => dateIn(word ?? ''))) : undefined
  const waiting = all.filter((day) => days?.has(day))
  return { ...rest, suspect, ...(waiting.length > 0 ? { waiting } : {}) }
}
