import { noticedCalendar } from './calendar.js'
import type { Column } from './column.js'
import type { AverageLaw, Dataset } from './dataset.js'
import type { Language } from './language.js'
import { sayIn } from './say.js'
import { counted, sentence } from './sentence.js'
import { averageLawOf } from './turnover-law.js'

/** The names of the laws, as `provenance(table).suspect` has them, and what they say. */
export const rowLaws = {
  range: sentence`low ≤ open, close ≤ high`,
  price: sentence`prices are above 0`,
  average: sentence`turnover / volume lies between low and high`,
  code: sentence`a code has 5 or 6 digits`,
  waiting: sentence`a settled day has all its rows and values when it is asked for again`,
  day: sentence`no trading on a Saturday, a Sunday or a holiday`,
} as const

/** A law that rows keep; what breaks one is suspect, and neither dropped nor refused. */
export type RowLaw = keyof typeof rowLaws

const prices: readonly string[] = ['open', 'high', 'low', 'close', 'pre_close', 'vwap']
const rangeNames = ['low', 'open', 'high', 'close'] as const

/** Of each pair the first price is at most the second. */
export const priceOrder = [
  ['low', 'open'],
  ['low', 'close'],
  ['open', 'high'],
  ['close', 'high'],
  ['low', 'high'],
] as const

/** A price is money. Points of an index are none: that of breadth counts stocks, and its open and low mean something else. */
function isPrice(name: string, { kind, unit }: Column): boolean {
  return kind === 'number' && (unit === 'yuan' || unit === 'Hong Kong dollar') && prices.includes(name)
}

const averageNames = (law: AverageLaw | undefined): string[] => (law ? [law.low, law.high, law.vol, law.amount] : [])

/**
 * The columns of a dataset that each law looks at: it follows from their kinds, units and names. Dates are looked at where they are
 * declared to be of trading (`isTrading`): documents are published on any day. The vendor's own codes have no form.
 */
export function lawColumns(dataset: Dataset): Readonly<Record<RowLaw, readonly string[]>> {
  const { columns, params } = dataset
  const all = Object.entries(columns)
  const isListOfCodes = (name: string): boolean =>
    Object.values(params).some((param) => param.kind === 'codes' && param.columns?.includes(name))
  const named = (isMeant: (name: string, column: Column) => boolean): string[] =>
    all.flatMap(([name, column]) => (isMeant(name, column) ? [name] : []))
  const price = named(isPrice)
  return {
    range: rangeNames.every((name) => price.includes(name)) ? rangeNames : [],
    price,
    average: averageNames(averageLawOf(dataset)),
    waiting: [],
    code: named((name, { kind, isOwn }) => (kind === 'code' ? !isOwn : kind === 'texts' && isListOfCodes(name))),
    day: named((_, { isTrading }) => isTrading === true),
  }
}

/** What the words of a column break, for the laws that look at single words. */
export const breaksByWord = {
  code: (word: string): boolean => !/^\d{5,6}(\.(SH|SZ|BJ|HK))?$/i.test(word),
  day: (word: string): boolean => noticedCalendar.isOpen(word) === false,
} as const

/** Rows of a table that break a law. */
export interface Suspect {
  readonly law: RowLaw
  readonly rows: number
  /** The first of them: its place, from 0, and its cells of the key and of the columns that the law looks at. Text of others. */
  readonly first: { readonly row: number; readonly cells: Readonly<Record<string, string | number | null>> }
}

/** A line for each law that is broken; text of others stands in it as it came. */
export function suspectLines(suspect: readonly Suspect[] = [], language: Language = 'en'): string[] {
  return suspect.map(({ law, rows, first }) => {
    const cells = Object.entries(first.cells).map(([name, cell]) => `${name} ${cell === null ? 'null' : cell}`)
    const say = sayIn(language)
    const broken = counted(rows, 'row breaks', undefined, 'rows break')
    return say`suspect: ${broken} “${rowLaws[law]}”, first ${cells.join(say(', '))}`
  })
}
