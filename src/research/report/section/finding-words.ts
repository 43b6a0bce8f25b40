import type { Say } from '../report-words.js'

/** Reasons of checks, each as far as a semicolon. Names of columns, codes and numbers stay. */
// biome-ignore format: a table, one reason a line
const chinese: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^(\S+) null against null$/, '$1：两侧均为空'],
  [/^(\S+) (\S+) against null$/, '$1：$2 对空值'],
  [/^(\S+) null against (\S+)$/, '$1：空值对 $2'],
  [/^(\S+) (\S+) against (\S+)$/, '$1：$2 对 $3'],
  [/^(\S+) of (\d+) is null$/, '$2 的 $1 为空'],
  [/^(\S+) is null$/, '$1 为空'],
  [/^null: (.*)$/, '为空：$1'],
  [/^no ((?:open|high|low|close|vol|amount)(?:, \w+)*)$/, '没有 $1'],
  [/^(.+) below 0: the cumulative value fell$/, '$1 小于 0：累计值下降了'],
  [/^low (\S+) is above high (\S+)$/, '最低价 $1 高于最高价 $2'],
  [/^(open|close) (\S+) lies outside (\S+) to (\S+)$/, '$1 $2 不在 $3 至 $4 之间'],
  [/^amount \/ \(vol x (\S+?)\) lies outside low (?:to|and) high$/, 'amount / (vol × $1) 不在最低价与最高价之间'],
  [/^amount \/ \(vol x (\S+?)\) lies outside low and high by more than a lot$/, 'amount / (vol × $1) 超出最低价与最高价一手以上'],
  [/^((?:\d{4}, )*\d{4}) missing (?:before|beside) it(?:, ((?:\d{4}, )*\d{4}) missing after it)?$/, '其前缺 $1，其后缺 $2'],
  [/^((?:\d{4}, )*\d{4}) missing after it$/, '其后缺 $1'],
  [/^the bar of (\d{4}) is missing$/, '缺 $1 的 K 线'],
  [/^no 15-minute bar of (.*)$/, '没有 $1 的 15 分钟线'],
  [/^the (?:15-minute )?bar of (.*) is a duplicate$/, '$1 的 K 线重复'],
  [/^(\S+) is not the close of a bar of (.*)$/, '$1 不是 $2 K 线的结束时刻'],
  [/^time (\S+) lies outside the bar of (\d{4})$/, '时间 $1 不在 $2 的 K 线之内'],
  [/^(.*)is a duplicate$/, '$1重复'],
  [/^the (?:bond|index|stock) has two rows of this day$/, '同日有两行'],
  [/^the stock has two rows of one channel and day$/, '同一通道同日有两行'],
  [/^the day is not in the daily quotes$/, '日行情中没有这一天'],
  [/^the day stands twice in the daily quotes$/, '日行情中这一天重复'],
  [/^(.*): bars are rounded$/, '$1：K 线数值有取整'],
  [/^(tradedate|trade_date) (\d+) is no trading day$/, '$1 $2 不是交易日'],
  [/^volume is rounded to whole lots, each bar by itself$/, '成交量逐根取整到手'],
  [/^volume is rounded to whole lots$/, '成交量取整到手'],
  [/^explained only if each bar was rounded to whole lots by itself$/, '只有逐根取整到手才能解释'],
  [/^null where a value is due$/, '应有数值而为空'],
  [/^null, not backfilled$/, '为空，未回填'],
  [/^null before the first trade$/, '首笔成交之前，为空'],
  [/^a value before the first trade$/, '首笔成交之前已有数值'],
  [/^the value is infinite$/, '数值为无穷大'],
  [/^null where a premium can be computed$/, '可算出溢价率而为空'],
  [/^close and cb_value do not give a premium$/, '由 close 与 cb_value 算不出溢价率'],
  [/^(\S+) is not (\S+ [-+] \S+(?: [-+] \S+)*)$/, '$1 不等于 $2'],
  [/^(\S+) is below 0$/, '$1 小于 0'],
  [/^(\S+) is above high$/, '$1 高于最高价'],
  [/^(\S+) is below low$/, '$1 低于最低价'],
  [/^high is below low$/, '最高价低于最低价'],
  [/^amount counts (\w+) twice$/, 'amount 把 $1 计了两次'],
  [/^(\S+) is null beside the (?:turnover|net) of a channel$/, '通道有数值而 $1 为空'],
  [/^net_amount stands there without the net of a channel$/, '通道没有净额而有 net_amount'],
  [/^no number of either channel$/, '两个通道都没有数值'],
  [/^(\d) of the four (\w+)_ numbers are there$/, '$2_ 的四个数只有 $1 个'],
  [/^a buy or sell of (\w+) is below 0$/, '$1 的买入或卖出小于 0'],
  [/^a row of channel (\S+) without (\w+)_ numbers$/, '通道 $1 的行没有 $2_ 的数值'],
  [/^the rows of the stock on this day differ in (.*)$/, '该股同日各行的 $1 不同'],
  [/^opening_balance is not the closing_balance of (\d+), the record before$/, 'opening_balance 不等于前一记录 $1 的 closing_balance'],
  [/^closing_balance of (\d+), the record before, is null$/, '前一记录 $1 的 closing_balance 为空'],
  [/^pre_close is not the close of (\d+), the (?:bond|index).*$/, 'pre_close 不等于 $1 的收盘价'],
  [/^the sector has no member$/, '板块没有成分股'],
  [/^(\S+) is none of the (\d+) (?:names|lists|sources)$/, '$1 不在 $2 个之列'],
  [/^(\S+) is no (?:stock code|code of six digits)$/, '$1 不是股票代码'],
  [/^(.*) missing before rank (\d+)$/, '第 $2 名之前缺 $1'],
  [/^(\S+) is no absolute address$/, '$1 不是完整的网址'],
  [/^an earlier row is the same$/, '与前面的一行相同'],
  [/^version (\d+) without version (\d+)$/, '有第 $1 版而没有第 $2 版'],
]

function partInChinese(part: string): string {
  return chinese.reduce((said, [english, own]) => said.replace(english, own), part).replace(/，其后缺 $/, '')
}

/** The reason that a check gives, in the language of the page; parts that are not known stay in English. */
export function reasonIn(text: string, say: Say): string {
  return say(text, text.split('; ').map(partInChinese).join('；'))
}
