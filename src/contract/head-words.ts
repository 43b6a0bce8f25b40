import { columnTitle } from './column-titles.js'

/**
 * What people and programs call a column: names in this house, then heads of terminals, brokers and sites. Of the heads of a line a file may have
 * several; the first of the line counts.
 */
const lines = `
tradedate trade_date date day: 成交日期 交易日期 发生日期 业务日期 日期 交割日期 清算日期 交收日期
time: 成交时间 时间 发生时间
code symbol stockcode: 证券代码 代码 股票代码 转债代码 债券代码 基金代码
name stockname: 证券名称 名称 证券简称 股票名称 转债名称 债券简称
action side: 买卖标志 买卖标记 操作 业务名称 业务类型 买卖类别 买卖方向 委托方向 业务标志 方向 摘要
shares quantity: 成交数量 成交量 成交股数 发生数量 数量
price: 成交均价 成交价格 成交价 价格
amount: 成交金额 成交额
cash: 发生金额 清算金额 总发生金额 收付金额
commission fees: 手续费 佣金 净佣金 交易费用 费用
stamp: 印花税
transfer: 过户费
settlement: 结算费 清算费
surcharge: 附加费 规费
other: 其他杂费 其他费 其它费 其他费用
balance: 股票余额 股份余额 证券余额 剩余数量
money: 资金余额 剩余金额
currency: 币种
deal: 成交编号 成交序号
order: 合同编号 委托编号
held shares quantity: 当前持仓 当前拥股 当前拥股数 实际数量 持仓数量 持仓 持有数量 证券数量 股票余额 股份余额 证券余额 数量
sellable: 可用余额 可用数量 可卖数量 可用股份
cost: 成本价 参考成本价 买入成本价 持仓成本
maturity: 到期日 到期日期 到期时间
last_trade_day: 最后交易日
redemption_price: 赎回价 赎回价格 强赎价
announced_on: 赎回公告日 强赎公告日 公告日
ex_day: 除权除息日 除息日 付息日
pay_day: 派息日 发放日 红利发放日
cash_per_share: 每股派息 每股分红 每股红利 每张利息
kind: 类别 种类
close: 收盘 收盘价 收盘点位 净值
`

const table = lines
  .trim()
  .split('\n')
  .map((line) => line.split(': ').map((part) => part.split(' ')) as [string[], string[]])

/** Heads that stand for a column of this name, the likeliest first: its own, other names of it, and what it is called in Chinese. */
export function headWords(name: string): readonly string[] {
  const [names, words] = table.find(([all]) => all.includes(name)) ?? [[], []]
  const title = columnTitle(name)
  return [...new Set([name, ...names, ...words, ...(title === undefined ? [] : [title, `${title}价`])])]
}
