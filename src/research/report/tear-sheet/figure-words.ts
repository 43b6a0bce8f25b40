import type { Phrases } from '../../../contract/language.js'

/** How a figure is written: percent, percent with its sign, a number with two decimals, days, a count, money. */
export type FigureForm = 'percent' | 'signed' | 'number' | 'days' | 'count' | 'yuan'

/**
 * The figures of a tear sheet: how each is written, what it is called, and how it is computed. r are returns, E the curve with its
 * start, N periods a year, n their number, rf the risk-free return of a period.
 */
// biome-ignore format: a table, one figure a line
export const figureWords = {
  total: { form: 'signed', name: ['Total return', '累计收益率'], formula: ['E(n) / E(0) − 1. The start is the cash before the first day.', 'E(n) / E(0) − 1；E(0) 为首日之前的初始资金。'] },
  cagr: { form: 'signed', name: ['CAGR', '年化收益率（按自然日）'], formula: ['(E(n) / E(0))^(365.25 / calendar days) − 1, from the first day to the last.', '(E(n) / E(0))^(365.25 / 自然日数) − 1，自首日至末日计。'] },
  annualReturn: { form: 'signed', name: ['Annual return by periods', '年化收益率（按交易日）'], formula: ['(E(n) / E(0))^(N / n) − 1.', '(E(n) / E(0))^(N / n) − 1。'] },
  bestDay: { form: 'signed', name: ['Best day', '单日最大涨幅'], formula: ['The greatest r(t) = E(t) / E(t − 1) − 1.', 'r(t) = E(t) / E(t − 1) − 1 的最大值。'] },
  worstDay: { form: 'signed', name: ['Worst day', '单日最大跌幅'], formula: ['The least r(t).', 'r(t) 的最小值。'] },
  bestMonth: { form: 'signed', name: ['Best month', '最佳月份'], formula: ['The greatest return of a calendar month, its days compounded. First and last month may be partial.', '各自然月内日收益复合后的最大值；首尾两个月可能不完整。'] },
  worstMonth: { form: 'signed', name: ['Worst month', '最差月份'], formula: ['The least of the same.', '同上，取最小值。'] },
  dayWinRate: { form: 'percent', name: ['Days with a gain', '日胜率'], formula: ['Days with r > 0 over all n; days without a move count as no gain.', 'r > 0 的天数 / 全部 n 天；收益为 0 的日子不算盈利。'] },
  monthWinRate: { form: 'percent', name: ['Months with a gain', '月胜率'], formula: ['Months with a return above 0, of all months.', '收益大于 0 的月数 / 全部月数。'] },
  volatility: { form: 'percent', name: ['Volatility, a year', '年化波动率'], formula: ['std(r) √N, divided by n − 1.', 'std(r) × √N，样本标准差，除以 n − 1。'] },
  downside: { form: 'percent', name: ['Downside deviation, a year', '年化下行波动率'], formula: ['√(mean(min(r, 0)²)) √N, over all n.', '√(mean(min(r, 0)²)) × √N，对全部 n 天取平均。'] },
  maxDrawdown: { form: 'percent', name: ['Maximum drawdown', '最大回撤'], formula: ['min over t of E(t) / max(E(0) … E(t)) − 1. The start counts as a high.', 'E(t) / max(E(0) … E(t)) − 1 的最小值；初始资金也算作高点。'] },
  averageDrawdown: { form: 'percent', name: ['Average drawdown', '平均回撤'], formula: ['Mean depth of all drawdowns, each from a high to its recovery or the end.', '各次回撤深度的平均；每次自高点起，至收复或期末止。'] },
  longestDrawdown: { form: 'days', name: ['Longest drawdown', '最长回撤期'], formula: ['Calendar days from a high until it was reached again, or until the end: the most of all.', '自高点至重新收复（或期末）的自然日数，取最长的一次。'] },
  underShare: { form: 'percent', name: ['Time under water', '水下时间占比'], formula: ['Days with E(t) below a high before, of all n.', 'E(t) 低于此前高点的天数 / n。'] },
  ulcer: { form: 'percent', name: ['Ulcer index', '溃疡指数'], formula: ['√(mean(d²)), d(t) = E(t) / max(E(0) … E(t)) − 1.', '√(mean(d²))，d(t) = E(t) / max(E(0) … E(t)) − 1。'] },
  longestLosingRun: { form: 'days', name: ['Longest losing run', '最长连续亏损'], formula: ['The most trading days with r < 0 that follow each other.', 'r < 0 连续出现的最多交易日数。'] },
  sharpe: { form: 'number', name: ['Sharpe ratio', '夏普比率'], formula: ['mean(r − rf) / std(r − rf) √N; rf = (1 + risk-free)^(1/N) − 1. Interval: stationary bootstrap, 1,000 resamples, mean block n^(1/3), seed 1.', 'mean(r − rf) / std(r − rf) × √N；rf = (1 + 无风险利率)^(1/N) − 1。区间用平稳自助法：1000 次重抽样，平均块长 n^(1/3)，种子 1。'] },
  psr: { form: 'percent', name: ['Probabilistic Sharpe ratio', '概率夏普比率（PSR）'], formula: ['Φ(SR √(n − 1) / √(1 − skew SR + (kurtosis + 2) / 4 SR²)), SR per period: the probability that the true ratio is above 0. Bailey and López de Prado 2012.', 'Φ(SR √(n − 1) / √(1 − 偏度·SR + (超额峰度 + 2) / 4·SR²))，SR 为单期值：真实夏普比率大于 0 的概率。Bailey 与 López de Prado，2012。'] },
  sortino: { form: 'number', name: ['Sortino ratio', '索提诺比率'], formula: ['mean(r) √N / √(mean(min(r, 0)²)), all n in both.', 'mean(r) × √N / √(mean(min(r, 0)²))，分子分母都用全部 n 天。'] },
  calmar: { form: 'number', name: ['Calmar ratio', '卡玛比率'], formula: ['CAGR / |maximum drawdown|.', '年化收益率（按自然日） / |最大回撤|。'] },
  omega: { form: 'number', name: ['Omega ratio', '欧米伽比率'], formula: ['Sum of the gains over sum of the losses of days, threshold 0.', '日盈利之和 / 日亏损绝对值之和，阈值为 0。'] },
  valueAtRisk: { form: 'percent', name: ['Value at risk, 95%, a day', '在险价值 VaR（95%，单日）'], formula: ['The 5 % quantile of r, linear between neighbours; historical, no distribution assumed. Below 0 is a loss.', 'r 的 5% 分位数，相邻两值线性插值；历史模拟法，不假设分布。负值为亏损。'] },
  conditionalValueAtRisk: { form: 'percent', name: ['Expected shortfall, 95%, a day', '预期损失 ES（95%，单日）'], formula: ['Mean of the returns up to that quantile: the lowest ⌊0.05 (n − 1)⌋ + 1.', '不高于该分位数的收益的平均，即最低的 ⌊0.05 (n − 1)⌋ + 1 个。'] },
  skew: { form: 'number', name: ['Skewness', '偏度'], formula: ['G1, adjusted for the size of the sample, as pandas.', 'G1，按样本量修正，与 pandas 一致。'] },
  kurtosis: { form: 'number', name: ['Excess kurtosis', '超额峰度'], formula: ['G2, adjusted for the size of the sample; 0 of a normal distribution.', 'G2，按样本量修正；正态分布为 0。'] },
  tailRatio: { form: 'number', name: ['Tail ratio', '尾部比率'], formula: ['|95 % quantile of r| / |5 % quantile of r|.', '|r 的 95% 分位数| / |r 的 5% 分位数|。'] },
  excess: { form: 'signed', name: ['Excess total return', '累计超额收益'], formula: ['Total return less that of the benchmark, both of the days on which the benchmark has returns.', '累计收益率 − 基准累计收益率，均取基准有收益率的日子。'] },
  beta: { form: 'number', name: ['Beta', '贝塔（β）'], formula: ['cov(r, b) / var(b), b the returns of the benchmark.', 'cov(r, b) / var(b)，b 为基准收益率。'] },
  alpha: { form: 'signed', name: ['Alpha, a year', '年化阿尔法（α）'], formula: ['(mean(r − rf) − beta mean(b − rf)) N, arithmetic.', '(mean(r − rf) − β mean(b − rf)) × N，算术年化。'] },
  correlation: { form: 'number', name: ['Correlation', '相关系数'], formula: ['Pearson’s correlation of r and b by day.', 'r 与 b 逐日的皮尔逊相关系数。'] },
  trackingError: { form: 'percent', name: ['Tracking error, a year', '年化跟踪误差'], formula: ['std(r − b) √N, divided by n − 1.', 'std(r − b) × √N，除以 n − 1。'] },
  informationRatio: { form: 'number', name: ['Information ratio', '信息比率'], formula: ['mean(r − b) / std(r − b) √N.', 'mean(r − b) / std(r − b) × √N。'] },
  upCapture: { form: 'percent', name: ['Up capture', '上行捕获率'], formula: ['mean(r) / mean(b) over the days with b > 0.', 'b > 0 的日子里 mean(r) / mean(b)。'] },
  downCapture: { form: 'percent', name: ['Down capture', '下行捕获率'], formula: ['mean(r) / mean(b) over the days with b < 0.', 'b < 0 的日子里 mean(r) / mean(b)。'] },
  exposure: { form: 'percent', name: ['Mean exposure', '平均仓位'], formula: ['Mean over days of 1 − cash / equity at the close.', '每日收盘 1 − 现金 / 总资产 的平均。'] },
  held: { form: 'number', name: ['Mean number of holdings', '平均持仓只数'], formula: ['Holdings at the close, mean over all days.', '每日收盘持仓只数，对全部交易日取平均。'] },
  turnover: { form: 'number', name: ['Turnover, a year, one-sided', '年化单边换手率'], formula: ['(Bought + sold) / 2 / mean equity × N / n.', '（买入额 + 卖出额）/ 2 / 平均总资产 × N / n。'] },
  costs: { form: 'yuan', name: ['Costs', '交易费用合计'], formula: ['Commission, stamp duty and transfer fee of all fills. Slippage is in the prices.', '全部成交的佣金、印花税与过户费之和；滑点已计入成交价。'] },
  costDrag: { form: 'percent', name: ['Costs a year, of mean equity', '年化费用率'], formula: ['Costs / mean equity × N / n.', '费用合计 / 平均总资产 × N / n。'] },
  costShare: { form: 'percent', name: ['Costs, of what was traded', '费用占成交额'], formula: ['Costs / (bought + sold).', '费用合计 /（买入额 + 卖出额）。'] },
  fills: { form: 'count', name: ['Fills', '成交笔数'], formula: ['Rows of the table of fills.', '成交表的行数。'] },
  rejected: { form: 'count', name: ['Orders refused or cut', '未成交或部分成交的委托'], formula: ['Rows of the table of refusals: orders that were not filled, or not wholly.', '未成交表的行数：未成交或未全部成交的委托。'] },
  roundTrips: { form: 'count', name: ['Closed round trips', '已了结的交易'], formula: ['From the first purchase until the last share went. What is still held does not count.', '自首次买入至最后一份卖出为一笔；仍持有的不计。'] },
  winRate: { form: 'percent', name: ['Round trips with a gain', '交易胜率'], formula: ['Closed round trips with a result above 0, net of costs, of all closed.', '扣费后盈利的交易笔数 / 全部已了结笔数。'] },
  profitFactor: { form: 'number', name: ['Profit factor', '获利因子'], formula: ['Sum of the gains / sum of the losses of closed round trips, in yuan.', '已了结交易的盈利总额 / 亏损总额（元）。'] },
  payoff: { form: 'number', name: ['Payoff ratio', '盈亏比'], formula: ['Mean gain / mean loss of closed round trips.', '盈利交易的平均盈利 / 亏损交易的平均亏损。'] },
  meanTrip: { form: 'yuan', name: ['Mean result of a round trip', '平均每笔盈亏'], formula: ['Sum of the results of closed round trips / their number.', '已了结交易的盈亏总额 / 笔数。'] },
  holding: { form: 'days', name: ['Median holding period', '持有期中位数'], formula: ['Median over closed round trips of the trading days from the first purchase to the last sale.', '已了结交易自首次买入至最后卖出的交易日数的中位数。'] },
} as const satisfies Readonly<Record<string, { readonly form: FigureForm; readonly name: Phrases[string]; readonly formula: Phrases[string] }>>

export type FigureName = keyof typeof figureWords

/** Figures by name; NaN where one is not defined, absent where nothing is known of it. */
export type FigureValues = { readonly [N in FigureName]?: number | undefined }
