/**
 * Holds an ETF of Hong Kong shares on the days after mainland money went there, and cash on the others.
 * Flows are published in the evening, so those of a day are joined one trading day later, and each channel is counted once;
 * on days after a holiday of Hong Kong there is no flow, which is not a flow of 0, and nothing is held.
 * The decision is made on the bar of the opening auction and filled at the open of the next bar, not at the close by which the day is judged.
 *
 * Params: symbol ('513050.SH'), above (0, net buys in yuan above which it is held), cash (1000000).
 */
import { filter, panel, southboundFlows } from 'quotebook'

export default async ({ market, params = {} }) => {
  const { symbol = '513050.SH', above = 0, cash = 1_000_000 } = params
  const [startdate, enddate] = ['20260506', '20260729']
  const days = { from: startdate, to: enddate }
  const bars = await market.table.etfMinute({ symbols: [symbol], period: '30m' }, { days })
  const flows = southboundFlows(await market.table.southboundTop10({ startdate, enddate }))
  const net = filter(flows.table, ({ channel }) => channel === 'both')
  return {
    panel: panel(bars, {
      columns: ['open', 'close', 'vol'],
      classes: { [symbol]: 'ETF T+0' },
      join: [{ data: net, columns: ['net'], time: 'trade_date', symbol: false, knownAt: '18:00:00', lagDays: 1 }],
    }),
    strategy: {
      weights: (now, weights) => {
        weights[0] = now.net[0] > above ? 1 : 0
      },
      when: { at: ['0930'] },
    },
    options: { cash },
  }
}
