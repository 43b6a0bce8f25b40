import { type MadeColumns, wordColumn } from '../columns.js'
import type { Ranked } from './series.js'

const keyColumns = {
  tradedate: ['date', 'Trading day.'],
  symbol: ['code', 'Security code.'],
  trademin: ['minute', 'Minute at which the bar closes.'],
  period: ['label', 'Bar period.'],
} as const

/** The columns that name a bar: day, symbol, period if the table has it, and minute. */
export function keysOf(columns: Readonly<Record<string, Ranked>>): MadeColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const [kind, meaning] = keyColumns[name as keyof typeof keyColumns]
      return [name, wordColumn(kind, meaning, column)]
    }),
  )
}
