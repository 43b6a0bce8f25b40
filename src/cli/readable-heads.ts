import type { Table } from 'apache-arrow'
import { columnTitle } from '../contract/column-titles.js'
import { columnNames } from '../frame/read-columns.js'
import { rename } from '../frame/verb/rename.js'
import { language } from './chosen-language.js'

/** Heads of tables that commands make; other names have theirs from the contract. */
const heads: Readonly<Record<string, string>> = {
  scope: '范围',
  first: '首日',
  last: '末日',
  days: '天数',
  covered: '已覆盖',
  missing: '缺失',
  last_sync: '上次同步',
  revisions: '修订数',
  waiting: '待复查',
  checks: '检查项',
  confirmed: '相符',
  open: '无法判定',
  worst: '最突出的一行',
  check: '检查项',
  that: '含义',
  made: '已查',
  not: '未查',
  because: '原因',
  verdict: '结论',
  rows: '行数',
  total: '累计收益率',
  cagr: '年化收益率',
  volatility: '年化波动率',
  sharpe: '夏普比率',
  max_drawdown: '最大回撤',
  turnover: '换手率',
  plan: '版本',
  expiry: '有效期至',
  rate: '每分钟次数',
  added: '加入日期',
  again: '重查天数',
  requests: '请求数',
  bytes: '字节',
  severity: '程度',
  what: '内容',
  file: '文件',
  day: '日期',
  from: '首日',
  to: '末日',
  side: '方向',
  shares: '数量',
  lots: '手数',
  limit: '限价',
  limit_down: '跌停价',
  limit_up: '涨停价',
  horizon: '持有期',
  dates: '有 IC 的期数',
  mean_ic: 'IC 均值',
  std_ic: 'IC 标准差',
  ir: 'IR（均值 / 标准差）',
  positive: 'IC > 0 占比',
  error: '标准误',
  lag: '滞后阶数',
  t: 't 值',
  plain_t: '假定互不重叠的 t 值',
  spread_dates: '有多空两组的期数',
  spread: '多空收益差',
  net_spread: '扣费后收益差',
  monotonicity: '分组单调性',
  least_traded: '成交最少品种的占比',
  mean_factor_return: '因子收益',
  alpha: '年化 α',
  beta: 'β',
  turnover_top: '最高组换手率',
  rank_autocorrelation: '秩自相关',
  neutral_ic: '中性化后 IC',
}

/** The head of a column of what a command prints, in the reader's language; the name where it has no other. */
export function headIn(name: string): string {
  return language === 'zh' ? (heads[name] ?? columnTitle(name) ?? name) : name
}

/** New names of columns, those of `own` in the reader's language; two that would be alike keep theirs. */
export function newHeads(names: readonly string[], own = names): Record<string, string> {
  const said = names.map((name) => (own.includes(name) ? headIn(name) : name))
  const alone = names.flatMap((name, i) => {
    const head = said[i] ?? name
    return head !== name && said.filter((one) => one === head).length === 1 ? [[name, head] as const] : []
  })
  return Object.fromEntries(alone)
}

/** A table that a command makes, under heads in the reader's language. */
export function withHeads(table: Table): Table {
  return language === 'en' ? table : rename(table, newHeads(columnNames(table)) as Record<never, string>)
}
