/**
 * Holds an ETF of Hong Kong shares on the days after mainland money went there, and cash on the others.
 * Flows are published in the evening, so those of a day are joined one trading day later, and each channel is counted once;
 * on days after a holiday of Hong Kong there is no flow, which is not a flow of 0, and nothing is held.
 * The decision is made on the bar of the opening auction and filled at the open of the next bar, not at the close by which the day is judged.
 *
 * Params: above (0, net buys in yuan above which it is held). Days and cash are options of the run.
 */
import { defineStrategy, filter, southboundFlows } from 'quotebook'

const fund = '513050.SH'

const netBuys = async (market, { from, to }) => {
  const flows = southboundFlows(await market.table.southboundTop10({ startdate: from, enddate: to }))
  return filter(flows.table, ({ channel }) => channel === 'both')
}

export default defineStrategy({
  data: {
    dataset: 'etf_minute',
    params: { symbols: fund, period: '30m' },
    columns: ['open', 'close', 'vol'],
    classes: { [fund]: 'ETF T+0' },
    join: [{ data: netBuys, columns: ['net'], time: 'trade_date', symbol: false, knownAt: '18:00:00', lagDays: 1 }],
  },
  make: ({ above = 0 }) => ({
    weights: (now) => ({ [fund]: now.net[0] > above ? 1 : 0 }),
    when: { at: ['0930'] },
  }),
})
