import type { Table } from 'apache-arrow'
import { integerColumn, numberColumn, type ResultColumn, resultTable, textColumn } from '../../checks/columns.js'
import { groupItems } from '../../checks/group.js'
import { QuotebookError } from '../../contract/error.js'
import { isDataFrame } from '../../frame/as-table.js'
import { namesOf, numbers, texts } from '../../frame/column.js'
import type { Data } from '../../frame/data.js'
import { quantileOf, sorted } from '../../frame/verb/array-statistics.js'
import { inTicks, percentOver, perYuanOf } from './previous-close.js'
import { closesOf } from './quotes-by-day.js'

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

interface Gap {
  readonly day: string
  readonly symbol: string
  readonly status: string | null
  readonly source: string | null
  readonly price: number
  readonly seen: number
  readonly prev: number
  readonly perYuan: number
  readonly gap: number
  readonly seenGap: number
  readonly direction: Direction | null
  readonly filledFirst: boolean | null
  readonly close: number
  readonly closePct: number
  readonly filledClose: boolean | null
}

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

function checkColumns(matches: Data): void {
  const there = namesOf(matches)
  const lacking = needed.filter((name) => !there.includes(name))
  if (lacking.length === 0) return
  const what = isDataFrame(matches) ? 'DataFrame' : 'table'
  throw new QuotebookError(
    'MISSING_COLUMN',
    `openingGaps takes the table of auctionMatch; this ${what} has no ${lacking.join(', ')}, it has: ${there.join(', ')}`,
  )
}

function gapsIn(matches: Data, { closes, tick }: GapOptions): Gap[] {
  const [day, symbol] = [texts(matches, 'tradedate'), texts(matches, 'symbol')]
  const [status, source] = [texts(matches, 'status'), texts(matches, 'prev_source')]
  const column = (name: (typeof needed)[number]): Float64Array => numbers(matches, name)
  const [price, prev, low, high] = [column('price'), column('prev_close'), column('prev_low'), column('prev_high')]
  const [gap, seenGap, seen] = [column('gap_pct'), column('gap_0920_pct'), column('price_0920')]
  const [firstLow, firstHigh] = [column('first_low'), column('first_high')]
  const known = closes && closesOf(closes)
  const perYuan = perYuanOf(tick)
  return Array.from(day, (own, row): Gap => {
    const code = symbol[row]
    if (typeof own !== 'string' || typeof code !== 'string') {
      throw new QuotebookError('INVALID_VALUE', `openingGaps, row ${row + 1}: tradedate or symbol is null`)
    }
    const at = (values: Float64Array): number => values[row] as number
    const isKnown = !Number.isNaN(at(gap))
    const direction = isKnown ? directionOf(at(price), at(low), at(high)) : null
    const close = known?.on(code, own) ?? Number.NaN
    const reached = direction === 'up' ? at(firstLow) : at(firstHigh)
    return {
      day: own,
      symbol: code,
      status: status[row] ?? null,
      source: source[row] ?? null,
      price: at(price),
      seen: at(seen),
      prev: at(prev),
      perYuan: perYuan(code),
      gap: at(gap),
      seenGap: at(seenGap),
      direction,
      filledFirst: fills(direction, reached, at(low), at(high)),
      close,
      closePct: percentOver(close, at(prev), perYuan(code)),
      filledClose: fills(direction, close, at(low), at(high)),
    }
  })
}

function bySize(a: Gap, b: Gap): number {
  const [x, y] = [Math.abs(a.gap), Math.abs(b.gap)]
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1
  if (x !== y && !Number.isNaN(x)) return y - x
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0
}

/** From the prices where they are on the tick, which rounds once; else from the percentages. */
function shareSeen({ price, seen, prev, gap, seenGap, perYuan }: Gap): number {
  const [p, s, b] = [price, seen, prev].map((one) => inTicks(one, perYuan)) as [number, number, number]
  const share = Number.isNaN(p + s + b) ? (seenGap * 100) / gap : ((s - b) * 100) / (p - b)
  return gap === 0 || Number.isNaN(seenGap) ? Number.NaN : share
}

function flagColumn(meaning: string, gaps: readonly Gap[], of: (gap: Gap) => boolean | null): ResultColumn {
  const data = Uint8Array.from(gaps, (gap) => (of(gap) === true ? 1 : 0))
  const valid = Uint8Array.from(gaps, (gap) => (of(gap) === null ? 0 : 1))
  const column = { kind: 'boolean', nullable: true, meaning } as const
  return { column, values: { type: 'boolean', data, valid: valid.includes(0) ? valid : null } }
}

