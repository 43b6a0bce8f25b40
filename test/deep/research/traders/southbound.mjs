// Nine tenths in a fund of Hong Kong shares after three days of net buys from the mainland, else cash.
import { filter, southboundFlows } from 'quotebook'

const fund = '513050.SH'
const netBuys = async (market, { from, to }) => {
  const flows = southboundFlows(await market.table.southboundTop10({ startdate: from, enddate: to }))
  return filter(flows.table, ({ channel }) => channel === 'both')
}

export default {
  data: {
    dataset: 'etf_minute',
    params: { symbols: fund, period: '30m' },
    bars: 'day',
    columns: ['open', 'close', 'vol'],
    classes: { [fund]: 'ETF T+0' },
    join: [{ data: netBuys, columns: ['net'], time: 'trade_date', symbol: false, knownAt: '18:00:00', lagDays: 1 }],
  },
  weights: (now) => {
    const [at, net] = [now.symbols.indexOf(fund), (days) => (days === 0 ? now.net : now.lag('net', days))]
    return { [fund]: net(0)[at] + net(1)[at] + net(2)[at] > 0 ? 0.9 : 0 }
  },
}
