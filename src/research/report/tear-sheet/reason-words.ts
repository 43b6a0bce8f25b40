import type { Phrases } from '../../../contract/language.js'

/** Why an order was not filled, by the word that the table of refusals has. */
// biome-ignore format: a table, one phrase a line
export const reasonWords = {
  suspended: ['No price at that moment: suspended, or no row.', '停牌或当时没有行情。'],
  'limit-up': ['The price stood at its upper limit: nobody sells.', '涨停，买不进。'],
  'limit-down': ['The price stood at its lower limit: nobody buys.', '跌停，卖不出。'],
  volume: ['More than the share of the bar’s volume, or no volume.', '超过成交量占比上限，或没有成交量。'],
  cash: ['The cash paid for fewer lots, or none.', '可用资金不足，只够买更少或一手都不够。'],
  lot: ['Less than one lot, or an odd rest.', '不足一手，或为零股余数。'],
  'T+1': ['Bought today, so it can not be sold before tomorrow.', '当日买入，次一交易日才可卖出（T+1）。'],
  price: ['The bar did not trade through the limit of the order.', '行情未触及委托限价。'],
  'not-listed': ['Not listed yet.', '尚未上市。'],
  delisted: ['No longer listed.', '已退市或已赎回。'],
  gap: ['The price jumped beyond its limits and nothing explains it: the position is stopped.', '价格跳空超出涨跌幅限制且无从解释，持仓就此冻结。'],
  'not-held': ['Nothing of it was held.', '未持有该品种。'],
} as const satisfies Phrases
