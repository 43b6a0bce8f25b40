import type { Preset, PresetColumn } from './preset.js'

const bonds = 'https://akshare.akfamily.xyz/data/bond/bond.html'
const stocks = 'https://akshare.akfamily.xyz/data/stock/stock.html'

/** Columns that a table must have: `日期=tradedate`; without a name of the contract, one that is not kept. */
const needed = (text: string): PresetColumn[] =>
  text.split(' ').map((pair) => {
    const [head = '', to = ''] = pair.split('=')
    return { heads: [head], needed: true, ...(to !== '' && { to }) }
  })

const announced = { announcement_type: 'unknown' }

/**
 * Tables of AKShare, all with Chinese heads. Those that more than one of its functions writes (prices of the moment, such as the ST board)
 * and bars of minutes are not among them: their columns don't tell what they are.
 */
// biome-ignore format: a table, one preset a line
export const akshareTables: readonly Preset[] = [
  { name: 'AKShare bond_zh_cov_value_analysis', source: bonds, dataset: 'convertible_daily', alsoCode: 'symbol', columns: needed('日期=tradedate 收盘价=close 纯债价值=bond_value 转股价值=cb_value 纯债溢价率=bond_over_rate 转股溢价率=cb_over_rate') },
  { name: 'AKShare stock_zh_a_disclosure_report_cninfo', source: stocks, dataset: 'finance_announcement', given: announced, columns: needed('代码=symbol 公告标题=title 公告时间=event_date 公告链接=content_url') },
  { name: 'AKShare stock_hot_rank_em', source: stocks, dataset: 'hotstock', given: { type: 'dfcf&renqi' }, columns: needed('当前排名=rank 代码=s 股票名称 涨跌幅') },
  { name: 'AKShare stock_hot_up_em', source: stocks, dataset: 'hotstock', given: { type: 'dfcf&biaos' }, columns: needed('排名较昨日变动 当前排名=rank 代码=s 股票名称 涨跌幅') },
]
