import { datasets } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'

/** A request, what it answers in SQL of DuckDB over the archive's Parquet files, and the fields asked for. */
export type Case = [name: string, params: Record<string, unknown>, sql: string, fields?: string]

const latestBars = "tradedate = {latest} and period = '30m'"
const newest = '{all} qualify row_number() over (partition by record_id order by version_no desc) = 1'
const asOf = (moment: string) =>
  `(select * from {all} where disclosed_at <= '${moment}' qualify row_number() over (partition by record_id order by version_no desc) = 1)`
const business =
  "coalesce(case when announcement_type = 'financial_report' then period end, replace(event_date[:10], '-', '')[:8])"
const byTime = 'order by disclosed_at desc, symbol, record_id, version_no desc'
const latestAnswers =
  '(select * from {all} qualify row_number() over (partition by qa_id order by revision_no desc) = 1)'
const byAnswer = 'order by event_date desc, answer_time desc, qa_id, revision_no desc'
const pool = 'snapshot_date = (select max(snapshot_date) from {all})'

/** Every operation and rule of section 4, over `hostileArchive`. `{all}` stands for the rows of the operation's files, `{latest}` for its latest day. */
// biome-ignore format: a table, one case a line
const own: Case[] = [
  ['etf_minute', {}, `from {all} where ${latestBars} and trademin = '1500' order by symbol`],
  ['etf_minute', { symbols: ['510300.SH'], period: '15m' }, "from {all} where tradedate = {latest} and period = '15m' and symbol = '510300.SH' order by trademin"],
  ['etf_minute', { symbols: '510300' }, `from {all} where ${latestBars} and symbol = '510300.SH' order by trademin`],
  ['etf_minute', { symbols: '510300.SZ' }, 'from {all} where false'],
  ['etf_minute', { trademin: '1030', tradedate: '20260701' }, "from {all} where tradedate = '20260701' and period = '30m' and trademin = '1030' order by symbol"],
  ['etf_minute', { trademin: '0945', tradedate: '20260701', period: '15m' }, "from {all} where tradedate = '20260701' and period = '15m' and trademin = '0945' order by symbol", 'vwap,symbol'],
  ['etf_minute', { tradedate: '20260701' }, "from {all} where tradedate = '20260701' and period = '30m' and trademin = '1500' order by symbol"],
  ['etf_minute', { tradedate: '20260704' }, 'from {all} where false'],
  ['etf_minute', { symbols: '510300,159915', trademin: '1500', tradedate: '20250820' }, "from {all} where tradedate = '20250820' and period = '30m' and trademin = '1500' and symbol[:6] in ('510300', '159915') order by symbol"],
  ['convertible_minute', {}, "from {all} where tradedate = {latest} and trademin = '1500' order by symbol"],
  ['convertible_minute', { symbols: ['123124', '110059.SH'], period: '30m' }, "from {all} where tradedate = {latest} and symbol in ('123124.SZ', '110059.SH') order by symbol, trademin"],
  ['convertible_minute', { trademin: '0930' }, "from {all} where tradedate = {latest} and trademin = '0930' order by symbol"],
  ['convertible_daily', {}, 'from {all} where tradedate = {latest} order by code'],
  ['convertible_daily', { tradedate: '20260626' }, "from {all} where tradedate = '20260626' order by code"],
  ['convertible_daily', { startdate: '20260720' }, "from {all} where tradedate >= '20260720' order by tradedate, code"],
  ['convertible_daily', { enddate: '20260720' }, "from {all} where tradedate = '20260720' order by code"],
  ['convertible_daily', { startdate: '20260629', enddate: '20260702', symbols: '123124,110059.SH' }, "from {all} where tradedate between '20260629' and '20260702' and symbol in ('123124', '110059') order by tradedate, code"],
  ['convertible_daily', { startdate: '20260629', enddate: '20260702', symbols: '123124.SH' }, 'from {all} where false'],
  ['convertible_daily', { tradedate: '20260701' }, "from {all} where tradedate = '20260701' order by code", 'close,code,cb_over_rate'],
  ['st', {}, 'from {all} where tradedate = {latest} order by symbol'],
  ['st', { type: '*ST', startdate: '20260701', enddate: '20260710' }, "from {all} where tradedate between '20260701' and '20260710' and type = '*ST' order by tradedate, symbol"],
  ['st', { type: ['ST', '*ST'], enddate: '20260703' }, "from {all} where tradedate = '20260703' and type is not null order by symbol"],
  ['theme_daily', { type: 'tj' }, 'from {all} where tradedate = {latest} order by symbol'],
  ['theme_daily', { type: 'tj', startdate: '20260727', symbols: ['880001', '880002'] }, "from {all} where tradedate >= '20260727' and symbol in ('880001', '880002') order by tradedate, symbol"],
  ['theme_daily', { type: 'tj', tradedate: '20260615' }, "from {all} where tradedate = '20260615' order by symbol"],
  ['transfer_financing', {}, 'from {all} where tradedate = {latest}'],
  ['transfer_financing', { recentdays: 7 }, 'from {all} where tradedate in (select distinct tradedate from {all} order by 1 desc limit 7) order by tradedate'],
  ['transfer_financing', { recentdays: 5000 }, 'from {all} order by tradedate'],
  ['transfer_financing', { startdate: '20260601', enddate: '20260630' }, "from {all} where tradedate between '20260601' and '20260630' order by tradedate"],
  ['southbound_top10', {}, 'from {all} where trade_date = {latest} order by market_type, rank nulls last, code'],
  ['southbound_top10', { market_type: '4', startdate: '20260701' }, "from {all} where trade_date >= '20260701' and market_type = '4' order by trade_date, rank nulls last, code"],
  ['southbound_top10', { market_type: '2,4', symbols: '00175', startdate: '20260506', enddate: '20260729' }, "from {all} where code = '00175.HK' order by trade_date, market_type"],
  ['hotstock', { type: 'ths&normal' }, "from {all} where type = 'ths&normal' and tradedate = {latest} order by rank"],
  ['hotstock', { type: 'dfcf&renqi', tradedate: '20260701' }, "from {all} where type = 'dfcf&renqi' and tradedate = '20260701' order by rank"],
  ['hotstock', { type: 'xq&zuhe', tradedate: '20260701' }, "from {all} where type = 'xq&zuhe' and tradedate = '20260701' order by rank", 'rank,s'],
  ['thememembers_jx', {}, `from {all} where ${pool} and level = 'parent' order by theme_symbol`],
  ['thememembers_jx', { level: 'child' }, `from {all} where ${pool} and level = 'child' order by theme_symbol`],
  ['thememembers_jx', { symbols: '000001.SZ,600519' }, `from {all} where ${pool} and level = 'parent' and list_has_any(symbols, ['000001', '600519']) order by theme_symbol`],
  ['thememembers_jx', { level: 'child', symbols: '000001.SH' }, 'from {all} where false'],
  ['theme_lib_detail_kp', { theme_id: '1001' }, "from {all} where theme_id = '1001' and is_active"],
  ['theme_lib_detail_kp', { theme_id: 'none' }, 'from {all} where false'],
  ['anomaly_forecast', {}, 'from {all} where computed_on = (select max(computed_on) from {all}) order by tradedate, symbol, rule'],
  ['anomaly_forecast', { tradedate: '20260715' }, "from {all} where computed_on = '20260715' and tradedate = '20260715' order by symbol, rule"],
  ['anomaly_forecast', { tradedate: '20260729' }, "from {all} where computed_on = '20260729' order by tradedate, symbol, rule"],
  ['anomaly_forecast', { tradedate: '20260730' }, "from {all} where tradedate = '20260730' order by symbol, rule"],
  ['finance_announcement', {}, `from ${newest} ${byTime} limit 100`],
  ['finance_announcement', { limit: 7, offset: 13 }, `from ${newest} ${byTime} limit 7 offset 13`],
  ['finance_announcement', { version: 'all', limit: 2000 }, `from {all} ${byTime}`],
  ['finance_announcement', { as_of: '20260630', limit: 2000 }, `from ${asOf('2026-06-30T23:59:59')} ${byTime}`],
  ['finance_announcement', { as_of: '2026-07-10T04:00:00Z', limit: 2000 }, `from ${asOf('2026-07-10T12:00:00')} ${byTime}`],
  ['finance_announcement', { period: '20260331', limit: 2000 }, `from (select * from ${newest}) where period = '20260331' ${byTime}`],
  ['finance_announcement', { date: '20260331', limit: 2000 }, `from (select * from ${newest}) where ${business} = '20260331' ${byTime}`],
  ['finance_announcement', { startdate: '20260601', enddate: '20260615', limit: 2000 }, `from (select * from ${newest}) where ${business} between '20260601' and '20260615' ${byTime}`],
  ['finance_announcement', { ann_startdate: '20260701', ann_enddate: '20260710', limit: 2000 }, `from (select * from ${newest}) where replace(disclosed_at[:10], '-', '') between '20260701' and '20260710' ${byTime}`],
  ['finance_announcement', { announcement_type: 'other,unknown', limit: 2000 }, `from (select * from ${newest}) where announcement_type in ('other', 'unknown') ${byTime}`],
  ['finance_announcement', { keyword: '回购', limit: 2000 }, `from (select * from ${newest}) where contains(title, '回购') or contains(summary, '回购') ${byTime}`],
  ['finance_announcement', { symbols: '600519.SH,000001', limit: 2000 }, `from (select * from ${newest}) where symbol[:6] in ('600519', '000001') ${byTime}`],
  ['interactive_qa', {}, `from ${latestAnswers} ${byAnswer} limit 100`],
  ['interactive_qa', { version: 'all', limit: 2000 }, `from {all} ${byAnswer}`],
  ['interactive_qa', { date: '20260706', limit: 2000 }, `from ${latestAnswers} where event_date = '20260706' ${byAnswer}`],
  ['interactive_qa', { startdate: '20260720', limit: 2000 }, `from ${latestAnswers} where event_date >= '20260720' ${byAnswer}`],
  ['interactive_qa', { enddate: '20260630', limit: 2000 }, `from ${latestAnswers} where event_date <= '20260630' ${byAnswer}`],
  ['interactive_qa', { symbols: '000001.SZ', limit: 2000 }, `from ${latestAnswers} where symbol = '000001' ${byAnswer}`],
  ['interactive_qa', { limit: 3, offset: 5 }, `from ${latestAnswers} ${byAnswer} limit 3 offset 5`],
  ['news', {}, 'from {all} order by display_at desc, source, source_id limit 100'],
  ['news', { limit: 500, sources: 'yicai_home' }, "from {all} where source = 'yicai_home' order by display_at desc, source_id"],
  ['news', { limit: 3, view: 'source' }, 'from {all} qualify row_number() over (partition by source order by display_at desc, source_id) <= 3 order by source, display_at desc, source_id'],
  ['news', { keyword: '<', limit: 500 }, "from {all} where contains(title, '<') or contains(summary, '<') order by display_at desc, source, source_id"],
]

/** Latest day, a day and a range of a dataset whose archive goes by days, where it has no cases of its own. */
function dated({ name, day, order }: Dataset): Case[] {
  const by = `order by ${order.join(', ')}`
  return [
    [name, {}, `from {all} where ${day} = {latest} ${by}`],
    [name, { tradedate: '20260701' }, `from {all} where ${day} = '20260701' ${by}`],
    [
      name,
      { startdate: '20260629', enddate: '20260702' },
      `from {all} where ${day} between '20260629' and '20260702' ${by}`,
    ],
  ]
}

const unwritten = (datasets as readonly Dataset[]).filter(
  ({ name, archiveRule }) => archiveRule === 'dated' && !own.some(([known]) => known === name),
)
export const cases: readonly Case[] = [...own, ...unwritten.flatMap(dated)]
