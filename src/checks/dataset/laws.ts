import { anomalyCheck } from '../anomaly/law.js'
import { barsChecks, dayCheck, periodsCheck } from '../bars/laws.js'
import type { Check, CheckRuns, CheckTables } from '../check.js'
import { southboundCheck } from '../southbound/law.js'
import { vwapChecks } from '../vwap/laws.js'
import { announcementsCheck } from './announcements.js'
import { convertibleDailyCheck } from './convertible-daily.js'
import { financingCheck } from './financing.js'
import { hotListsCheck } from './hot-lists.js'
import { membersCheck } from './members.js'
import { newsCheck } from './news.js'
import { bondPremiumCheck, cbPremiumCheck } from './premium-law.js'
import { qaCheck } from './qa.js'
import { stListCheck } from './st-list.js'
import { themeDailyCheck } from './theme-daily.js'
import { themeDetailCheck } from './theme-detail.js'
import { tickShareCheck } from './tick-share.js'

/** Every check of every dataset, in reading order: what the provider computes first, lists and texts last. */
export const checks: readonly Check[] = [
  ...vwapChecks,
  ...barsChecks,
  periodsCheck,
  dayCheck,
  anomalyCheck,
  southboundCheck,
  cbPremiumCheck,
  bondPremiumCheck,
  convertibleDailyCheck,
  themeDailyCheck,
  financingCheck,
  stListCheck,
  hotListsCheck,
  membersCheck,
  themeDetailCheck,
  announcementsCheck,
  qaCheck,
  newsCheck,
  tickShareCheck,
]

/**
 * Holds all checks against the tables there are, in reading order; the same tables give the same result.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that a check of its dataset needs
 */
export function checkAll(tables: CheckTables): readonly CheckRuns[] {
  return checks.map((check) => ({ check, runs: check.runs(tables) }))
}
