import { dateIn } from '../../../contract/date.js'
import { strings } from '../../../frame/read-columns.js'
import type { Market } from '../../../market.js'
import type { BacktestResult } from '../backtest.js'

/** An announcement that names a redemption of a bond. */
export interface RedemptionNotice {
  readonly day: string
  readonly symbol: string
  readonly title: string
}

/** What an account held, day by day, as a result has it. */
export interface RunPositions extends Pick<BacktestResult, 'days' | 'positions'> {}

const words = ['赎回', '强赎', '兑付'] as const

/**
 * Loads the announcements of the days of an account that name a redemption (赎回, 强赎, 兑付) and, by name or number, a bond
 * that it held on any of them. If the source is not an archive, or has no announcements, the result is empty.
 * @param names of instruments by code
 */
export async function loadRedemptions(
  market: Market,
  { days, positions }: RunPositions,
  names: Readonly<Record<string, string>> = {},
): Promise<readonly RedemptionNotice[]> {
  const held = [...new Set(strings(positions, 'symbol'))].flatMap((symbol) => symbol ?? []).sort()
  if (!market.archive || held.length === 0) return []
  const span = { ann_startdate: days[0], ann_enddate: days.at(-1) }
  const found = new Map<string, RedemptionNotice>()
  for (const keyword of words) {
    const fields = ['event_date', 'title', 'summary']
    const table = await market.query('finance_announcement', { ...span, keyword }, { fields })
    const [date, title, summary] = fields.map((name) => strings(table, name)) as [string[], string[], string[]]
    title.forEach((text, row) => {
      const symbol = held.find((code) => {
        const [digits, name] = [code.slice(0, 6), names[code]]
        return [text, summary[row] ?? ''].some((one) => one.includes(digits) || (name && one.includes(name)))
      })
      const day = dateIn(date[row] ?? '') ?? ''
      if (symbol !== undefined) found.set(`${day} ${symbol} ${text}`, { day, symbol, title: text })
    })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
}
