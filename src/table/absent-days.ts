import type { Dataset } from '../contract/dataset.js'

/**
 * Said of trading days that were asked for and have no row.
 * @param isStated the archive says which days it covers, and these are not among them
 */
export function absentDaysNote({ everyTradingDay }: Dataset, days: readonly string[], isStated = false): string {
  const named = `${days.slice(0, 5).join(', ')}${days.length > 5 ? ' …' : ''}`
  const count = days.length === 1 ? 'the trading day' : `${days.length} trading days:`
  const why = isStated ? ', not covered by the archive' : everyTradingDay ? '' : ', which may have none or be missing'
  return `no rows on ${count} ${named}${why}`
}
