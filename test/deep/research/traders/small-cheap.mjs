// The five cheapest of the small bonds, chosen on Mondays; a stop at 8 % and a take at 12 % at any close.
const sizes = {
  '110073.SH': 4.2,
  '110085.SH': 9.1,
  '111002.SH': 2.8,
  '111010.SH': 3.3,
  '113021.SH': 8.8,
  '113052.SH': 6.4,
  '113641.SH': 1.9,
  '118022.SH': 5.2,
  '123107.SZ': 7.7,
  '127018.SZ': 3.9,
  '127045.SZ': 12.5,
}

export default {
  data: { dataset: 'convertible_daily' },
  universe: (bond) => sizes[bond.symbol] < 9,
  score: (bond) => bond.close,
  exit: (bond) => bond.close < 0.92 * bond.entryPrice || bond.close > 1.12 * bond.entryPrice,
  pick: { n: 5, side: 'lowest' },
  when: { weekly: 1 },
}
