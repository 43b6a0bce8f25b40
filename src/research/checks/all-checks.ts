import { allNames } from '../../contract/catalogue.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { yieldTurn } from '../../threads/yield.js'
import { anomalyCheck } from './anomaly/check-anomalies.js'
import { barsChecks, dayCheck, periodsCheck } from './bars/bar-checks.js'
import type { Check, CheckRun, CheckRuns, CheckTables } from './check.js'
import { withoutRows } from './check-summary.js'
import { announcementsCheck } from './dataset/check-announcements.js'
import { convertibleDailyCheck } from './dataset/check-convertible-daily.js'
import { financingCheck } from './dataset/check-financing.js'
import { hotListsCheck } from './dataset/check-hot-lists.js'
import { membersCheck } from './dataset/check-members.js'
import { newsCheck } from './dataset/check-news.js'
import { bondPremiumCheck, cbPremiumCheck } from './dataset/check-premium.js'
import { qaCheck } from './dataset/check-qa.js'
import { stListCheck } from './dataset/check-st-list.js'
import { themeDailyCheck } from './dataset/check-theme-daily.js'
import { themeDetailCheck } from './dataset/check-theme-detail.js'
import { tickShareCheck } from './dataset/check-tick-share.js'
import { ownChecks } from './own-laws.js'
import { southboundCheck } from './southbound/check-southbound.js'
import { vwapChecks } from './vwap/check-vwap.js'

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

/** All of them, and those of the datasets of one's own that are declared. */
export function allChecks(): readonly Check[] {
  return [...checks, ...ownChecks()]
}

/**
 * Holds all checks against the tables there are, in reading order; the same tables give the same result.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that a check of its dataset needs
 */
export function checkAll(tables: CheckTables): readonly CheckRuns[] {
  checkOptions(
    tables,
    Object.fromEntries(allNames().map((name) => [name, 'an array'])) as OptionKinds<CheckTables>,
    'checkAll',
  )
  return allChecks().map((check) => ({ check, runs: check.runs(tables) }))
}

/** The same for summaries and reports: of bars, which can be millions, the counts and the worst rows alone; each check in a turn of its own. */
export async function checkWorst(tables: CheckTables): Promise<readonly CheckRuns[]> {
  const small = ({ label, result }: CheckRun): CheckRun => ({ label, result: withoutRows(result) })
  const all: CheckRuns[] = []
  for (const check of allChecks()) {
    await yieldTurn()
    const runs = check.runs(tables)
    all.push({ check, runs: check.dataset.endsWith('_minute') ? runs.map(small) : runs })
  }
  return all
}
