import { realRows } from '../../../promise/helper/real-rows.js'
import type { Row } from '../help.js'

/** Six rows of 2018 as they were published. */
export function real(): Row[] {
  const rows = realRows('ggt_top10_20180727_6rows.csv', ['trade_date', 'ts_code', 'name', 'market_type'])
  return rows.map(({ ts_code, ...row }) => ({ ...row, code: ts_code }))
}

const plus = (a: number, b: number): number => Math.round((a + b) * 100) / 100

interface Sides {
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

/** A row of theme_daily. */
export const quote = (tradedate: string, pct_chg: number | null, name = '全A等权', symbol = '880008'): Row => ({
  tradedate,
  symbol,
  name,
  close: 1000,
  pct_chg,
})
