import type { Table } from 'apache-arrow'
import type { Language } from '../../contract/language.js'
import { columnsOf } from '../../frame/read-columns.js'
import { toTable } from '../../frame/table/arrow.js'
import { declarationIn } from '../../frame/table/declaration.js'

/** Reasons of checks, each as far as a semicolon. Names of columns, codes and numbers stay. */
// biome-ignore format: a table, one reason a line
const chinese: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^(\w+ (?:<|<=|>|>=|=|!=) \S+): (\S+) and (\S+), (\S+) apart$/, '$1：$2 与 $3，相差 $4'],
  [/^an earlier row has the key (.*) too$/, '前面已有主键相同的行（$1）'],
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
  [/^(\S+) (\S+) is no trading day$/, '$1 $2 不是交易日'],
  [/^(\S+) is not JSON$/, '$1 不是 JSON'],
  [/^(\S+) is infinite$/, '$1 为无穷大'],
  [/^(\S+) must be a whole number, not (\S+)$/, '$1 必须是整数，不能是 $2'],
  [/^(\S+) (\S+) lies far after all other days, which end with (\d+)$/, '$1 $2 远在其他日期之后（其余截至 $3）'],
  [/^the rest was checked$/, '其余已检查'],
  [/^null: (.*)$/, '为空：$1'],
  [/^(.+) null$/, '$1 为空'],
  [/^(\d+) (?:trading|list) days? between without a (?:record|close|row)$/, '其间有 $1 个交易日没有数据'],
  [/^(\d+) trading days? between (\d+) and (\d+) without a list$/, '$2 与 $3 之间有 $1 个交易日没有名单'],
  [/^back after (\d+) list days? without a mark, last seen (\d+)$/, '离开名单 $1 日后又出现，上次见于 $2'],
  [/^type is (\S+), and the name (\S+) says (\S+)$/, 'type 为 $1，而简称 $2 表明是 $3'],
  [/^type is (\S+), and the name (\S+) bears no mark$/, 'type 为 $1，而简称 $2 没有风险警示标记'],
  [/^the name says (\S+)$/, '简称表明是 $1'],
  [/^type (\S+) is none of ST and \*ST$/, 'type $1 既不是 ST 也不是 *ST'],
  [/^type_name of (\S+) is (\S+), and mostly (\S+)$/, '$1 的 type_name 为 $2，多数为 $3'],
  [/^type is (\S+), not tj$/, 'type 为 $1，而不是 tj'],
  [/^closing_balance differs by no more than five numbers rounded to (\S+) can$/, 'closing_balance 的差异不超过五个数各取整到 $1 所能造成的'],
  [/^(\S+) is 0 on a day without trade$/, '没有成交的日子 $1 为 0'],
  [/^(\S+) is 0$/, '$1 为 0'],
  [/^symbol (\S+) is not the number of (\S+)$/, 'symbol $1 不是 $2 的数字部分'],
  [/^(\S+) is beyond the limit of (.*)$/, '$1 超出 $2 的涨跌幅限制'],
  [/^(\d+) files, and no more than (\d+) trading days from (\d+) to (\d+)$/, '共 $1 个文件，而 $3 至 $4 至多 $2 个交易日'],
  [/^event_date (\S+) is no date or time$/, 'event_date $1 不是日期或时间'],
  [/^disclosed before the end of its period, (\S+)$/, '披露早于报告期末 $1'],
  [/^event_date is not the day of (\S+?),? (.*)$/, 'event_date 不是 $1 $2 当日'],
  [/^(\S+) (\S*) ?is no point in time$/, '$1 $2 不是时刻'],
  [/^(version_no|revision_no) (\S+) is no (?:version|revision)$/, '$1 $2 不是有效的版本号'],
  [/^(?:disclosed|answered) before (?:version|revision) (\d+), at (.*)$/, '早于第 $1 版（$2）'],
  [/^answered before it was asked, (.*)$/, '回答早于提问（$1）'],
  [/^revisions? (\d+)(?: to (\d+))? (?:is|are) not in the table$/, '表中没有第 $1$2 版'],
  [/^revisions of one qa_id differ in (.*)$/, '同一 qa_id 各版本的 $1 不同'],
  [/^marked ambiguous, and the table has no other text of the latest answer time$/, '标为有歧义，而最新回答时间没有其他文本'],
  [/^several texts share the latest answer time, and it is not marked ambiguous$/, '最新回答时间有多个文本，而未标为有歧义'],
  [/^(\S+) is no string of digits$/, '$1 不是数字串'],
  [/^(\S+) is no stock of Shanghai or Shenzhen$/, '$1 不是沪深股票'],
  [/^rank (\S+) is no place in a list$/, 'rank $1 不是名次'],
  [/^(.+) stands in the list twice$/, '$1 在榜单中重复'],
  [/^ranks? (\d+)(?: to (\d+))? (?:is|are) missing before rank (\d+)$/, '第 $3 名之前缺第 $1$2 名'],
  [/^(\S+) is none of (.*)$/, '$1 不属于 $2'],
  [/^(\S+) is no number of an A share(?:, and (\d+) more)?$/, '$1 不是 A 股代码'],
  [/^(\S+) is a number of (\S+?)(?:, and \d+ more)?$/, '$1 应属 $2'],
  [/^(.*) is there twice$/, '$1 重复'],
  [/^(\S+) comes after (\S+)$/, '$1 排在 $2 之后'],
  [/^sector (\S+) has two rows$/, '板块 $1 有两行'],
  [/^no such time: (.*)$/, '没有这样的时间：$1'],
  [/^display_at is after the snapshot that holds it, (.*)$/, 'display_at 晚于所在快照 $1'],
  [/^(symbol|name) (\S+) has the (?:name|symbol) (\S+) here and (\S+) before$/, '$1 $2 在此对应 $3，此前对应 $4'],
  [/^(\S+) lacks (\d+) of (\d+) names: (.*)$/, '$1 缺 $3 个名称中的 $2 个：$4'],
  [/^change is close - pre_close before rounding$/, 'change 为取整前的 close − pre_close'],
  [/^(\S+) is published rounded$/, '公布的 $1 经过取整'],
  [/(\S+) yuan too much/, '成交额多 $1 元'],
  [/(\S+) yuan too little/, '成交额少 $1 元'],
  [/(\S+) (?:lot|share)s? too much/, '成交量多 $1 手（份）'],
  [/(\S+) (?:lot|share)s? too little/, '成交量少 $1 手（份）'],
  [/ \((\S+) to (\S+)\)/g, '（$1 至 $2）'],
  [/^from (\d{4}) on, (.*?)(?: or (.*))?$/, '自 $1 起$2；$3'],
  [/^bars of two periods need a column `period`$/, '两种周期的 K 线须有 period 列'],
]

