import { findingPhrases } from '../../../contract/chinese/finding-phrases.js'
import type { Language } from '../../../contract/language.js'
import { type Chinese, inChinese } from '../../../contract/sentence.js'

/** Warnings of a backtest in Chinese, by their templates. */
// biome-ignore format: a table, one sentence a line
export const chineseWarnings: Chinese = {
  'orders are filled at the close by which they were decided: nobody can trade at that price': '以决策所依据的收盘价成交：实际上无人能以该价格成交',
  ', first in {1}': '（{1}）',
  'the strategy looks ahead: its decision at {1} changes{2} when what came after {3} does': '策略使用了未来数据：{3} 之后的数据一变，{1} 的决策就随之改变{2}',
  'no column vol: the share of the volume is not held': '没有 vol 列：成交量占比上限未能执行',
  'no column pre_close: limits go by the last close, and ex-rights are not known': '没有 pre_close 列：涨跌停按上一收盘价计算，除权除息无从得知',
  '{1} daily values of holdings are of an earlier close: suspended, or without a row': '有 {1} 次持仓估值沿用更早的收盘价：停牌或没有行情',
  'without a previous close that explains it; it is kept at its last close: give pre_close or adj_factor': '又没有前收盘价可以解释，持仓按最后收盘价保留：请提供 pre_close 或 adj_factor',
  '{1} jumped beyond its limits on {2} {3}': '{1} 于 {2} 跳空超出涨跌幅限制，{3}',
  "{1} has no history: its rows are today's, and decisions of the past use them": '{1} 没有历史：其中各行是今天的名单，而过去的决策用到了它',
  'no row on {1} trading days ({2} …): nothing trades on them': '有 {1} 个交易日没有任何行情（{2} …）：这些日子不成交',
  'the calendar does not know the trading days of {1}: those with rows count': '日历不含 {1} 年的交易日：以有行情的日子为准',
  'the calendar does not know {1}: {2} is taken for a trading day because it is a weekday': '日历不含 {1} 年：{2} 是工作日，暂按交易日处理',
  'the strategy looks ahead: its decision at {1} changes when what came after it does': '策略使用了未来数据：此后的数据一变，{1} 的决策就随之改变',
  'the cash does not pay all that is wanted: orders were cut, sells first': '资金不足以买入全部目标：先卖后买，委托已缩减',
  'no candidate': '没有候选标的',
  'no weight': '没有给出任何权重',
  '{1} in {2} of {3} decisions ({4} to {5})': '{3} 次决策中有 {2} 次{1}（{4} 至 {5}）',
  'only {1} day{2}: figures of fewer than 20 days are mostly chance': '只有 {1} 个交易日：不足 20 天的数字大多出于偶然',
  '{1}: {2} codes are not among the prices': '{1}：有 {2} 个代码不在行情中',
  'the lowest scores are picked: signs are turned, so that the top is what is held': '策略持有得分最低者：得分已取相反数，因此最高组即策略所持',
  'the strategy decides within the day: the evening before knows none of those orders': '策略在盘中决策：前一晚无法得知这些委托',
  ...findingPhrases,
  "{1} more values contradict their own day: see the panel's findings": '另有 {1} 个数值与当日其他数据矛盾：见面板的 findings',
  'believed by ignore: {1} values that contradict their own day': '按 ignore 采信的矛盾数值：{1} 个',
  'vol of {1} of {2} instruments ({3} …) is read as single shares, bonds or units, not lots': '{2} 只标的中 {1} 只（{3} …）的 vol 按股、张或份读取，而不是按手',
  'amount is read as {1} yuan': 'amount 按 {1} 元读取',
  '{1}: the turnover shows it': '{1}：由成交额得知',
  "{1} of {2} instruments have their first row after the first day ({3} {4} …), and nothing tells whether that is their listing: rules of first days are not applied; give listed: { '{5}': 'YYYYMMDD' }": "{2} 只标的中有 {1} 只在首日之后才有行情（{3} {4} …），无从得知是否为上市首日：不适用上市初期的规则；请提供 listed: { '{5}': 'YYYYMMDD' }",
  'when: {1} months have fewer than {2} trading days, and the last one decides: {3}': 'when：{1} 个月的交易日不足 {2} 个，改在当月最后一个交易日决策：{3}',
  'when: {1} days are no trading days and are moved to the next one: {2}': 'when：{1} 个日期不是交易日，顺延至下一交易日：{2}',
  'when: {1} days fall on a trading day that is named already: {2}': 'when：{1} 个日期顺延后与已列出的日期重合：{2}',
  'when: {1} days lie outside the run and decide nothing: {2}': 'when：{1} 个日期不在回测区间内，不作决策：{2}',
  '{1} joined rows are of days that the panel does not have': '有 {1} 行并入的数据不在面板的交易日内',
  'the look-ahead check: {1}': '未来数据检查：{1}',
  'asked again with the same data, the strategy decides otherwise at {1}: random numbers, or something that it keeps': '数据不变而再次询问时，策略在 {1} 的决策不同：使用了随机数，或保留了先前的内容',
  'prepare fails where what came after {1} is noise: {2}': '{1} 之后的数据换成噪声时，prepare 出错：{2}',
  'prepare keeps what it computed the first time, and reads no column when it is run again; compute it anew in prepare': 'prepare 保留了第一次算出的内容，再次运行时不读任何列；请在 prepare 中重新计算',
  '{1} joined rows are superseded by rows that became known by the same time': '有 {1} 行并入的数据被同一时刻之前公布的更新数据取代',
}

/** A warning of a backtest in the language of the sheet; as it is where it is none of the usual. */
export function inSheetLanguage(text: string, language: Language = 'en'): string {
  return language === 'en' ? text : inChinese(text, chineseWarnings)
}

/** Warnings that the box has no item of its own for. */
export function otherWarnings(warnings: readonly string[]): readonly string[] {
  const told =
    /^orders are filled at the close by|^the strategy looks ahead|^the look-ahead check:|of holdings are of an earlier close|has no history:/
  return warnings.filter((text) => !told.test(text))
}

/** Datasets of which only today's list is known and that decisions of the past used nevertheless. */
export function withoutHistory(warnings: readonly string[]): string[] {
  return warnings.flatMap((text) => /^(\w+) has no history:/.exec(text)?.[1] ?? [])
}
