import type { AverageLaw, CodeKind, Dataset } from './dataset.js'
import { chineseUnits } from './labels.js'

/** The least share of a price by which an average may lie beyond the day's range: what rounded prices do to it. */
const slack = 0.01

/** Half of what a rounded number may be off: of the power of ten, at most `most`, of which it is a multiple. */
function halfStep(value: number, most: number): number {
  let step = most
  while (step > 1 && value % step !== 0) step /= 10
  return step / 2
}

/**
 * Whether turnover / (volume x unit), the average price of a bar, lies between its low and its high, by what rounding allows: one percent of
 * either price, one lot of the volume (bars are differences of a volume whose lots were rounded, and shares in hundreds come of lots),
 * half a share of another volume, half of the last digit of the turnover, which may count 10,000 yuan. True without trade, and if a number is missing (NaN).
 * @param unit shares, fund units or bonds in one of the volume
 */
export function averageLies(amount: number, vol: number, unit: number, low: number, high: number): boolean {
  const average = amount / (vol * unit)
  if ((average >= low && average <= high) || vol === 0 || Number.isNaN(amount + vol + unit + low + high)) return true
  if (vol < 0) return false
  const [counted, turned] = [unit > 1 ? 1 : vol % 100 === 0 ? 100 : 0.5, halfStep(amount, 10_000)]
  const least = (amount - turned) / ((vol + counted) * unit)
  const most = vol > counted ? (amount + turned) / ((vol - counted) * unit) : Number.POSITIVE_INFINITY
  return least <= high * (1 + slack) && most >= low * (1 - slack)
}

/** How many yuan, shares, bonds or fund units one of a unit is. */
const factors: Readonly<Record<string, number>> = {
  yuan: 1,
  'Hong Kong dollar': 1,
  '1,000 yuan': 1e3,
  '10,000 yuan': 1e4,
  '100 million yuan': 1e8,
  share: 1,
  bond: 1,
  'fund unit': 1,
  '10,000 shares': 1e4,
}
const lots: Readonly<Record<string, number>> = { stock: 100, fund: 100, bond: 10 }

/**
 * Yuan, or single shares, bonds or fund units, in one of a unit, which is named in English or Chinese; undefined for what is no money and no quantity.
 * @param lot what a lot is of
 */
export function unitFactor(unit: string | undefined, lot: number | undefined): number | undefined {
  const english = Object.entries(chineseUnits).find(([, chinese]) => chinese === unit)?.[0] ?? unit ?? ''
  return english === 'lot' ? lot : factors[english]
}

const factorOf = (unit: string | undefined, instruments: CodeKind | undefined): number | undefined =>
  unitFactor(unit, lots[instruments ?? ''])

/** The law of four columns: amounts and volumes in their units, 1 where a column has none. */
export function averageLaw(
  { columns, instruments }: Pick<Dataset, 'columns' | 'instruments'>,
  names: Pick<AverageLaw, 'amount' | 'vol' | 'low' | 'high'>,
): AverageLaw {
  const factor = (name: string): number => factorOf(columns[name]?.unit, instruments) ?? 1
  const { amount, vol, low, high } = names
  return { ...names, text: `${amount} / ${vol} between ${low} and ${high}`, money: factor(amount), unit: factor(vol) }
}

/** The law that a dataset keeps: declared, or that of `amount`, `vol`, `low` and `high` in yuan, if its units are known. */
export function averageLawOf(dataset: Dataset): AverageLaw | undefined {
  const { columns, instruments, average } = dataset
  if (average) return average
  const isKnown = (name: string): boolean =>
    columns[name]?.kind === 'number' && factorOf(columns[name]?.unit, instruments) !== undefined
  if (!['amount', 'vol', 'low', 'high'].every(isKnown)) return undefined
  return averageLaw(dataset, { amount: 'amount', vol: 'vol', low: 'low', high: 'high' })
}
