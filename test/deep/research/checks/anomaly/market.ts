import { tradingDays } from '../../../../../src/contract/calendar.js'
import { benchmarkOf, priceLimit } from '../../../../../src/research/checks/anomaly/anomaly-rules.js'
import { anomalyForecastSheet } from '../../../../../src/research/sample/anomaly-sheet.js'
import { planSample, type SampleOptions } from '../../../../../src/research/sample/sample-plan.js'
import { fieldsOf } from '../../../../../src/research/sample/sample-sheet.js'
import { chances } from '../../../../helper/chance.js'
import type { Row } from '../../../../research/analysis/help.js'
import { severeCandidates } from '../../../../research/checks/anomaly/severe-candidates.js'

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

/** The rows of severe candidates that follow from the paths: of every completed day, and a forecast. */
export function marketRows(options: MarketOptions): Row[] {
  const random = chances(options.seed)
  const dates = tradingDays(options.first ?? '20260401', '20261231').slice(0, options.days)
  const [prices, benchmarks]: [Row[], Row[]] = [[], []]
  for (const board of ['SSE main', 'SZSE main', 'ChiNext', 'STAR', 'BSE'] as const) {
    let level = 300_000
    for (const tradedate of dates) {
      benchmarks.push({ tradedate, code: benchmarkOf(board).code, close: level / 100 })
      level = Math.round(level * (1 + (random() + random() + random() - 1.5) * 0.02))
    }
    for (let i = 0; i < options.stocks; i++) {
      const symbol = String(first[board] + i).padStart(6, '0')
      const limit = priceLimit(board, false, '20260701') / 100
      const path = pathOf(options, limit, random, `名${board.replace(' main', '')}${i}号`)
      for (const { at, close, reference, name } of path)
        prices.push({ tradedate: dates[at], symbol, name, close: close / 100, pre_close: reference / 100 })
    }
  }
  return severeCandidates(prices, benchmarks)
}
