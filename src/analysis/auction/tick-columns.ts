import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { isDataFrame, namesIn, valuesIn } from '../../frame/as-table.js'
import { numbers } from '../../frame/column.js'
import type { Data } from '../../frame/data.js'
import { floatsIn, type Text, textIn } from '../../table/values.js'

/**
 * The shortest decimal that reads back as a single-precision number: 10.34 for 10.34000015258789, which is what a double
 * makes of it. Doubles that are no single-precision numbers come back as they are.
 */
function shortestOf(x: number): number {
  if (Math.fround(x) !== x) return x
  for (let power = 1; power <= 10_000; power *= 10) {
    const short = Math.round(x * power) / power
    if (Math.fround(short) === x) return short
  }
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(x.toPrecision(digits))
    if (Math.fround(short) === x) return short
  }
  return x
}

/** Whether a column of a table holds single-precision numbers. */
function isFloat32(data: Data, name: string): boolean {
  if (isDataFrame(data)) return false
  return String((data as Table).schema.fields.find((field) => field.name === name)?.type) === 'Float32'
}

/** A column of prices: NaN where one is missing, infinite or not above 0. @throws QuotebookError as `numbers` */
export function pricesIn(data: Data, name: string): Float64Array {
  const column = numbers(data, name)
  const own = isFloat32(data, name) ? column.map(shortestOf) : column
  for (let row = 0; row < own.length; row++) {
    const price = own[row] as number
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) own[row] = Number.NaN
  }
  return own
}

/**
 * The columns that auctions are read from, under the names that the sample's files give them. The specification names no
 * columns of the tick files: these names, and what they are taken to mean, are an assumption.
 */
const assumed = {
  /** Trading day, `YYYYMMDD`. */
  tradedate: 'tradedate',
  /** Code of the security. */
  symbol: 'symbol',
  /** Time of the snapshot, `HH:mm:ss`. */
  time: 'time',
  /** Price at which the auction would match, or did. */
  price: 'm_price',
  /** Its change against the previous close, percent, rounded. */
  pct_chg: 'auc_pct_chg',
  /** Volume matched at that price. */
  vol: 'auc_vol',
  /** Turnover matched at that price. */
  amount: 'auc_amt',
  /** Volume left over at that price. */
  unmatched: 'um_vol',
  /** Whose volume is left over. */
  side: 'um_side',
} as const

/** What a column of a tick file is to a function about auctions. */
export type AuctionColumn = keyof typeof assumed

export interface AuctionOptions {
  /**
   * The file's own names of columns. Where one is not given it is that of the sample, which is an assumption: `tradedate`,
   * `symbol`, `time`, price `m_price`, pct_chg `auc_pct_chg`, vol `auc_vol`, amount `auc_amt`, unmatched `um_vol`, side `um_side`.
   */
  readonly columns?: { readonly [C in AuctionColumn]?: string | undefined } | undefined
  /** What the file writes for the side of the unmatched volume. `b` and `s` where it is not given. */
  readonly sides?: { readonly buyers: string; readonly sellers: string } | undefined
}

/** The columns of a tick table, read by what they are. */
export interface TickColumns {
  /** Number of rows. */
  readonly length: number
  /** Whether the file has a column. */
  has(column: AuctionColumn): boolean
  /** Text as codes into its words; -1 where missing. Not the caller's own. */
  text(column: AuctionColumn): Text
  /** Numbers as the file has them, NaN where missing or infinite. The caller's own. */
  numbers(column: AuctionColumn): Float64Array
  /** The same, NaN where below zero. */
  volumes(column: AuctionColumn): Float64Array
  /** The same, NaN where not above zero: a file that writes 0 for "no price" means none. */
  prices(column: AuctionColumn): Float64Array
  /** The unit that the file itself states of a column. */
  unit(column: AuctionColumn): string | undefined
  /** The file's name of a column. */
  name(column: AuctionColumn): string
}

function namesFor(what: string, { columns = {} }: AuctionOptions): Readonly<Record<AuctionColumn, string>> {
  const known = Object.keys(assumed)
  for (const column of Object.keys(columns)) {
    if (known.includes(column)) continue
    const near = nearest(column, known)
    const hint = near === undefined ? `it takes ${known.join(', ')}` : `did you mean '${near}'?`
    throw new QuotebookError('INVALID_VALUE', `${what}: columns has no '${column}'; ${hint}`)
  }
  const given = Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== undefined))
  return { ...assumed, ...given }
}

