import type { Preset } from './preset.js'

const bonds = 'https://akshare.akfamily.xyz/data/bond/bond.html'
const stocks = 'https://akshare.akfamily.xyz/data/stock/stock.html'

/**
 * Tables of AKShare, all with Chinese heads. Those that more than one of its functions writes (prices of the moment, such as the ST board)
 * and bars of minutes are not among them: their columns don't tell what they are.
 */
export const akshareTables: readonly Preset[] = [
  {
    name: 'AKShare bond_zh_cov_value_analysis',
    source: bonds,
    dataset: 'convertible_daily',
    alsoCode: 'symbol',
    columns: [
      { heads: ['日期'], to: 'tradedate', needed: true },
      { heads: ['收盘价'], to: 'close' },
      { heads: ['纯债价值'], to: 'bond_value', needed: true },
      { heads: ['转股价值'], to: 'cb_value', needed: true },
      { heads: ['纯债溢价率'], to: 'bond_over_rate', needed: true },
      { heads: ['转股溢价率'], to: 'cb_over_rate', needed: true },
    ],
  },
  {
    name: 'AKShare stock_zh_a_disclosure_report_cninfo',
    source: stocks,
    dataset: 'finance_announcement',
    given: { announcement_type: 'unknown' },
    columns: [
      { heads: ['代码'], to: 'symbol', needed: true },
      { heads: ['公告标题'], to: 'title', needed: true },
      { heads: ['公告时间'], to: 'event_date', needed: true },
      { heads: ['公告链接'], to: 'content_url', needed: true },
    ],
  },
  {
    name: 'AKShare stock_hot_rank_em',
    source: stocks,
    dataset: 'hotstock',
    given: { type: 'dfcf&renqi' },
    columns: [
      { heads: ['当前排名'], to: 'rank', needed: true },
      { heads: ['代码'], to: 's', needed: true },
      { heads: ['股票名称'], needed: true },
      { heads: ['涨跌幅'] },
    ],
  },
  {
    name: 'AKShare stock_hot_up_em',
    source: stocks,
    dataset: 'hotstock',
    given: { type: 'dfcf&biaos' },
    columns: [
      { heads: ['排名较昨日变动'], needed: true },
      { heads: ['当前排名'], to: 'rank', needed: true },
      { heads: ['代码'], to: 's', needed: true },
      { heads: ['股票名称'], needed: true },
      { heads: ['涨跌幅'] },
    ],
  },
]
