/** The strategy of the sweep in backtest.mjs, where threads find it. */
export const make = ({ w, n, keep }) => ({
  score: (bar) => bar.close + w * bar.premium,
  pick: { n, side: 'lowest', exitRank: keep * n },
  when: { weekly: 1 },
})
