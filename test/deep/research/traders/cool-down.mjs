// A stop at 3 % below what was paid; what it sold is not bought for six days.
export default {
  data: { dataset: 'convertible_daily' },
  exit: (bond) => bond.close < 0.97 * bond.entryPrice,
  universe: (bond) => bond.daysSinceExit > 6,
  score: (bond) => bond.close + bond.cb_over_rate,
  pick: { n: 5, side: 'lowest', exitRank: 7 },
}
