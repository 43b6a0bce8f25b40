import { type Chinese, inChinese } from './sentence.js'

/** Notes on whether an answer is complete, by their templates. */
// biome-ignore format: a table, one sentence a line
export const chineseNotes: Chinese = {
  'the trading day {1}': '{1}',
  '{1} trading days: {2}': '{2}',
  'no rows on {1}': '这些交易日没有数据：{1}',
  'no rows on {1}, which may have none or be missing': '这些交易日没有数据：{1}',
  'no rows on {1}, not covered by the archive': '这些交易日没有数据，归档也未覆盖：{1}',
  'the reply has no total': '应答中没有 total',
  'cut at the cap of {1} rows a call': '达到每次 {1} 行的上限而被截断',
  'the first {1} of {2} rows': '共 {2} 行，这是前 {1} 行',
  'rows {1} to {2} of {3}': '共 {3} 行，这是第 {1} 至 {2} 行',
  'at most {1} of each source': '每个来源最多 {1} 条',
  'the newest {1}': '只有最新的 {1} 条',
  'the newest {1} of each source': '只有最新的 {1} 条',
  ', as many as come without a limit': '',
  '{1}{2}; there may be older ones': '{1}；可能还有更早的',
  'the list of {1}': '{1} 的榜单',
  'the pools of {1}': '{1} 的股票池',
  'some of its rows were imported from replies that had been cut': '部分行来自被截断的应答',
  'rows of which nobody said since when they are known are left out': '未说明何时已知的行已略去',
  'rows of different states of the archive, which changed meanwhile': '各行属于归档的不同状态：读取期间归档有变动',
  'stale at the source: {1}': '来源数据已陈旧：{1}',
  'the source was collected with the status {1}, not complete': '来源的采集状态为 {1}，不是 complete',
  '{1} and the forecast for the next trading day': '{1} 及对下一交易日的预测',
  'nothing of {1} was known at that moment: the archive knows of it since {2}, Beijing time': '该时刻尚无 {1} 的数据：归档自北京时间 {2} 起才有',
  'the archive holds nothing of {1}': '归档中没有 {1} 的数据',
  'the archive has no forecast after {1}': '归档中没有 {1} 之后的预测',
  'the archive has no such bars of {1}': '归档中没有 {1} 的这种 K 线',
  'the archive has no list {1}': '归档中没有榜单 {1}',
  'the archive has no candidates': '归档中没有 candidates',
  'the archive has no {1}': '归档中没有 {1}',
  'the archive has {1} of {2} days': '归档只有 {2} 日中的 {1} 日',
  'the bars of {1} lack the bucket {2}': '{1} 缺 {2} 的 K 线',
  '{1} has {2} of {3} bars on {4}': '{1} 在 {4} 只有 {3} 根 K 线中的 {2} 根',
  'rows of {1} may be missing: only what was asked for is kept': '{1} 的行可能有缺失：只保存了查询过的部分',
  'trading days of {1} are inferred from weekdays': '{1} 年的交易日按工作日推定',
  'the trading calendar knows {1} only': '交易日历只覆盖 {1}',
  "symbols: '{1}' may be {2}; give a code.": "symbols：'{1}' 可能是 {2}；请写代码。",
  '{1} and {2} more': '{1} 等，另有 {2} 个',
  "symbols: no name of {1} is '{2}' or begins so.{3}": "symbols：{1} 中没有名称是 '{2}' 或以其开头。{3}",
  ' Near it: {1}.': '相近的有：{1}。',
  'the list of ETFs': 'ETF 名单',
}

/** What the sample says of itself, as its manifest has it. */
const ofSample = /^SYNTHETIC: made by (quotebook sample[^(]*) \(seed (\d+)\), (\d+) to (\d+)\. No row is real\.$/

/** A note, or what an archive says of itself, in Chinese as far as it is known. */
export function chineseNote(text: string): string {
  return inChinese(
    text.replace(ofSample, '合成数据：由 $1 生成（seed $2），$3 至 $4，没有一行是真实数据。'),
    chineseNotes,
  )
}