/** @throws QuotebookError MISSING_COLUMN naming every column that is needed and not there, and those that are */
function checkThere(
  what: string,
  names: Readonly<Record<AuctionColumn, string>>,
  needed: readonly AuctionColumn[],
  there: readonly string[],
): void {
  const lacking = needed.filter((column) => !there.includes(names[column]))
  const [first] = lacking
  if (first === undefined) return
  const list = lacking.map((column) => (names[column] === column ? column : `${names[column]} (${column})`)).join(', ')
  const hint = `another name is told by { columns: { ${first}: '…' } }`
  throw new QuotebookError('MISSING_COLUMN', `${what} needs ${list}; the ticks have: ${there.join(', ')}; ${hint}`)
}

function noneOf(length: number): Float64Array {
  return new Float64Array(length).fill(Number.NaN)
}

/**
 * The columns that a function about auctions needs.
 * @param what the function, for its errors
 * @throws QuotebookError MISSING_COLUMN naming every column that is not there, and what is; INVALID_VALUE for a name in
 * `columns` that is none of ours, and for a column of the wrong kind
 */
export function tickColumns(
  what: string,
  data: Data,
  needed: readonly AuctionColumn[],
  options: AuctionOptions,
): TickColumns {
  const names = namesFor(what, options)
  checkThere(what, names, needed, namesIn(data))
  const values = (column: AuctionColumn) => {
    const found = valuesIn(data, names[column])
    if (found) return found
    throw new QuotebookError('MISSING_COLUMN', `${what} needs ${names[column]} (${column})`)
  }
  const wrong = (column: AuctionColumn, kind: string): never => {
    throw new QuotebookError('INVALID_VALUE', `${what}: column '${names[column]}' (${column}) does not hold ${kind}`)
  }
  const text = (column: AuctionColumn): Text => {
    const found = values(column)
    const own = textIn(found)
    if (own) return own
    const empty = floatsIn(found)?.every(Number.isNaN) ?? false
    return empty
      ? { type: 'dictionary', data: new Int32Array(found.data.length).fill(-1), dictionary: [] }
      : wrong(column, 'text')
  }
  const numbers = (column: AuctionColumn, keep: (x: number) => boolean): Float64Array => {
    const found = values(column)
    const floats = floatsIn(found)
    if (!floats)
      return textIn(found)?.data.every((code) => code < 0) ? noneOf(found.data.length) : wrong(column, 'numbers')
    const own = isFloat32(data, names[column]) ? floats.map(shortestOf) : floats.slice()
    for (let row = 0; row < own.length; row++) if (!keep(own[row] as number)) own[row] = Number.NaN
    return own
  }
  return {
    length: values(needed[0] ?? 'symbol').data.length,
    has: (column) => namesIn(data).includes(names[column]),
    text,
    numbers: (column) => numbers(column, (x) => x - x === 0),
    volumes: (column) => numbers(column, (x) => x >= 0 && x < Number.POSITIVE_INFINITY),
    prices: (column) => numbers(column, (x) => x > 0 && x < Number.POSITIVE_INFINITY),
    unit: (column) =>
      isDataFrame(data)
        ? undefined
        : (data as Table).schema.fields.find((field) => field.name === names[column])?.metadata.get('unit'),
    name: (column) => names[column],
  }
}

/** Matched and left-over volume are added up, so they have to count in one unit. */
function checkUnits(what: string, ticks: TickColumns): void {
  const [matched, left] = [ticks.unit('vol'), ticks.unit('unmatched')]
  if (matched === undefined || left === undefined || matched === left) return
  const names = `${ticks.name('vol')} counts in ${matched}, ${ticks.name('unmatched')} in ${left}`
  throw new QuotebookError('INVALID_VALUE', `${what} needs both volumes in one unit: ${names}`)
}

/**
 * Volume left over at the indicative price, by row: above zero of buyers, below zero of sellers. NaN where the volume is
 * missing, and where it is above zero and its side is missing or neither word; 0 needs no side.
 * @throws QuotebookError INVALID_VALUE where the file states another unit for it than for the matched volume
 */
export function signedLeft(what: string, ticks: TickColumns, { sides }: AuctionOptions): Float64Array {
  checkUnits(what, ticks)
  const { data, dictionary: words } = ticks.text('side')
  const { buyers, sellers } = sides ?? { buyers: 'b', sellers: 's' }
  const signs = words.map((word) => (word === buyers ? 1 : word === sellers ? -1 : Number.NaN))
  const left = ticks.volumes('unmatched')
  for (let row = 0; row < left.length; row++) {
    const volume = left[row] as number
    left[row] = volume === 0 ? 0 : volume * (signs[data[row] as number] ?? Number.NaN)
  }
  return left
}

/**
 * Order imbalance from -1 (sellers alone) to 1: signed left-over volume / (matched + left-over), which is (bid - asked) over
 * the larger of the two at that price. A convention. NaN where a volume is missing, or both are 0.
 */
export function imbalanceOf(matched: number, left: number): number {
  const all = matched + Math.abs(left)
  return all > 0 ? left / all : Number.NaN
}
