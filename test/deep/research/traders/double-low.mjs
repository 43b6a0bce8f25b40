// Double-low without called bonds and without premiums above 40 %; what stays is left alone.
import { fromRows } from 'quotebook'

const terms = fromRows([
  {
    code: '110059.SH',
    maturity: '20280116',
    announced_on: '20260703',
    last_trade_day: '20260729',
    redemption_price: 100.7,
  },
  ...['110073.SH', '110085.SH', '111002.SH', '111010.SH', '113021.SH', '113052.SH', '113641.SH', '118022.SH'].map(
    (code) => ({
      code,
      maturity: '20290630',
    }),
  ),
])

export default {
  data: { dataset: 'convertible_daily', terms },
  universe: (bond) => bond.called === 0 && bond.cb_over_rate < 40,
  score: (bond) => bond.close + bond.cb_over_rate,
  pick: { n: 4, side: 'lowest', exitRank: 6, rebalance: 'swap' },
}
