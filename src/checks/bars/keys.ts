import { labelColumn, type ResultColumns } from '../columns.js'
import type { RankedText } from './series.js'

const declared = {
  tradedate: ['date', 'Trading day.'],
  symbol: ['code', 'Security code.'],
  trademin: ['minute', 'Minute at which the bar closes.'],
  period: ['label', 'Bar period.'],
} as const

/** The columns that name a bar: day, symbol, period if the table has it, and minute. */
export function keyColumns(columns: Readonly<Record<string, RankedText>>): ResultColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const [kind, meaning] = declared[name as keyof typeof declared]
      return [name, labelColumn(kind, meaning, column)]
    }),
  )
}
