import type { Dataset } from '../contract/dataset.js'

/** Said of trading days that were asked for and have no row. */
export function absentDaysNote({ everyTradingDay }: Dataset, days: readonly string[]): string {
  const named = `${days.slice(0, 5).join(', ')}${days.length > 5 ? ' …' : ''}`
  const count = days.length === 1 ? 'the trading day' : `${days.length} trading days:`
  return `no rows on ${count} ${named}${everyTradingDay ? '' : ', which may have none or be missing'}`
}
