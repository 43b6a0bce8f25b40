// A tenth of the account in each of the lowest: with each percent that the account loses, one place less.
export default {
  data: { dataset: 'convertible_daily' },
  state: () => ({ begin: 0 }),
  weights: (now, _, state) => {
    state.begin ||= now.equity
    const places = Math.max(2, 8 - Math.floor(Math.max(0, 1 - now.equity / state.begin) / 0.01))
    const low = [...now.symbols.keys()].filter((at) => now.close[at] > 0)
    low.sort((a, b) => now.close[a] + now.cb_over_rate[a] - now.close[b] - now.cb_over_rate[b])
    return Object.fromEntries(low.slice(0, places).map((at) => [now.symbols[at], 0.1]))
  },
  when: { every: 2 },
}
