import type { Table } from 'apache-arrow'
import { invalid, QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { asTable, isDataFrame } from '../../../frame/as-table.js'
import type { Data } from '../../../frame/data.js'
import { columnNames, numbers, strings } from '../../../frame/read-columns.js'
import { fillArray } from '../../../frame/table/fresh-array.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { quantileOfSorted, sortedPresent } from '../../../frame/table/quantiles.js'
import { type CheckColumn, resultTable } from '../../checks/check-columns.js'
import { recordColumns } from '../../checks/record-columns.js'
import { gapPercent, inTicks, ticksPerYuanBy } from './previous-close.js'
import { closesByDay } from './quotes-by-day.js'

/** Options of `openingGaps`. */
export interface GapOptions {
  /** Closes with tradedate, code or symbol, and close: those of the auctions' own days tell whether a gap was closed. */
  readonly closes?: Data | undefined
  /** The price step in yuan; see MatchOptions. */
  readonly tick?: number | undefined
}

/** Opening gaps, largest first, and what they come to by day. */
export interface Gaps {
  /** A row for each auction, by size of the gap, then day and symbol; those without a gap last. */
  readonly table: Table
  /** A row for each day. */
  readonly days: Table
}

const needed = [
  'tradedate',
  'symbol',
  'status',
  'price',
  'prev_close',
  'prev_low',
  'prev_high',
  'prev_source',
  'price_0920',
  'gap_pct',
  'gap_0920_pct',
  'first_low',
  'first_high',
] as const

type Direction = 'up' | 'down' | 'flat'

/** Above all that the previous close can be, below all, or at the one that it is. */
function directionOf(price: number, low: number, high: number): Direction | null {
  if (price > high) return 'up'
  if (price < low) return 'down'
  return price === low && price === high ? 'flat' : null
}

/** Whether a price that was reached is at or beyond the previous close, seen from the gap; null where it can't be told. */
function fills(direction: Direction | null, reached: number, low: number, high: number): boolean | null {
  if (Number.isNaN(reached) || (direction !== 'up' && direction !== 'down')) return null
  if (direction === 'up') return reached <= low ? true : reached > high ? false : null
  return reached >= high ? true : reached < low ? false : null
}

function gapsIn(matches: Table, { closes, tick }: GapOptions) {
  const [day, symbol] = [strings(matches, 'tradedate'), strings(matches, 'symbol')]
  const [status, source] = [strings(matches, 'status'), strings(matches, 'prev_source')]
  const column = (name: (typeof needed)[number]): Float64Array => numbers(matches, name)
  const [price, previous, low, high] = [column('price'), column('prev_close'), column('prev_low'), column('prev_high')]
  const [gap, gap0920, price0920] = [column('gap_pct'), column('gap_0920_pct'), column('price_0920')]
  const [firstLow, firstHigh] = [column('first_low'), column('first_high')]
  const known = closes && closesByDay(asTable(closes))
  const perYuanOf = ticksPerYuanBy(tick)
  return day.map((own, row) => {
    const code = symbol[row]
    if (typeof own !== 'string' || typeof code !== 'string')
      throw invalid(sentence`openingGaps, row ${row + 1}: tradedate or symbol is null`)
    const at = (values: Float64Array): number => values[row] as number
    const direction = Number.isNaN(at(gap)) ? null : directionOf(at(price), at(low), at(high))
    const close = known?.on(code, own) ?? Number.NaN
    const reached = direction === 'up' ? at(firstLow) : at(firstHigh)
    return {
      day: own,
      symbol: code,
      status: status[row] ?? null,
      source: source[row] ?? null,
      price: at(price),
      price0920: at(price0920),
      previous: at(previous),
      perYuan: perYuanOf(code),
      gap: at(gap),
      gap0920: at(gap0920),
      direction,
      filledFirst: fills(direction, reached, at(low), at(high)),
      close,
      filledClose: fills(direction, close, at(low), at(high)),
    }
  })
}

type Gap = ReturnType<typeof gapsIn>[number]

function bySize(a: Gap, b: Gap): number {
  const [x, y] = [Math.abs(a.gap), Math.abs(b.gap)]
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1
  if (x !== y && !Number.isNaN(x)) return y - x
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0
}

/** From the prices where they are on the tick, which rounds once; else from the percentages. */
function seenShare({ price, price0920, previous, gap, gap0920, perYuan }: Gap): number {
  const [p, s, b] = [price, price0920, previous].map((one) => inTicks(one, perYuan)) as [number, number, number]
  const share = Number.isNaN(p + s + b) ? (gap0920 * 100) / gap : ((s - b) * 100) / (p - b)
  return gap === 0 || Number.isNaN(gap0920) ? Number.NaN : share
}

function flagColumn(meaning: string, flags: readonly (boolean | null)[]): CheckColumn {
  const data = fillArray(new Uint8Array(flags.length), (row) => (flags[row] ? 1 : 0))
  const isThere = (row: number): number => (flags[row] === null ? 0 : 1)
  const valid = flags.includes(null) ? fillArray(new Uint8Array(flags.length), isThere) : null
  return { column: { kind: 'boolean', nullable: true, meaning }, values: { type: 'boolean', data, valid } }
}

function gapTable(gaps: readonly Gap[], yuan: string | undefined): Table {
  const { text, number } = recordColumns(gaps)
  const [first, atClose] = [gaps.map((gap) => gap.filledFirst), gaps.map((gap) => gap.filledClose)]
  return resultTable({
    tradedate: text('date', 'Trading day.', ({ day }) => day),
    symbol: text('code', 'Security code.', ({ symbol }) => symbol),
    prev_close: number(yuan, 'Previous close, where it is known to the tick.', ({ previous }) => previous),
    price: number(yuan, 'Price of the match.', ({ price }) => price),
    gap_pct: number('percent', 'Match against the previous close.', ({ gap }) => gap),
    direction: text('label', 'up, down or flat.', ({ direction }) => direction),
    gap_0920_pct: number('percent', 'The gap as it was seen at 09:20.', ({ gap0920 }) => gap0920),
    seen_pct: number('percent', 'Share of the gap that was seen at 09:20.', seenShare),
    filled_first: flagColumn('Whether the first bar came back to the previous close.', first),
    close: number(yuan, "The day's close.", ({ close }) => close),
    close_pct: number('percent', 'Its change against the previous close.', ({ close, previous, perYuan }) =>
      gapPercent(close, previous, perYuan),
    ),
    filled_close: flagColumn('Whether the close is back at the previous close or beyond.', atClose),
    status: text('label', 'What came of the auction.', ({ status }) => status),
    prev_source: text('label', 'Where the previous close is from.', ({ source }) => source),
  })
}

function dayTable(gaps: readonly Gap[]): Table {
  const days = [...groupItems(gaps, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  const { text, number, count } = recordColumns(days)
  const counted = (meaning: string, is: (gap: Gap) => boolean): CheckColumn =>
    count('security', meaning, ([, own]) => own.filter(is).length)
  const matched = ([, own]: (typeof days)[number]): number =>
    (own.filter(({ status }) => status === 'matched').length * 100) / own.length
  const isUnknown = ({ direction }: Gap): boolean => direction === null
  return resultTable({
    tradedate: text('date', 'Trading day.', ([day]) => day),
    symbols: counted('Auctions.', () => true),
    ups: counted('Opened above the previous close.', ({ direction }) => direction === 'up'),
    downs: counted('Opened below it.', ({ direction }) => direction === 'down'),
    flats: counted('Opened at it.', ({ direction }) => direction === 'flat'),
    unknown: counted('Without a match or a previous close, or too near to tell.', isUnknown),
    median_gap_pct: number('percent', 'Median of the gaps that are known.', ([, own]) =>
      quantileOfSorted(sortedPresent(Float64Array.from(own, ({ gap }) => gap)), 0.5),
    ),
    matched_pct: number('percent', 'Share of auctions with status matched.', matched),
  })
}

/**
 * Computes the opening-gap table, and its summary by day.
 *
 * A gap is the match against the previous close, in percent (`gap_pct` of auctionMatch). `direction` compares the two
 * prices: null without a gap, and if the previous close is known between bounds only and the match lies between them.
 * `seen_pct` is gap_0920_pct / gap_pct x 100, how much of the gap was seen at 09:20: 100 is all of it, below 0 the
 * other side; null for a gap of 0. A gap is filled when a price comes back to the previous close or beyond:
 * `filled_first` by the low (of a gap up) or high (down) of the first bar, if auctionMatch was given `bars`;
 * `filled_close` by the day's close, if `closes` have one. Both are null for a flat opening, without these prices, and
 * if bounds leave it open.
 *
 * By day: auctions that opened up, down, flat, and those with an unknown direction; the median of the gaps; the share
 * with status `matched`. All of these are conventions.
 * @param matches the table of auctionMatch, of any number of days
 * @throws QuotebookError MISSING_COLUMN for another table; INVALID_VALUE for a duplicate close
 */
export function openingGaps(matches: Data, options: GapOptions = {}): Gaps {
  checkOptions(options, { closes: 'an object', tick: 'any' }, 'openingGaps')
  const table = asTable(matches)
  const names = columnNames(table)
  const lacking = needed.filter((name) => !names.includes(name))
  if (lacking.length > 0) {
    const what = sentence`${isDataFrame(matches) ? sentence`this DataFrame` : sentence`this table`} has no ${lacking.join(', ')}, it has: ${names.join(', ')}`
    throw new QuotebookError('MISSING_COLUMN', sentence`openingGaps takes the table of auctionMatch; ${what}`)
  }
  const gaps = gapsIn(table, options).sort(bySize)
  const yuan = table.schema.fields.find(({ name }) => name === 'price')?.metadata.get('unit')
  return { table: gapTable(gaps, yuan), days: dayTable(gaps) }
}
