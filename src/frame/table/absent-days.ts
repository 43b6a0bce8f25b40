import type { Dataset } from '../../contract/dataset.js'
import { sentence, type Words } from '../../contract/sentence.js'

/**
 * Said of trading days that were asked for and have no row.
 * @param isStated the archive says which days it covers, and these are not among them
 */
export function absentDaysNote({ everyTradingDay }: Dataset, days: readonly string[], isStated = false): Words {
  const named = `${days.slice(0, 5).join(', ')}${days.length > 5 ? ' …' : ''}`
  const which = days.length === 1 ? sentence`the trading day ${named}` : sentence`${days.length} trading days: ${named}`
  if (isStated) return sentence`no rows on ${which}, not covered by the archive`
  if (everyTradingDay) return sentence`no rows on ${which}`
  return sentence`no rows on ${which}, which may have none or be missing`
}
