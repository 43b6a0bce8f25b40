import type { Table } from 'apache-arrow'
import { invalid, QuotebookError } from '../../../contract/error.js'
import { nameHint } from '../../../contract/nearest.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { readColumn } from '../../../frame/as-table.js'
import { columnNames, numbers } from '../../../frame/read-columns.js'
import { floatsIn, type Text, textIn } from '../../../frame/table/values.js'

/**
 * The shortest decimal that reads back as a single-precision number: 10.34 for 10.34000015258789, which is what a double
 * makes of it. Doubles that are no single-precision numbers come back as they are.
 */
function shortestDecimal(x: number): number {
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
function isFloat32(table: Table, name: string): boolean {
  return String(table.schema.fields.find((field) => field.name === name)?.type) === 'Float32'
}

/** A column of prices: NaN where one is missing, infinite or not above 0. @throws QuotebookError as `numbers` */
export function positivePrices(table: Table, name: string): Float64Array {
  const column = numbers(table, name)
  const own = isFloat32(table, name) ? column.map(shortestDecimal) : column
  return own.map((price) => (price > 0 && price < Number.POSITIVE_INFINITY ? price : Number.NaN))
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

/** Options for reading the columns of a tick file. */
export interface AuctionOptions {
  /**
   * The file's own names of columns. Where one is not given it is that of the sample, which is an assumption: `tradedate`,
   * `symbol`, `time`, price `m_price`, pct_chg `auc_pct_chg`, vol `auc_vol`, amount `auc_amt`, unmatched `um_vol`, side `um_side`.
   */
  readonly columns?: { readonly [C in AuctionColumn]?: string | undefined } | undefined
  /** What the file writes for the side of the unmatched volume. Default: `b` and `s`. */
  readonly sides?: { readonly buyers: string; readonly sellers: string } | undefined
}

/** The same, by name. */
export const auctionKinds: OptionKinds<AuctionOptions> = { columns: 'an object', sides: 'an object' }

/** @throws QuotebookError INVALID_VALUE for a name in `columns` that is none of ours */
function auctionNames(caller: string, { columns = {} }: AuctionOptions): Readonly<Record<AuctionColumn, string>> {
  const known = Object.keys(assumed)
  for (const column of Object.keys(columns)) {
    if (known.includes(column)) continue
    const hint = nameHint(column, known)
    throw invalid(sentence`${caller}: columns has no '${column}'; ${hint}`)
  }
  const given = Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== undefined))
  return { ...assumed, ...given }
}

/** The columns of a tick table, read by what they are. */
export class TickColumns {
  readonly #caller: string
  readonly #table: Table
  readonly #names: Readonly<Record<AuctionColumn, string>>

  /**
   * @param caller the function, for its errors
   * @throws QuotebookError MISSING_COLUMN naming every column that is needed and not there, and those that are;
   * INVALID_VALUE for a name in `columns` that is none of ours
   */
  constructor(caller: string, table: Table, needed: readonly AuctionColumn[], options: AuctionOptions) {
    this.#caller = caller
    this.#table = table
    this.#names = auctionNames(caller, options)
    const lacking = needed.filter((column) => !this.has(column))
    const [first] = lacking
    if (first === undefined) return
    const names = lacking.map((column) =>
      this.name(column) === column ? column : sentence`${this.name(column)} (${column})`,
    )
    const hint = sentence`another name is told by { columns: { ${first}: '…' } }`
    const has = sentence`the ticks have: ${columnNames(table).join(', ')}`
    throw new QuotebookError('MISSING_COLUMN', sentence`${caller} needs ${names.join(', ')}; ${has}; ${hint}`)
  }

