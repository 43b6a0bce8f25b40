/** What is looked for in an English text, and what stands there in Chinese; in this order. */
export type WordPairs = readonly (readonly [english: RegExp, chinese: string])[]

/** A text with each part that is known in Chinese; a text of which nothing is known stays as it is. */
export function inChinese(text: string, pairs: WordPairs): string {
  return pairs.reduce((said, [english, chinese]) => said.replace(english, chinese), text)
}

/** Notes on whether an answer is whole, and what the sample says of itself. */
// biome-ignore format: a table, one part a line
export const chineseNotes: WordPairs = [
  [/^SYNTHETIC: made by (quotebook sample[^(]*) \(seed (\d+)\), (\d+) to (\d+)\. No row is real\.$/, '合成数据：由 $1 生成（seed $2），$3 至 $4，没有一行是真实数据。'],
  [/no rows on (?:the trading day|(\d+) trading days:) ([\d, …]*), not covered by the archive/, '这些交易日没有数据，归档也未覆盖：$2'],
  [/no rows on (?:the trading day|(\d+) trading days:) (.*?)(?:(, which may have none or be missing)|(?=; |$))/, '这些交易日没有数据：$2'],
  [/the reply has no total/, '应答中没有 total'],
  [/cut at the cap of (\d+) rows a call/, '达到每次 $1 行的上限而被截断'],
  [/the first (\d+) of (\d+) rows/, '共 $2 行，这是前 $1 行'],
  [/rows (\d+) to (\d+) of (\d+)/, '共 $3 行，这是第 $1 至 $2 行'],
  [/at most (\d+) of each source/, '每个来源最多 $1 条'],
  [/the newest (\d+)( of each source)?(, as many as come without a limit)?; there may be older ones/, '只有最新的 $1 条；可能还有更早的'],
  [/the list of (\d+)(?=; |$)/, '$1 的榜单'],
  [/the pools of (.*)$/, '$1 的股票池'],
  [/some of its rows were imported from replies that had been cut/, '部分行来自被截断的应答'],
  [/rows of which nobody said since when they are known are left out/, '未说明何时已知的行已略去'],
  [/rows of different states of the archive, which changed meanwhile/, '各行属于归档的不同状态：读取期间归档有变动'],
  [/stale at the source: ([^;]*)/, '来源数据已陈旧：$1'],
  [/the source was collected with the status (\S+), not complete/, '来源的采集状态为 $1，不是 complete'],
  [/(\d+) and the forecast for the next trading day/, '$1 及对下一交易日的预测'],
  [/nothing of (\w+) was known at that moment: the archive knows of it since (\S+ \S+), Beijing time/, '该时刻尚无 $1 的数据：归档自北京时间 $2 起才有'],
  [/the archive holds nothing of (\w+)/, '归档中没有 $1 的数据'],
  [/the archive has no forecast after (\d+)/, '归档中没有 $1 之后的预测'],
  [/the archive has no such bars of (\w+)/, '归档中没有 $1 的这种 K 线'],
  [/the archive has no list (\S+)/, '归档中没有榜单 $1'],
  [/the archive has no (news|candidates)/, '归档中没有 $1'],
  [/the archive has (\d+) of (\d+) days/, '归档只有 $2 日中的 $1 日'],
  [/the bars of (\d+) lack the bucket (\d+)/, '$1 缺 $2 的 K 线'],
  [/(\S+) has (\d+) of (\d+) bars on (\d+)/, '$1 在 $4 只有 $3 根 K 线中的 $2 根'],
  [/rows of (\d+) may be missing: only what was asked for is kept/, '$1 的行可能有缺失：只保存了查询过的部分'],
  [/trading days of ([\d, ]+) are inferred from weekdays/, '$1 年的交易日按工作日推定'],
  [/the trading calendar knows (\d+) to (\d+) only/, '交易日历只覆盖 $1 至 $2 年'],
]