/** Reasons of the check of abnormal movements. */
// biome-ignore format: a table, one reason a line
const ofAnomalies: typeof chinese = [
  [/^pct_chg is null on a completed day$/, '已收盘的交易日而 pct_chg 为空'],
  [/^a number that every row must have is null$/, '每行都应有的数值为空'],
  [/^status is (\S+), not triggered or reachable$/, 'status 为 $1，不是 triggered 或 reachable'],
  [/^elapsed_days is (\S+), not a whole number$/, 'elapsed_days 为 $1，不是整数'],
  [/^elapsed_days is (\S+), the window has (\d+) days$/, 'elapsed_days 为 $1，而窗口只有 $2 日'],
  [/^deviation_pct (\S+) goes against a threshold of (\S+)$/, 'deviation_pct $1 与阈值 $2 方向相反'],
  [/^(\S+), and deviation_pct (\S+) reaches (\S+)$/, '状态为 $1，而 deviation_pct $2 已达到 $3'],
  [/^(\S+), and deviation_pct (\S+) does not reach (\S+)$/, '状态为 $1，而 deviation_pct $2 未达到 $3'],
  [/^(\S+), and pct_chg (\S+) stands against required_pct_chg (\S+)$/, '状态为 $1，而 pct_chg $2 与 required_pct_chg $3 不符'],
  [/^required_pct_chg (\S+) is a loss of everything$/, 'required_pct_chg $1 意味着跌至零'],
  [/^(\S+) in a forecast, and required_pct_chg is (\S+)$/, '预测中状态为 $1，而 required_pct_chg 为 $2'],
  [/^trigger_price (\S+) is not above 0$/, 'trigger_price $1 不大于 0'],
  [/^trigger_price (\S+) is not on the tick of 0\.01$/, 'trigger_price $1 不合 0.01 元的最小变动价位'],
  [/^(\S+) (\S+) is beyond the price limit of the day$/, '$1 $2 超出当日涨跌幅限制'],
  [/^deviation, required change and threshold together imply an index at or below 0$/, '偏离值、所需涨跌幅与阈值合起来意味着指数不大于 0'],
  [/^the rule is not understood: (.*)$/, '无法识别规则：$1'],
  [/^(\S+) is of no board known$/, '$1 不属于已知板块'],
  [/^(.+) has no rule of (\d+) days and (\S+) known on (\d+)$/, '$1 在 $4 没有 $2 日 $3 的已知规则'],
  [/^trigger_price, required_pct_chg and pct_chg imply a last close of (.*), the stock's other rows (.*)$/, '由 trigger_price、required_pct_chg 与 pct_chg 推出的前收盘价为 $1，该股其他行为 $2'],
  [/^trigger_price, required_pct_chg and pct_chg imply a last close of (.*), the stock's rows differ$/, '由 trigger_price、required_pct_chg 与 pct_chg 推出的前收盘价为 $1，该股各行不一'],
  [/^no whole-cent prices have the change (\S+) and need (\S+) to reach (\S+)(.*)$/, '没有以分为单位的价格能同时满足涨跌幅 $1、再变动 $2 到达 $3$4'],
  [/, other rows of the stock and day have such prices$/, '，而该股当日其他行有这样的价格'],
  [/^rows of (\S+) imply a close of (\S+), of (\S+) a last close of ([^:]+)(.*)$/, '由 $1 的行推出收盘价 $2，由 $3 的行推出前收盘价 $4$5'],
  [/^implies a close of (\S+) before the interval, no whole cents(.*)$/, '推出区间之前的收盘价 $1，不是以分为单位的价格$2'],
  [/^implies a close of (\S+) before the interval, and the rows of that day (\S+)$/, '推出区间之前的收盘价 $1，而该日各行为 $2'],
  [/^implies a close of (\S+) before the interval, the other rows of this start (\S+)$/, '推出区间之前的收盘价 $1，同一起点的其他行为 $2'],
  [/^implies a close of (\S+) before the interval, the rows of this start differ$/, '推出区间之前的收盘价 $1，同一起点的各行不一'],
  [/: a wrong number, or an ex-right day$/, '：数值有误，或当日除权除息'],
  [/^the interval begins on another day than on (\d+), with the same close of (\S+) before it$/, '区间起点与 $1 不同，而此前收盘价同为 $2'],
  [/^the interval of (\d+) would have been more extreme on (\d+) already$/, '$1 的区间在 $2 就应更为极端'],
  [/^the interval of (\d+) would be more extreme on (\d+) still$/, '$1 的区间在 $2 仍应更为极端'],
  [/^the intervals of (\d+) and (\d+) days that end with one close differ$/, '同一收盘价结束的 $1 日与 $2 日区间不同'],
  [/^the intervals of (\d+) and (\d+) days that end with one close: the wider window has the lesser deviation$/, '同一收盘价结束的 $1 日与 $2 日区间：较宽窗口的偏离值反而较小'],
  [/^the greatest deviation lies below the least one$/, '最大偏离值小于最小偏离值'],
  [/^the stock is called (.*) on other days: a wrong name, or a new one$/, '该股其他日子的简称为 $1：简称有误，或已更名'],
  [/^(.*) is the name of (.*)$/, '$1 是 $2 的简称'],
  [/^(\S+) is no date$/, '$1 不是日期'],
  [/^(\d+) lies outside the trading calendar, other rows inside$/, '$1 在交易日历之外，其他行在内'],
  [/^(\d+) is not a trading day$/, '$1 不是交易日'],
  [/^a row for (\d+) that is computed (?:from )?(\S+), which is not the trading day before$/, '$1 的行据 $2 测算，而后者不是其前一交易日'],
  [/^the only row of (\d+), (\d+) trading days from any other$/, '$1 只有这一行，与其他行相隔 $2 个交易日'],
  [/^a forecast for (\d+) beside one for (\d+), both (?:from )?(.*)$/, '$1 与 $2 的预测并存，均据 $3 测算'],
  [/^(\d+) rows of (\S+) have this day and rule$/, '$2 在同日同一规则下有 $1 行'],
  [/^(\S+) is (\S+), computed (\S+)$/, '$1 为 $2，重算为 $3'],
  [/^by the prices the stock is no candidate by this rule on this day$/, '按行情，该股当日不符合这条规则'],
  [/^the day is not over$/, '当日尚未收盘'],
  [/^the prices of the stock are refused: (.*)$/, '该股行情不予采用：$1'],
  [/^prices and factors are too large or small to be computed with$/, '价格与复权因子过大或过小，无法计算'],
  [/^close (\S+) is (\S+) % from (\S+), beyond the limit of (\S+) %: .*$/, '收盘价 $1 较 $3 变动 $2%，超出 $4% 的限制：加法复权、除权日缺复权因子，或当日不设涨跌幅（选项 unlimited）'],
  [/^the day is a duplicate$/, '日期重复'],
  [/^a close before the day of listing, (\d+)$/, '早于上市日 $1 的收盘价'],
  [/^listed on (\d+), shortly before the calendar begins: .*$/, '上市日 $1 早于日历起点不久：哪些日子不设涨跌幅不得而知；请给出自该日起的日历'],
  [/^(\S+) is not the code of a stock of a board whose rules are known$/, '$1 所属板块的规则未知'],
  [/^the day is none of the calendar$/, '该日不在日历中'],
  [/^a close on a day that option halts has as one without trading: .*$/, '选项 halts 列为停牌的日子却有收盘价：停牌自公告次日起算'],
]

/** Verdicts of the checks in a word. */
const verdictWords: Readonly<Record<string, string>> = {
  equal: '相等',
  pass: '通过',
  computed: '仅有重算值',
  'within-rounding': '舍入误差内',
  'lot-bound': '整手误差内',
  unverifiable: '无法核实',
  incomplete: '数据不全',
  gap: '前后有缺',
  warn: '存疑',
  'null-rule': '空值不当',
  mismatch: '不符',
  duplicate: '重复',
  'out-of-range': '超出高低价',
  negative: '为负',
  misplaced: '位置不当',
  inconsistent: '彼此矛盾',
  invalid: '自相矛盾',
  unexpected: '不应入选',
  'double-count': '重复计入',
}

/** Names of the checks. */
const checkNames: Readonly<Record<string, string>> = {
  vwap: '均价',
  bars: 'K 线',
  periods: '15 与 30 分钟线',
  day: '分钟线与日行情',
  anomaly: '异动候选',
  southbound: '港股通十大成交',
  'cb premium': '转股溢价率',
  'bond premium': '纯债溢价率',
  'convertible day': '可转债日行情',
  'index day': '统计指数日行情',
  financing: '转融资',
  'st list': 'ST 名单',
  'hot list': '热榜',
  members: '板块成分',
  'theme detail': '题材详情',
  announcements: '公告',
  qa: '互动问答',
  news: '新闻',
  'tick share': '快照分享',
}

/** What the verdicts mean, by the English of the checks. */
// biome-ignore format: a table, one sentence a line
const meanings: Readonly<Record<string, string>> = {
  'it keeps every law': '符合全部规则',
  'an earlier row has its key': '前面已有主键相同的行',
  'it breaks a law, or has a cell that the declaration forbids': '违反规则，或有声明不允许的值',
  'within their laws': '符合规则',
  'The number sent is the number recomputed, to the last decimal.': '与重算值完全相同。',
  'The bar of 30 minutes is made of its bars of 15, in every column.': '30 分钟线各列都与所含 15 分钟线一致。',
  'The bars make the daily quote, in every column.': '分钟线各列合成的结果与日行情一致。',
  'Recomputed from prices to the same numbers.': '由行情重算，结果相同。',
  'Every sum in the row is the sum of its parts.': '各合计数都等于其分项之和。',
  'The premium sent is the premium recomputed, to the last decimal.': '溢价率与重算值完全相同。',
  'No number was sent; ours stands alone.': '数据未给出数值，只有重算值。',
  'Differs, by no more than volumes rounded to whole lots can explain.': '有差异，但未超出成交量取整到手所能造成的范围。',
  'Volume or turnover differ, by no more than the rounding of the bars can explain.': '成交量或成交额有差异，但未超出 K 线取整所能造成的范围。',
  'A missing turnover, volume or bar, or a bar that is a duplicate, leaves the sums unknown; or the day was not backfilled.': '缺少成交额、成交量或 K 线，或 K 线重复，无法累计；或当日尚未回填。',
  'A bar of 15 minutes is missing, is a duplicate, or lacks a number.': '15 分钟线缺失、重复或缺少数值。',
  'A bar or a number is missing, the day is not over, or it is not in the daily quotes.': '缺少 K 线或数值、当日尚未收盘，或日行情中没有这一天。',
  'The rule is not understood, or its board or threshold is not known; the rest was checked.': '规则无法识别，或其板块、阈值未知；其余已检查。',
  'The row has no number of either channel.': '两个通道都没有数值。',
  'Close or value is missing, so nothing can be recomputed.': '缺少收盘价或价值，无法重算。',
  'A number is null; the rest of the row was checked.': '有数值为空；其余已检查。',
  'A number or the name is null; the rest of the row was checked.': '有数值或名称为空；其余已检查。',
  'A balance is null, so nothing can be recomputed.': '余额为空，无法重算。',
  'Type or name is null.': '类型或简称为空。',
  'The list is null.': '名单为空。',
  'The versions before it are not in the table.': '表中没有此前的版本。',
  'The other revisions of the question are not in the table.': '表中没有该问题的其他版本。',
  'The share is not ready; the rest was checked.': '分享尚未就绪；其余已检查。',
  'Missing where a value is due, or a value before the first trade.': '应有数值而为空，或首笔成交之前已有数值。',
  'A number is missing where one is due, or stands where none can be.': '应有数值而为空，或不应有而有。',
  'Differs, and rounding does not explain it.': '有差异，且无法用舍入解释。',
  'A column of the bar of 30 minutes is not what its bars of 15 make.': '30 分钟线有列与所含 15 分钟线不一致。',
  'A column of the daily quote is not what the bars make.': '日行情有列与分钟线合成的结果不一致。',
  'Recomputed from prices to other numbers.': '由行情重算，结果不同。',
  'A sum is not the sum of its parts, two rows of a stock differ, a rank stands twice, or the day is no trading day.': '合计不等于分项之和、同一股票两行不一、名次重复，或当日不是交易日。',
  'A number is not what the others give, or symbol and code are of two bonds.': '有数值与其他数值不符，或 symbol 与 code 不是同一只债券。',
  'A number is not what the others give, a symbol changed its name, or the type is not tj.': '有数值与其他数值不符、代码对应的名称有变，或类型不是 tj。',
  'The balances do not follow from one another, or an amount is below 0.': '余额前后不衔接，或有金额小于 0。',
  'Type and name contradict each other, or the day, the type or the code is not a valid one.': '类型与简称不符，或日期、类型、代码无效。',
  'A rank before it is missing, or the rank, code, day or list is not a valid one.': '此前的名次有缺，或名次、代码、日期、榜单无效。',
  'The list does not ascend, holds a stock twice, or holds what is no code.': '名单未按升序、有股票重复，或含有不是代码的内容。',
  'Not active, times that differ, or a nested value of another shape.': '未启用、时间不一，或嵌套内容的结构不对。',
  'The versions contradict one another, or the code, date or type is not a valid one.': '各版本彼此矛盾，或代码、日期、类型无效。',
  'Times, revisions or the mark contradict one another, or a code is not a valid one.': '时间、版本或标记彼此矛盾，或代码无效。',
  'A time, rank or title is not a valid one.': '时间、名次或标题无效。',
  'Year, days, number and size of the files contradict one another.': '年份、日期、文件数与大小彼此矛盾。',
  'Nothing in the bar or its place in the day contradicts it.': 'K 线自身及其在当日的位置都没有矛盾。',
  'Nothing in the row, or in the rows that it was compared with, contradicts it.': '该行自身及与其对照的各行都没有矛盾。',
  'Change, range, turnover and previous close agree, within the rounding of the published numbers.': '涨跌、高低价、成交额与前收盘价相符，差异不超出公布数值的舍入。',
  'Change, range, previous close and name agree.': '涨跌、高低、前收盘与名称相符。',
  'The balances follow from one another to the last decimal.': '余额前后衔接，完全一致。',
  'Type, name and description agree, and the stock is not back after a few days away.': '类型、简称与说明相符，且不是离开数日后又回到名单。',
  'The row has its own place and its own stock in its list.': '在榜单中名次与股票都不重复。',
  'The list ascends and holds each stock once.': '名单按升序排列，没有重复。',
  'State, times and shapes are what they should be.': '状态、时间与结构都符合要求。',
  'Nothing in the row, or in the other versions of its record, contradicts it.': '该行自身及同一记录的其他版本都没有矛盾。',
  'Times, revision and mark agree with the other rows of the question.': '时间、版本与标记同该问题的其他行相符。',
  'Times, rank and addresses are what they should be.': '时间、名次与网址都符合要求。',
  'Year, days, number and size of the files agree.': '年份、日期、文件数与大小相符。',
  'A turnover, a volume or a price is missing, so the bar cannot be judged.': '缺少成交额、成交量或价格，无法判定该 K 线。',
  'Bars are missing before it, or after it at the end of a day; a day that is not over has such an end.': '其前缺 K 线，或当日末尾缺 K 线（未收盘的日子即是如此）。',
  "pre_close is not the bond's close before, and trading days between have no row of it.": 'pre_close 不等于该债券上一个收盘价，而其间的交易日没有数据。',
  'The day lacks indices, or the days before it do, so that the previous close can not be told.': '当日或此前的日子缺少指数，无法得知前收盘。',
  'Opens with another balance than the record before closed with; the trading days between have no record.': '期初余额与前一记录的期末余额不同，而其间的交易日没有记录。',
  'Trading days before this one have no list.': '此前有交易日没有名单。',
  'The same minute is a duplicate.': '同一分钟重复。',
  'The bond has two rows of the day.': '该债券同日有两行。',
  'The index has two rows of the day.': '该指数同日有两行。',
  'The day is a duplicate.': '同日重复。',
  'The stock has two rows of the day.': '该股票同日有两行。',
  'The rank or the stock stands in the list twice.': '名次或股票在榜单中重复。',
  'The sector has two rows.': '该板块有两行。',
  'The theme has two records.': '该题材有两条记录。',
  'The version is a duplicate.': '版本重复。',
  'The revision is a duplicate.': '版本重复。',
  'The record of the source is a duplicate.': '来源记录重复。',
  'The year has two shares.': '同一年份有两个分享。',
  'A price, or the average of the bar, lies outside its own low and high.': '价格或该 K 线的均价超出其最低、最高价。',
  'Volume or turnover is negative, so a cumulative value fell.': '成交量或成交额为负，累计值下降了。',
  'Its minute is no bucket of the period, its time or day is not of one, or a cell holds what the contract forbids.': '分钟不是该周期的结束时刻、时间或日期不在其内，或有接口规范不允许的内容。',
  'Does not fit the rows beside it: a wrong number, or something that the data does not tell, such as a suspension, an ex-right day or a new name.': '与前后各行不符：数值有误，或另有数据未反映的原因（停牌、除权除息、更名）。',
  'Beyond a price limit, an average price outside the range of the day (deals outside the matching can explain it), or 0 for a price on a day without trade.': '超出涨跌幅限制、均价不在当日高低价之间（大宗等非竞价成交可能造成），或没有成交的日子价格为 0。',
  'An unknown name, or a count of stocks outside its low and high, which a provider may mean.': '名称未知，或家数不在其高低之间（可能是数据商的口径）。',
  'The sum differs by no more than the rounding of its five numbers can give.': '合计的差异不超过五个数取整所能造成的。',
  'The name bears no mark, the description is an unusual one, or the stock was away for a few days.': '简称没有标记、说明不常见，或离开名单数日后又出现。',
  'The sector has no member, or one whose code is no number of an A share.': '板块没有成分股，或有成分的代码不是 A 股代码。',
  'A stock stands in its list twice.': '名单中有股票重复。',
  'The same row twice, an address that is not absolute, or an event date beside the day of disclosure.': '同一行重复、网址不完整，或事件日期不是披露当日。',
  'The mark is not what the revisions in the table say, but others may lie outside it.': '标记与表中各版本不符，但表外可能另有版本。',
  'Shown after it was collected, an address that is not absolute, or an unknown source.': '显示时间晚于采集时间、网址不完整，或来源未知。',
  'Rows contradict each other.': '各行彼此矛盾。',
  'The row contradicts itself, the rules or the trading calendar.': '该行自相矛盾，或与规则、交易日历矛盾。',
  'By the prices the stock is no candidate by this rule on this day.': '按行情，该股当日不符合这条规则。',
  'amount counts one channel twice, as published rows are known to do. southboundFlows takes buys and sells and does not use it.': 'amount 把一个通道计了两次（已知的公布数据问题）。southboundFlows 只用买入与卖出，不受影响。',
  'Differs, by no more than the rounding of the published value and premium must give.': '有差异，但未超出公布的价值与溢价率取整所致。',
  'Differs by no more than the rounding of the published points can give.': '差异不超过公布点位取整所能造成的。',
  'No premium was sent, though close and value are there; the latest quotes may lack it.': '有收盘价与价值而没有溢价率；最新行情可能尚未给出。',
}

/** What a verdict means, in the words of the reader. */
export function meaningIn(meaning: string, language: Language): string {
  return language === 'zh' ? (meanings[meaning] ?? meaning) : meaning
}

/** A check under the name that it has for readers. */
export function checkNameIn(name: string, language: Language): string {
  return language === 'zh' ? (checkNames[name] ?? name) : name
}

/** The same with what it was run over: `vwap (etf_minute, 15m)`. */
export function checkTitleIn(name: string, of: string, language: Language): string {
  return language === 'zh' ? `${checkNameIn(name, language)}（${of.replace(' and ', '、')}）` : `${name} (${of})`
}

/** A verdict as it is read. */
export function verdictIn(verdict: string, language: Language): string {
  return language === 'zh' ? (verdictWords[verdict] ?? verdict) : verdict
}

function partInChinese(part: string): string {
  const [, rule, why] = /^([a-z_]+): (.*)$/.exec(part) ?? []
  // A reason of the check of abnormal movements has its rule before it.
  if (rule !== undefined && rule !== 'null' && why !== undefined) return `${rule}：${partInChinese(why)}`
  const all = [...chinese, ...ofAnomalies]
  return all.reduce((said, [english, own]) => said.replace(english, own), part).replace(/，其后缺 $|；$/, '')
}

/** The reason that a check gives; parts that are not known stay in English. */
export function reasonIn(text: string, language: Language): string {
  return language === 'zh' ? text.split('; ').map(partInChinese).join('；') : text
}

const cellWords = { verdict: verdictIn, why: reasonIn }

/** The rows of a check to be read: verdicts and reasons in words. */
export function readableRows(table: Table, language: Language): Table {
  if (language === 'en') return table
  const { length, columns } = columnsOf(table)
  const of = new Map(columns)
  for (const [name, word] of Object.entries(cellWords)) {
    const cells = of.get(name)
    if (cells?.type !== 'dictionary') continue
    of.set(name, { ...cells, dictionary: cells.dictionary.map((cell) => word(cell, language)) })
  }
  const declared = table.schema.fields.flatMap((field) => {
    const own = declarationIn(field)
    return own ? [[field.name, own] as const] : []
  })
  return toTable({ length, columns: of }, Object.fromEntries(declared), table.schema.metadata)
}