function tableOfGaps(gaps: readonly Gap[], yuan: string | undefined): Table {
  const numberOf = (unit: string | undefined, meaning: string, of: (gap: Gap) => number): ResultColumn =>
    numberColumn(unit, meaning, Float64Array.from(gaps, of))
  return resultTable({
    tradedate: textColumn(
      'date',
      'Trading day.',
      gaps.map(({ day }) => day),
    ),
    symbol: textColumn(
      'code',
      'Security code.',
      gaps.map(({ symbol }) => symbol),
    ),
    prev_close: numberOf(yuan, 'Previous close, where it is known to the tick.', ({ prev }) => prev),
    price: numberOf(yuan, 'Price of the match.', ({ price }) => price),
    gap_pct: numberOf('percent', 'Match against the previous close.', ({ gap }) => gap),
    direction: textColumn(
      'label',
      'up, down or flat.',
      gaps.map(({ direction }) => direction),
    ),
    gap_0920_pct: numberOf('percent', 'The gap as it was seen at 09:20.', ({ seenGap }) => seenGap),
    seen_pct: numberOf('percent', 'Share of the gap that was seen at 09:20.', shareSeen),
    filled_first: flagColumn('Whether the first bar came back to the previous close.', gaps, (gap) => gap.filledFirst),
    close: numberOf(yuan, "The day's close.", ({ close }) => close),
    close_pct: numberOf('percent', 'Its change against the previous close.', ({ closePct }) => closePct),
    filled_close: flagColumn(
      'Whether the close is back at the previous close or beyond.',
      gaps,
      (gap) => gap.filledClose,
    ),
    status: textColumn(
      'label',
      'What came of the auction.',
      gaps.map(({ status }) => status),
    ),
    prev_source: textColumn(
      'label',
      'Where the previous close is from.',
      gaps.map(({ source }) => source),
    ),
  })
}

function tableOfDays(gaps: readonly Gap[]): Table {
  const days = [...groupItems(gaps, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  const own = days.map(([, list]) => list)
  const countOf = (list: readonly Gap[], is: (gap: Gap) => boolean): number => list.filter(is).length
  const counted = (meaning: string, is: (gap: Gap) => boolean): ResultColumn =>
    integerColumn(
      'security',
      meaning,
      Int32Array.from(own, (list) => countOf(list, is)),
    )
  const median = (list: readonly Gap[]): number => quantileOf(sorted(Float64Array.from(list, ({ gap }) => gap)), 0.5)
  const matched = (list: readonly Gap[]): number =>
    (countOf(list, ({ status }) => status === 'matched') * 100) / list.length
  return resultTable({
    tradedate: textColumn(
      'date',
      'Trading day.',
      days.map(([day]) => day),
    ),
    symbols: counted('Auctions.', () => true),
    ups: counted('Opened above the previous close.', ({ direction }) => direction === 'up'),
    downs: counted('Opened below it.', ({ direction }) => direction === 'down'),
    flats: counted('Opened at it.', ({ direction }) => direction === 'flat'),
    unknown: counted(
      'Without a match or a previous close, or too near to tell.',
      ({ direction }) => direction === null,
    ),
    median_gap_pct: numberColumn('percent', 'Median of the gaps that are known.', Float64Array.from(own, median)),
    matched_pct: numberColumn('percent', 'Share of auctions with status matched.', Float64Array.from(own, matched)),
  })
}

/**
 * The opening-gap table, and its summary by day.
 *
 * A gap is the match against the previous close, in percent (`gap_pct` of auctionMatch). `direction` compares the two
 * prices: null where there is no gap, and where the previous close is known between bounds only and the match lies there.
 * `seen_pct` is gap_0920_pct / gap_pct x 100, how much of the gap was seen at 09:20: 100 is all of it, below 0 the other side;
 * null for a gap of 0. A gap is filled when a price comes back to the previous close or beyond: `filled_first` by the low
 * (of a gap up) or high (down) of the first bar, where auctionMatch was given `bars`; `filled_close` by the day's close,
 * where `closes` have one. Both are null for a flat opening, without these prices, and where bounds leave it open.
 *
 * By day: auctions that opened up, down, flat, and those of which it is not known; the median of the gaps; the share
 * with status `matched`. All of these are conventions.
 * @param matches the table of auctionMatch, of any number of days
 * @throws QuotebookError MISSING_COLUMN for another table; INVALID_VALUE for a close that stands there twice
 */
export function openingGaps(matches: Data, options: GapOptions = {}): Gaps {
  checkColumns(matches)
  const gaps = gapsIn(matches, options).sort(bySize)
  const price = isDataFrame(matches) ? undefined : (matches as Table).schema.fields.find(({ name }) => name === 'price')
  return { table: tableOfGaps(gaps, price?.metadata.get('unit')), days: tableOfDays(gaps) }
}
