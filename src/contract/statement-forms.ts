import type { Column } from './column.js'
import type { Dataset } from './dataset.js'
import { completedDataset } from './own-dataset.js'

const text = (meaning: string): Column => ({ kind: 'text', nullable: true, meaning })
const number = (meaning: string, unit?: string): Column => ({
  kind: 'number',
  nullable: true,
  meaning,
  ...(unit && { unit }),
})
const yuan = (meaning: string): Column => number(meaning, 'yuan')
const code: Column = { kind: 'code', nullable: true, meaning: 'Code as the file has it.' }

const form = (name: string, title: string, columns: Readonly<Record<string, Column>>): Dataset =>
  completedDataset({
    name,
    title,
    columns: { line: { kind: 'integer', meaning: 'Line of the file, from 1.' }, ...columns },
    key: ['line'],
    knownAt: { fetched: true, note: 'when it was exported' },
  })

/** A statement of a broker: a row for each thing that happened to an account. */
export const statementForm = form('statement', 'Statement of a broker', {
  day: { kind: 'date', meaning: 'Day of the trade.' },
  time: text('Time of day.'),
  action: text('What it is, as the broker says.'),
  code,
  name: text('Name.'),
  shares: number('Shares, bonds or units.'),
  price: yuan('Price.'),
  amount: yuan('Shares x price.'),
  cash: yuan('Money that came or, below 0, went, with all costs.'),
  commission: yuan('Commission.'),
  stamp: yuan('Stamp duty.'),
  transfer: yuan('Transfer fee.'),
  settlement: yuan('Settlement fee.'),
  surcharge: yuan('Surcharge.'),
  other: yuan('Other costs.'),
  balance: number('Shares held after it.'),
  money: yuan('Money after it.'),
  currency: text('Currency.'),
  deal: text('Number of the trade.'),
  order: text('Number of the order.'),
})

/** What is held by an account. */
export const holdingsForm = form('holdings', 'Holdings of an account', {
  code,
  name: text('Name.'),
  held: number('Shares, bonds or units.'),
  sellable: number('Of them, what may be sold.'),
  cost: yuan('Cost of each.'),
})
