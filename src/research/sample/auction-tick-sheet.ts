import type { Column } from '../../contract/column.js'
import { exchangeOf } from '../../contract/symbol.js'
import { DictionaryBuilder } from '../../frame/table/column-builder.js'
import type { ColumnData, RecordColumns } from '../../frame/table/values.js'
import { divideHalfUp, percentChange } from './exact-quotient.js'
import { drawsFrom, fork } from './random.js'
import { clock, type Day } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { closeOf, isSuspended, openOf, type SampleStock, tradedBefore, volumeOf } from './sample-stock.js'

/**
 * Columns of a tick file. The specification names none: this profile is an assumption, taken from what public clients
 * of similar services read. Readers take whatever columns a file has.
 */
export const auctionTickColumns = {
  tradedate: { kind: 'date', meaning: 'Trading day.' },
  symbol: { kind: 'code', meaning: 'Stock code with exchange suffix.' },
  time: { kind: 'clock', meaning: 'Time of the snapshot; 09:25:00 is the final match.' },
  m_price: { kind: 'number', unit: 'yuan', meaning: 'Price at which the auction would match, or did at 09:25:00.' },
  auc_pct_chg: { kind: 'number', unit: 'percent', meaning: 'Change of m_price against the previous close.' },
  auc_vol: { kind: 'number', unit: 'lot', meaning: 'Volume matched at m_price.' },
  auc_amt: { kind: 'number', unit: 'yuan', meaning: 'm_price x auc_vol x 100.' },
  um_vol: { kind: 'number', unit: 'lot', meaning: 'Volume left unmatched at m_price.' },
  um_side: { kind: 'label', values: ['b', 's'], nullable: true, meaning: 'Side of the unmatched volume; null at 0.' },
  auc_turnover_rate: { kind: 'number', unit: 'percent', meaning: 'auc_vol over the floating shares.' },
  auc_turnover: { kind: 'number', unit: '10,000 yuan', meaning: 'auc_amt in ten thousands.' },
  auc_to_pre_vol_pct: {
    kind: 'number',
    unit: 'percent',
    meaning: 'auc_vol over the volume of the trading day before.',
  },
} as const satisfies Record<string, Column>

const first = 9 * 3600 + 15 * 60 + 3
const snapshots = 100
const match = 9 * 3600 + 25 * 60

/** A row: its texts, and its numbers in the order of their columns. */
interface Tick {
  readonly symbol: string
  readonly time: string
  readonly um_side: string | null
  readonly numbers: readonly number[]
}

const numeric = Object.entries(auctionTickColumns).flatMap(([name, { kind }]) => (kind === 'number' ? [name] : []))

function* ticksOf(stock: SampleStock, t: number): Iterable<Tick> {
  const before = closeOf(stock, tradedBefore(stock, t))
  const yesterday = volumeOf(stock, tradedBefore(stock, t))
  const open = openOf(stock, t)
  const { int, once } = drawsFrom(fork(fork(stock.root, 'auction'), t))
  const final = Math.max(1, divideHalfUp(volumeOf(stock, t) * int(5, 60), 1000))
  const symbol = `${stock.code}.${exchangeOf(stock.code)}`
  for (let at = 0; at <= snapshots; at++) {
    const left = snapshots - at
    const stray = divideHalfUp(before * int(-left, left), 20_000)
    const price = open + divideHalfUp((before - open) * left, 300) + stray
    const lots = Math.max(1, divideHalfUp(final * (at * 9 + int(0, 100)), 1000))
    const matched = left === 0 ? final : lots
    const unmatched = once(15) ? 0 : divideHalfUp(matched * int(1, 900), 1000)
    yield {
      symbol,
      time: clock(left === 0 ? match : first + at * 6),
      um_side: unmatched === 0 ? null : once(2) ? 'b' : 's',
      numbers: [
        price / 100,
        percentChange(price, before),
        matched,
        price * matched,
        unmatched,
        divideHalfUp(matched * 100_000_000, stock.floatLots) / 1_000_000,
        (price * matched) / 10_000,
        divideHalfUp(matched * 1_000_000, yesterday) / 10_000,
      ],
    }
  }
}

function columnOf(name: string, ticks: readonly Tick[], day: Day): ColumnData {
  const place = numeric.indexOf(name)
  if (place >= 0) {
    return { type: 'float', data: Float64Array.from(ticks, ({ numbers }) => numbers[place] as number), valid: null }
  }
  const words = new DictionaryBuilder(ticks.length)
  for (const [row, tick] of ticks.entries()) {
    const word = { ...tick, tradedate: day.date }[name as 'tradedate' | 'symbol' | 'time' | 'um_side']
    if (word !== null) words.data[row] = words.codeOf(word)
  }
  return words.build()
}

/**
 * The auction of one day, by symbol, then time: a snapshot every six seconds from 09:15:03 to 09:24:57, then the
 * match at 09:25:00, whose price is the open of the hidden path. The first stocks of the sample, five or more.
 */
export function auctionTicks(sample: Sample, day: Day): RecordColumns {
  const count = Math.max(5, Math.ceil(sample.etfs.length / 2))
  const stocks = sample.stocks.slice(0, count).filter((stock) => !isSuspended(stock, day.t))
  stocks.sort((a, b) => (a.code < b.code ? -1 : 1))
  const ticks = stocks.flatMap((stock) => [...ticksOf(stock, day.t)])
  const of = new Map(Object.keys(auctionTickColumns).map((name) => [name, columnOf(name, ticks, day)]))
  return { length: ticks.length, columns: of }
}
