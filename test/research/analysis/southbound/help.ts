import fc from 'fast-check'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { fixture, type Row } from '../help.js'

/** Six rows of 2018 as they were published. */
export function real(): Row[] {
  const rows = fixture('ggt_top10_20180727_6rows.csv', ['trade_date', 'ts_code', 'name', 'market_type'])
  return rows.map(({ ts_code, ...row }) => ({ ...row, code: ts_code }))
}

export const cents = fc.integer({ min: 0, max: 99_999_999_999 }).map((n) => n / 100)
export const plus = (a: number, b: number): number => Math.round((a + b) * 100) / 100

export interface Sides {
  readonly sh: readonly [number, number] | null
  readonly sz: readonly [number, number] | null
}

function cells(prefix: 'sh' | 'sz', side: readonly [number, number] | null): Row {
  const [buy, sell] = side ?? [null, null]
  return {
    [`${prefix}_amount`]: buy === null ? null : plus(buy, sell),
    [`${prefix}_net_amount`]: buy === null ? null : plus(buy, -sell),
    [`${prefix}_buy`]: buy,
    [`${prefix}_sell`]: sell,
  }
}

/** The rows of a stock on a day, as a sound publisher would send them. */
export function stock(trade_date: string, code: string, { sh, sz }: Sides): Row[] {
  const sides = [sh, sz].filter((side) => side !== null)
  const buy = sides.reduce((sum, [b]) => plus(sum, b), 0)
  const sell = sides.reduce((sum, [, s]) => plus(sum, s), 0)
  const common = {
    name: code,
    close: 10,
    p_change: 1,
    rank: null,
    amount: plus(buy, sell),
    net_amount: plus(buy, -sell),
    ...cells('sh', sh),
    ...cells('sz', sz),
  }
  return [...(sh ? ['2'] : []), ...(sz ? ['4'] : [])].map((market_type) => ({
    trade_date,
    code,
    market_type,
    ...common,
  }))
}

const days = tradingDays('20260701', '20260707')

export const side = fc.tuple(cents, cents)
const sides: fc.Arbitrary<Sides> = fc.oneof(
  fc.record({ sh: side, sz: fc.constant(null) }),
  fc.record({ sh: fc.constant(null), sz: side }),
  fc.record({ sh: side, sz: side }),
)
export const market = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 10 }), sides), {
    selector: ([day, code]) => `${day} ${code}`,
    minLength: 1,
    maxLength: 40,
  })
  .map((list) => list.flatMap(([day, code, own]) => stock(days[day] as string, `00${100 + code}.HK`, own)))

/** A row of theme_daily. */
export const quote = (tradedate: string, pct_chg: number | null, name = '全A等权', symbol = '880008'): Row => ({
  tradedate,
  symbol,
  name,
  close: 1000,
  pct_chg,
})
