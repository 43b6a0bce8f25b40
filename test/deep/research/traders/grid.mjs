// A grid on bars of a quarter of an hour: it begins with three tenths, buys one for each half percent down and sells one for each up.
const [fund, step] = ['510300.SH', 0.005]

export default {
  data: {
    dataset: 'etf_minute',
    params: { symbols: fund, period: '15m' },
    columns: ['open', 'high', 'low', 'close', 'vol'],
  },
  state: () => ({ center: 0, lots: 0 }),
  update: (now, state) => {
    const at = now.symbols.indexOf(fund)
    state.center ||= now.close[at] * (1 + 3 * step)
    state.lots ||= Math.floor(now.cash / now.close[at] / 1000)
  },
  orders: (now, state) => {
    const at = now.symbols.indexOf(fund)
    const units = state.lots === 0 ? 0 : now.shares[at] / (100 * state.lots)
    const [shares, level] = [100 * state.lots, (down) => Number((state.center * (1 - step * down)).toFixed(3))]
    return [
      ...(units < 9 ? [{ symbol: fund, side: 'buy', shares, limit: level(units + 1) }] : []),
      ...(units > 0 ? [{ symbol: fund, side: 'sell', shares, limit: level(units - 1) }] : []),
    ]
  },
  when: { at: 'every bar' },
}
