import type { Preset, PresetColumn } from './preset.js'

/** AKShare's own code, which writes the heads; read as of 2026-08-21. */
const code = (file: string): string => `https://github.com/akfamily/akshare/blob/main/akshare/${file}.py`

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
  { name: 'AKShare bond_zh_cov_value_analysis', source: code('bond/bond_zh_cov'), dataset: 'convertible_daily', alsoCode: 'symbol', columns: needed('日期=tradedate 收盘价=close 纯债价值=bond_value 转股价值=cb_value 纯债溢价率=bond_over_rate 转股溢价率=cb_over_rate') },
  // stock_zh_a_disclosure_relation_cninfo, notes of meetings with investors, writes the same.
  { name: 'AKShare stock_zh_a_disclosure_report_cninfo', source: code('stock_feature/stock_disclosure_cninfo'), dataset: 'finance_announcement', given: announced, columns: needed('代码=symbol 公告标题=title 公告时间=event_date 公告链接=content_url') },
  // That of Hong Kong has all heads of it but 涨跌额, and codes of its own.
  { name: 'AKShare stock_hot_rank_em', source: code('stock/stock_hot_rank_em'), dataset: 'hotstock', given: { type: 'dfcf&renqi' }, columns: needed('当前排名=rank 代码=s 股票名称 最新价 涨跌额 涨跌幅') },
  // Its 当前排名 is the place among all stocks, such as 484; the place in this list is that of the row, which an import counts.
  { name: 'AKShare stock_hot_up_em', source: code('stock/stock_hot_up_em'), dataset: 'hotstock', given: { type: 'dfcf&biaos' }, columns: needed('排名较昨日变动 当前排名 代码=s 股票名称 最新价 涨跌额 涨跌幅') },
]
