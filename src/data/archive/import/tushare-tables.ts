import type { Preset, PresetColumn } from './preset.js'

const doc = (id: number): string => `https://tushare.pro/document/2?doc_id=${id}`

/** Columns in the unit of the contract and under its names, with what the documentation calls them in Chinese: `close=收盘价`. */
const same = (text: string): PresetColumn[] =>
  text.split(' ').map((pair) => {
    const [to = '', title = ''] = pair.split('=')
    return { to, heads: [to, title] }
  })

const hundredMillion = { unit: '100 million yuan', shift: 8 } as const

/** Tables of Tushare Pro, by its documentation of 2026. */
export const tushareTables: readonly Preset[] = [
  {
    name: 'Tushare ggt_top10',
    source: doc(49),
    dataset: 'southbound_top10',
    columns: [
      { heads: ['ts_code', '股票代码'], to: 'code', needed: true },
      { heads: ['trade_date', '交易日期'], to: 'trade_date', needed: true },
      { heads: ['market_type', '市场类型'], to: 'market_type', needed: true },
      ...same(
        'name=股票名称 close=收盘价 p_change=涨跌幅 rank=资金排名 amount=累计成交金额 ' +
          'net_amount=净买入金额 sh_amount=沪市成交金额 sh_net_amount=沪市净买入金额 sh_buy=沪市买入金额 ' +
          'sh_sell=沪市卖出金额 sz_amount=深市成交金额 sz_net_amount=深市净买入金额 sz_buy=深市买入金额 ' +
          'sz_sell=深市卖出金额',
      ),
    ],
  },
  {
    name: 'Tushare slb_len',
    source: doc(331),
    dataset: 'transfer_financing',
    columns: [
      { heads: ['trade_date', '交易日期'], to: 'tradedate', needed: true },
      { heads: ['ob', '期初余额'], to: 'opening_balance', ...hundredMillion, needed: true },
      { heads: ['auc_amount', '竞价成交金额'], to: 'auction_amount', ...hundredMillion },
      { heads: ['repo_amount', '再借成交金额'], to: 'reborrow_amount', ...hundredMillion },
      { heads: ['repay_amount', '偿还金额'], to: 'repayment_amount', ...hundredMillion },
      { heads: ['cb', '期末余额'], to: 'closing_balance', ...hundredMillion, needed: true },
    ],
  },
  {
    name: 'Tushare cb_daily',
    source: doc(187),
    dataset: 'convertible_daily',
    alsoCode: 'symbol',
    isProven: true,
    columns: [
      { heads: ['ts_code', '转债代码'], to: 'code', needed: true },
      { heads: ['trade_date', '交易日期'], to: 'tradedate', needed: true },
      { heads: ['close', '收盘价'], to: 'close', needed: true },
      { heads: ['vol', '成交量'], to: 'vol' },
      { heads: ['amount', '成交金额'], to: 'amount', unit: '10,000 yuan', shift: 4 },
      ...same(
        'pre_close=昨收盘价 open=开盘价 high=最高价 low=最低价 change=涨跌 pct_chg=涨跌幅 ' +
          'bond_value=纯债价值 bond_over_rate=纯债溢价率 cb_value=转股价值 cb_over_rate=转股溢价率',
      ),
    ],
  },
  {
    // Its `type` is ST for ST and *ST alike, so the mark is not known from it.
    name: 'Tushare stock_st',
    source: doc(397),
    dataset: 'st',
    columns: [
      { heads: ['ts_code', '股票代码'], to: 'symbol', needed: true },
      { heads: ['trade_date', '交易日期'], to: 'tradedate', needed: true },
      { heads: ['type', '类型'] },
      ...same('name=股票名称 type_name=类型名称'),
    ],
  },
  {
    name: 'Tushare anns_d',
    source: doc(176),
    dataset: 'finance_announcement',
    given: { announcement_type: 'unknown' },
    columns: [
      { heads: ['ts_code', '股票代码'], to: 'symbol', needed: true },
      { heads: ['ann_date', '公告日期'], to: 'event_date', needed: true },
      { heads: ['title', '标题'], to: 'title', needed: true },
      { heads: ['url'], to: 'content_url' },
    ],
  },
]
