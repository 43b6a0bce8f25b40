// All is sold when the account is 1.5 % below its peak, and five days of rest follow.
export default {
  data: { dataset: 'convertible_daily' },
  state: () => ({ peak: 0, rest: 0 }),
  update: (now, state) => {
    state.peak = Math.max(state.peak, now.equity)
    if (state.rest > 0) state.rest--
    else if (now.equity < 0.985 * state.peak) Object.assign(state, { rest: 5, peak: now.equity })
  },
  exit: (_, state) => state.rest > 0,
  universe: (_, state) => state.rest === 0,
  score: (bond) => bond.close + bond.cb_over_rate,
  pick: { n: 5, side: 'lowest', exitRank: 8 },
}
