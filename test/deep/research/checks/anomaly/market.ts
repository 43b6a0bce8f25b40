import { tradingDays } from '../../../../../src/contract/calendar.js'
import { boardOf } from '../../../../../src/contract/trading-rules.js'
import { priceLimit, severeRules } from '../../../../../src/research/checks/anomaly/anomaly-rules.js'
import { roundHalfUp } from '../../../../../src/research/checks/exact/decimal.js'
import { anomalyForecastSheet } from '../../../../../src/research/sample/anomaly-sheet.js'
import { planSample, type SampleOptions } from '../../../../../src/research/sample/sample-plan.js'
import { fieldsOf } from '../../../../../src/research/sample/sample-sheet.js'
import { chances } from '../../../../helper/chance.js'
import type { Row } from '../../../../research/analysis/help.js'

/** The candidates of a synthetic archive, as the service sends them. */
export function archiveRows(options: SampleOptions = {}): Row[] {
  const sample = planSample(options)
  const fields = fieldsOf('anomaly_forecast')
  return anomalyForecastSheet.rows(sample, anomalyForecastSheet.days(sample)).map((row) => {
    const { computed_on, ...sent } = Object.fromEntries(fields.map((field, i) => [field, row[i]]))
    return sent
  })
}

export interface MarketOptions {
  readonly seed: number
  /** Stocks of each board. */
  readonly stocks: number
  readonly days: number
  readonly first?: string
  /** Chances per stock and day. */
  readonly suspended?: number
  readonly exRight?: number
  readonly renamed?: number
  readonly st?: number
}

interface StockDay {
  readonly at: number
  readonly close: number
  readonly reference: number
  readonly name: string
}

const first = { 'SSE main': 600100, 'SZSE main': 2100, ChiNext: 300100, STAR: 688100, BSE: 920100 } as const

/** Trading days of one stock: calm, with runs of moves near the limit; prices in cents, the reference price cut for ex-rights. */
function pathOf(options: MarketOptions, limit: number, random: () => number, plain: string): StockDay[] {
  const days: StockDay[] = []
  let close = 300 + Math.floor(random() * random() * 12_000)
  let name = plain
  let pace = 0
  let left = 0
  let pause = 0
  for (let at = 0; at < options.days; at++) {
    if (pause > 0) {
      pause--
      continue
    }
    if (random() < (options.suspended ?? 0)) {
      pause = Math.floor(random() * 8)
      continue
    }
    if (random() < (options.renamed ?? 0)) name = `${plain}${'甲乙丙丁戊己'[Math.floor(random() * 6)]}`
    if (random() < (options.st ?? 0)) name = name.startsWith('ST') ? name.slice(2) : `ST${name}`
    if (left-- <= 0) {
      pace = random() < 0.3 ? (random() < 0.6 ? 1 : -1) : 0
      left = 3 + Math.floor(random() * 9)
    }
    const reference = random() < (options.exRight ?? 0) ? Math.round(close * (0.97 - 0.4 * random() ** 3)) : close
    const cap = name.startsWith('ST') ? Math.min(limit, 0.05) : limit
    const move = pace === 0 ? (random() - 0.5) * 0.08 : pace * limit * (0.55 + 0.5 * random())
    const [low, high] = [Math.round(reference * (1 - cap)), Math.round(reference * (1 + cap))]
    close = Math.max(30, low, Math.min(high, Math.round(reference * (1 + move))))
    days.push({ at, close, reference, name })
  }
  return days
}

/** The published rows of severe candidates that follow from the paths: every completed day, and a forecast. */
export function marketRows(options: MarketOptions): Row[] {
  const random = chances(options.seed)
  const dates = tradingDays(options.first ?? '20260401', '20261231').slice(0, options.days + 1)
  const rows: Row[] = []
  for (const board of ['SSE main', 'SZSE main', 'ChiNext', 'STAR', 'BSE'] as const) {
    const index = [300_000]
    for (let t = 1; t < options.days; t++) {
      index.push(Math.round((index[t - 1] as number) * (1 + (random() + random() + random() - 1.5) * 0.02)))
    }
    for (let i = 0; i < options.stocks; i++) {
      const symbol = String(first[board] + i).padStart(6, '0')
      if (boardOf(symbol) !== board) throw new Error(symbol)
      const limit = priceLimit(board, false, '20260701') / 100
      rows.push(
        ...rowsOf(symbol, pathOf(options, limit, random, `名${board.replace(' main', '')}${i}号`), index, dates),
      )
    }
  }
  const place = (row: Row): string => `${row['tradedate']} ${row['symbol']} ${row['rule']}`
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

function rowsOf(symbol: string, path: readonly StockDay[], index: readonly number[], dates: readonly string[]): Row[] {
  const board = boardOf(symbol) as NonNullable<ReturnType<typeof boardOf>>
  const rows: Row[] = []
  const last = dates.length - 2
  path.forEach((today, n) => {
    for (const forecast of today.at === last ? [false, true] : [false]) {
      const date = dates[forecast ? today.at + 1 : today.at] as string
      const reference = forecast ? today.close : today.reference
      for (const rule of severeRules(board, date)) {
        const up = rule.direction === 'up'
        let best: { days: number; stock: number; index: number } | undefined
        let stock = 1
        for (let days = 1; days <= rule.days - (forecast ? 1 : 0) && n - days >= 0; days++) {
          const day = path[n - days + 1] as StockDay
          stock *= day.close / day.reference
          const base = path[n - days] as StockDay
          const growth = (index[today.at] as number) / (index[base.at] as number)
          const gap = best ? stock - growth - (best.stock - best.index) : 0
          if (!best || (up ? gap > 1e-12 : gap < -1e-12)) best = { days, stock, index: growth }
        }
        if (!best) continue
        const threshold = rule.threshold / 100
        const deviation = best.stock - best.index
        const before = forecast ? best.stock : (best.stock * today.reference) / today.close
        const required = (threshold + best.index) / before - 1
        const exact = reference * (1 + required)
        const price = up ? Math.ceil(exact - 1e-9) : Math.floor(exact + 1e-9)
        const triggered = up ? deviation >= threshold : deviation <= threshold
        const percent = priceLimit(board, today.name.startsWith('ST'), date) / 100
        const bound = Math.round(reference * (1 + (up ? percent : -percent)))
        if (price <= 0 || (!triggered && (up ? price > bound : price < bound))) continue
        rows.push({
          tradedate: date,
          symbol,
          name: today.name,
          pct_chg: forecast ? null : roundHalfUp((today.close / today.reference - 1) * 100, 4),
          rule: rule.text,
          elapsed_days: best.days,
          deviation_pct: roundHalfUp(deviation * 100, 4),
          required_pct_chg: roundHalfUp(required * 100, 4),
          trigger_price: price / 100,
          status: triggered ? 'triggered' : 'reachable',
        })
      }
    }
  })
  return rows
}