  /** Whether the file has a column. */
  has(column: AuctionColumn): boolean {
    return columnNames(this.#table).includes(this.name(column))
  }

  /** The file's name of a column. */
  name(column: AuctionColumn): string {
    return this.#names[column]
  }

  /** The unit that the file itself states of a column. */
  unit(column: AuctionColumn): string | undefined {
    return this.#table.schema.fields.find(({ name }) => name === this.name(column))?.metadata.get('unit')
  }

  /** Text as codes into its words; -1 where missing. Not the caller's own. */
  text(column: AuctionColumn): Text {
    const found = this.#values(column)
    const own = textIn(found)
    if (own) return own
    if (!floatsIn(found)?.every(Number.isNaN)) throw this.#wrong(column, sentence`text`)
    return { type: 'dictionary', data: new Int32Array(found.data.length).fill(-1), dictionary: [] }
  }

  /** Numbers as the file has them, NaN where missing or infinite. The caller's own. */
  numbers(column: AuctionColumn): Float64Array {
    return this.#filtered(column, () => true)
  }

  /** The same, NaN where below zero. */
  volumes(column: AuctionColumn): Float64Array {
    return this.#filtered(column, (x) => x >= 0)
  }

  /** The same, NaN where not above zero: a file that writes 0 for "no price" means none. */
  prices(column: AuctionColumn): Float64Array {
    return this.#filtered(column, (x) => x > 0)
  }

  #values(column: AuctionColumn) {
    const found = readColumn(this.#table, this.name(column))
    if (found) return found
    throw new QuotebookError('MISSING_COLUMN', sentence`${this.#caller} needs ${this.name(column)} (${column})`)
  }

  #wrong(column: AuctionColumn, kind: Words): QuotebookError {
    const name = sentence`column '${this.name(column)}' (${column})`
    return invalid(sentence`${this.#caller}: ${name} does not hold ${kind}`)
  }

  #filtered(column: AuctionColumn, isKept: (x: number) => boolean): Float64Array {
    const found = this.#values(column)
    const floats = floatsIn(found)
    if (!floats && !textIn(found)?.data.every((code) => code < 0)) throw this.#wrong(column, sentence`numbers`)
    if (!floats) return new Float64Array(found.data.length).fill(Number.NaN)
    const exact = isFloat32(this.#table, this.name(column)) ? floats.map(shortestDecimal) : floats
    return exact.map((x) => (Number.isFinite(x) && isKept(x) ? x : Number.NaN))
  }
}

/**
 * Volume left over at the indicative price, by row: above zero of buyers, below zero of sellers. NaN where the volume is
 * missing, and where it is above zero and its side is missing or neither word; 0 needs no side.
 * @throws QuotebookError INVALID_VALUE where the file states another unit for it than for the matched volume: they are added up
 */
export function signedUnmatched(caller: string, ticks: TickColumns, { sides }: AuctionOptions): Float64Array {
  const [matchedUnit, unit] = [ticks.unit('vol'), ticks.unit('unmatched')]
  if (matchedUnit !== undefined && unit !== undefined && matchedUnit !== unit) {
    const names = sentence`${ticks.name('vol')} counts in ${matchedUnit}, ${ticks.name('unmatched')} in ${unit}`
    throw invalid(sentence`${caller} needs both volumes in one unit: ${names}`)
  }
  const { data, dictionary } = ticks.text('side')
  const named = sides ?? { buyers: 'b', sellers: 's' }
  const { buyers, sellers } = checkOptions(named, { buyers: 'text', sellers: 'text' }, sentence`sides of ${caller}`)
  const signs = dictionary.map((word) => (word === buyers ? 1 : word === sellers ? -1 : Number.NaN))
  return ticks
    .volumes('unmatched')
    .map((volume, row) => (volume === 0 ? 0 : volume * (signs[data[row] as number] ?? Number.NaN)))
}

/**
 * Order imbalance from -1 (sellers alone) to 1: signed left-over volume / (matched + left-over), which is (bid - asked) over
 * the larger of the two at that price. A convention. NaN where a volume is missing, or both are 0.
 */
export function imbalance(matched: number, unmatched: number): number {
  const all = matched + Math.abs(unmatched)
  return all > 0 ? unmatched / all : Number.NaN
}
