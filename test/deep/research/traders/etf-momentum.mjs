// The two funds that rose most in ten days; a fund that fell leaves its place in cash.
export default {
  data: {
    dataset: 'etf_minute',
    params: { period: '30m' },
    bars: 'day',
    columns: ['open', 'close', 'vol'],
    history: 25,
  },
  universe: (fund) => fund.close > fund.lag('close', 10),
  score: (fund) => fund.close / fund.lag('close', 10),
  pick: { n: 2, side: 'highest' },
  when: { every: 2 },
}
