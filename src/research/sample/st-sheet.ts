import { sheetOf, type WholeRow } from './sample-sheet.js'
import { nameOn } from './sample-stock.js'

const typeNames = { ST: '其他风险警示', '*ST': '退市风险警示' } as const

/** Stocks that bear a mark, day by day. */
export const stSheet = sheetOf(
  'st',
  (sample) => sample.days,
  (sample, days) =>
    days.flatMap((day) =>
      sample.stocks.flatMap((stock): WholeRow<'st'>[] => {
        const type = stock.mark(day.date, day.t)
        if (!type) return []
        const name = nameOn(stock, day)
        return [{ tradedate: day.date, symbol: stock.code, name, type, type_name: typeNames[type] }]
      }),
    ),
)
