import { arrange, type Sheet, type WholeRow } from './sample-sheet.js'
import { nameOn } from './sample-stock.js'

const typeNames = { ST: '其他风险警示', '*ST': '退市风险警示' } as const

/** Stocks that bear a mark, day by day. */
export const st: Sheet = {
  dataset: 'st',
  days: (sample) => sample.days,
  rows: (sample, days) => {
    const rows: WholeRow<'st'>[] = []
    for (const day of days) {
      for (const stock of sample.stocks) {
        const type = stock.mark(day.date, day.t)
        if (!type) continue
        rows.push({
          tradedate: day.date,
          symbol: stock.code,
          name: nameOn(stock, day),
          type,
          type_name: typeNames[type],
        })
      }
    }
    return arrange('st', rows)
  },
}
