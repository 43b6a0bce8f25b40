import { allNames, type datasets } from '../../contract/catalogue.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { groupItems } from '../../frame/table/group-items.js'
import { yieldTurn } from '../../threads/yield.js'
import { anomalyCheck } from './anomaly/check-anomalies.js'
import { barsCheck, dayCheck, periodsCheck } from './bars/bar-checks.js'
import type { Check, CheckRun, CheckRuns, CheckTables } from './check.js'
import { withoutRows } from './check-summary.js'
import { announcementsCheck } from './dataset/check-announcements.js'
import { convertibleDailyCheck } from './dataset/check-convertible-daily.js'
import { financingCheck } from './dataset/check-financing.js'
import { hotListsCheck } from './dataset/check-hot-lists.js'
import { membersCheck } from './dataset/check-members.js'
import { newsCheck } from './dataset/check-news.js'
import { premiumChecks } from './dataset/check-premium.js'
import { qaCheck } from './dataset/check-qa.js'
import { stListCheck } from './dataset/check-st-list.js'
import { themeDailyCheck } from './dataset/check-theme-daily.js'
import { themeDetailCheck } from './dataset/check-theme-detail.js'
import { tickShareCheck } from './dataset/check-tick-share.js'
import { ownChecks } from './own-checks.js'
import { southboundCheck } from './southbound/check-southbound.js'
import { vwapCheck } from './vwap/check-vwap.js'

/** The checks of every dataset of the vendor, in reading order: what the provider computes first, lists and texts last. */
const byDataset: Readonly<Record<(typeof datasets)[number]['name'], readonly Check[]>> = {
  etf_minute: [vwapCheck('etf_minute'), barsCheck('etf_minute'), periodsCheck],
  convertible_minute: [vwapCheck('convertible_minute'), barsCheck('convertible_minute'), dayCheck],
  anomaly_forecast: [anomalyCheck],
  southbound_top10: [southboundCheck],
  convertible_daily: [...premiumChecks, convertibleDailyCheck],
  theme_daily: [themeDailyCheck],
  transfer_financing: [financingCheck],
  st: [stListCheck],
  hotstock: [hotListsCheck],
  thememembers_jx: [membersCheck],
  theme_lib_detail_kp: [themeDetailCheck],
  finance_announcement: [announcementsCheck],
  interactive_qa: [qaCheck],
  news: [newsCheck],
  file_download: [tickShareCheck],
}

/** Lists every check of every dataset, those of one name together. */
export const checks: readonly Check[] = [
  ...groupItems(Object.values(byDataset).flat(), ({ name }) => name).values(),
].flat()

/** All of them, and those of the datasets of one's own that are declared. */
export function allChecks(): readonly Check[] {
  return [...checks, ...ownChecks()]
}

/**
 * Runs all checks on the given tables, in reading order; the same tables give the same result.
 * @throws QuotebookError MISSING_COLUMN if a table lacks a column that a check of its dataset needs
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
    const { dataset, alsoNeeds } = check
    const areBars = dataset.endsWith('_minute')
    const own = areBars && !alsoNeeds ? tables[dataset] : undefined
    const runs: CheckRun[] = []
    // What was found of one table of bars is let go before the next is looked at.
    for (const part of own?.map((table) => ({ ...tables, [dataset]: [table] })) ?? [tables]) {
      await yieldTurn()
      const found = check.runs(part)
      runs.push(...(areBars ? found.map(small) : found))
    }
    all.push({ check, runs })
  }
  return all
}
