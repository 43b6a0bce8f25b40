// The two funds that rose most in ten days; a fund that fell leaves its place in cash.
const aDay = 9

export default {
  data: { dataset: 'etf_minute', params: { period: '30m' }, columns: ['open', 'close', 'vol'], history: 25 },
  universe: (fund) => fund.close > fund.lag('close', 10 * aDay),
  score: (fund) => fund.close / fund.lag('close', 10 * aDay),
  pick: { n: 2, side: 'highest' },
  when: { every: 2 },
}
