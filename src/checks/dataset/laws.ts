import { anomalyLaw } from '../anomaly/law.js'
import { barsLaws, dayLaw, periodsLaw } from '../bars/laws.js'
import type { Law, LawResult, LawTables } from '../law.js'
import { southboundLaw } from '../southbound/law.js'
import { vwapLaws } from '../vwap/laws.js'
import { announcementsLaw } from './announcements.js'
import { convertibleDailyLaw } from './convertible-daily.js'
import { financingLaw } from './financing.js'
import { hotListLaw } from './hot-lists.js'
import { membersLaw } from './members.js'
import { newsLaw } from './news.js'
import { bondPremiumLaw, cbPremiumLaw } from './premium-law.js'
import { qaLaw } from './qa.js'
import { stListLaw } from './st-list.js'
import { themeDailyLaw } from './theme-daily.js'
import { themeDetailLaw } from './theme-detail.js'
import { tickShareLaw } from './tick-share.js'

/** Every law of every dataset, in reading order: what the provider computes first, lists and texts last. */
export const laws: readonly Law[] = [
  ...vwapLaws,
  ...barsLaws,
  periodsLaw,
  dayLaw,
  anomalyLaw,
  southboundLaw,
  cbPremiumLaw,
  bondPremiumLaw,
  convertibleDailyLaw,
  themeDailyLaw,
  financingLaw,
  stListLaw,
  hotListLaw,
  membersLaw,
  themeDetailLaw,
  announcementsLaw,
  qaLaw,
  newsLaw,
  tickShareLaw,
]

/**
 * Holds all laws against the tables there are, in reading order; the same tables give the same result.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that a law of its dataset needs
 */
export function checkAll(tables: LawTables): readonly LawResult[] {
  return laws.map((law) => ({ law, runs: law.runs(tables) }))
}
