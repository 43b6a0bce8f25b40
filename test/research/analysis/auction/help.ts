import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import { sampleDir } from '../../../../src/connect.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { fromParquet } from '../../../../src/frame/table/parquet.js'
import { concat } from '../../../../src/frame/verb/concat.js'

/** A snapshot as the sample's files have it. */
export interface Tick {
  readonly tradedate: string
  readonly symbol: string
  readonly time: string
  readonly m_price: number | null
  readonly auc_pct_chg: number | null
  readonly auc_vol: number | null
  readonly auc_amt: number | null
  readonly um_vol: number | null
  readonly um_side: string | null
}

const columns = [
  'tradedate',
  'symbol',
  'time',
  'm_price',
  'auc_pct_chg',
  'auc_vol',
  'auc_amt',
  'um_vol',
  'um_side',
] as const satisfies readonly (keyof Tick)[]

export const plain: Tick = {
  tradedate: '20260729',
  symbol: '000001.SZ',
  time: '09:25:00',
  m_price: 10.1,
  auc_pct_chg: 1,
  auc_vol: 100,
  auc_amt: 101_000,
  um_vol: 50,
  um_side: 'b',
}

export function ticksOf(rows: readonly Partial<Tick>[]): Table {
  return fromRows(
    rows.map((row) => ({ ...plain, ...row })),
    { columns },
  )
}

/** Some days of the sample, or all. */
export async function sampleTicks(days = Number.POSITIVE_INFINITY): Promise<Table> {
  const folder = `${sampleDir}/ticks`
  if (!existsSync(folder)) throw new Error(`${folder} is not there`)
  const files = readdirSync(folder).sort().slice(0, days)
  return concat(await Promise.all(files.map((file) => fromParquet(readFileSync(`${folder}/${file}`), file))))
}

/** |(price / close - 1) x 100 - change| rounded half away from zero to so many places; prices in cents. */
export function changeOf(cents: number, close: number, places: number): number {
  const [n, d] = [BigInt(cents - close) * 100n * 10n ** BigInt(places), BigInt(close)]
  const size = ((n < 0n ? -n : n) * 2n + d) / (d * 2n)
  return Number(`${n < 0n ? -size : size}e-${places}`)
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 8 })
const volume = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000_000 }))

/** Auctions of a few days and symbols, with everything that may be missing missing somewhere; rows in order. */
export const auctions: fc.Arbitrary<Tick[]> = fc
  .uniqueArray(
    fc.record({
      tradedate: fc.constantFrom('20260727', '20260728', '20260729'),
      symbol: fc.constantFrom('000001.SZ', '300750.SZ', '600519.SH', '510300.SH'),
      close: fc.integer({ min: 100, max: 200_000 }),
      places: fc.constantFrom(2, 4),
      at: fc.uniqueArray(
        fc.oneof(fc.integer({ min: 33_290, max: 34_210 }), fc.constantFrom(33_300, 33_600, 33_900, 33_903, 54_000)),
        { minLength: 1, maxLength: 12 },
      ),
      snapshots: fc.array(
        fc.record({
          move: fc.integer({ min: -900, max: 900 }),
          price: maybe(fc.constant(true)),
          auc_vol: maybe(volume),
          um_vol: maybe(volume),
          um_side: maybe(fc.constantFrom('b', 's')),
        }),
        { minLength: 12, maxLength: 12 },
      ),
    }),
    { selector: ({ tradedate, symbol }) => `${tradedate} ${symbol}`, maxLength: 8 },
  )
  .map((list) =>
    list
      .sort((a, b) => (`${a.tradedate} ${a.symbol}` < `${b.tradedate} ${b.symbol}` ? -1 : 1))
      .flatMap(({ tradedate, symbol, close, places, at, snapshots }) =>
        at
          .sort((a, b) => a - b)
          .map((second, i): Tick => {
            const { move = 0, price = null, ...rest } = snapshots[i] ?? { auc_vol: 0, um_vol: 0, um_side: null }
            const cents = Math.max(1, close + Math.round((close * move) / 10_000))
            const has = price !== null
            return {
              tradedate,
              symbol,
              time: clock(second),
              m_price: has ? cents / 100 : null,
              auc_pct_chg: has ? changeOf(cents, close, places) : null,
              auc_amt: has && rest.auc_vol !== null ? cents * rest.auc_vol : null,
              ...rest,
            }
          }),
      ),
  )

/** The same rows in another order. */
export function shuffled<T>(rows: readonly T[], seed: number): T[] {
  const key = (i: number): number => Math.imul(i + seed + 1, 2_654_435_761) >>> 0
  return rows
    .map((row, i) => [key(i), row] as const)
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row)
}
