// The five cheapest of the small bonds of a monthly list, chosen on Mondays; a stop at 8 % and a take at 12 % at any close.
import { fromRows } from 'quotebook'

const sizes = { 110073: 4.2, 110085: 9.1, 111002: 2.8, 111010: 3.3, 113021: 8.8, 113052: 6.4, 113641: 1.9, 118022: 5.2 }
const lists = { 20260430: 1, 20260529: 1, 20260630: 0.97 }

const months = async () =>
  fromRows(
    Object.entries(lists).flatMap(([tradedate, left]) =>
      Object.entries(sizes).map(([code, size]) => ({
        tradedate,
        code: `${code}.SH`,
        size: size * left,
        rating: size > 5 ? 'AA+' : 'AA',
      })),
    ),
  )

export default {
  data: {
    dataset: 'convertible_daily',
    join: [{ data: months, columns: ['size'], texts: ['rating'], knownAt: '18:00:00', asOf: 'list' }],
  },
  universe: (bond) => bond.size < 9 && bond.rating !== null,
  score: (bond) => bond.close,
  exit: (bond) => bond.close < 0.92 * bond.entryPrice || bond.close > 1.12 * bond.entryPrice,
  pick: { n: 5, side: 'lowest' },
  when: { weekly: 1 },
}
