import type { Table } from 'apache-arrow'
import { asTable } from '../../../frame/as-table.js'
import type { Data } from '../../../frame/data.js'
import { nullableIntegerColumn, resultTable } from '../check-columns.js'
import { recordColumns } from '../record-columns.js'
import { daysInside } from './earlier-rows.js'
import { type StLists, stListsOf } from './st-lists.js'

interface Transition {
  readonly date: string
  readonly since: string
  readonly symbol: string
  readonly name: string | null
  readonly from: string
  readonly to: string
}

const none = 'none'

/** A list knows only marks; a mark that neither type nor name tells is no change of the one before. */
function* changes({ days, stocks }: StLists): Iterable<Transition> {
  for (const [symbol, rows] of stocks) {
    let from = rows.has(0) ? (rows.get(0)?.mark ?? null) : none
    let name = rows.get(0)?.name ?? null
    for (let at = 1; at < days.length; at++) {
      const now = rows.get(at)
      const to = now ? now.mark : none
      name = now?.name ?? name
      if (to === null && from !== none) continue
      const mark = to ?? 'unknown'
      if (from !== null && mark !== from) {
        yield { date: days[at] as string, since: days[at - 1] as string, symbol, name, from, to: mark }
      }
      from = mark
    }
  }
}

function kindOf({ from, to }: Transition): string {
  if (from === none) return 'enter'
  return to === none ? 'leave' : 'change'
}

/**
 * The changes of ST marks between one list day of a table and the next, by day, then stock. The first day has none: what
 * was before it is not known.
 *
 * Columns: `tradedate` the first list day with the new mark; `symbol`; `name` as of that day, or last seen where the stock
 * left; `from` and `to`, one of none, ST, *ST, or unknown where a row has neither type nor mark in its name; `kind`, one of
 * enter, leave, change; `since` the list day before; `unlisted_days`, the days between on which there may have been
 * trading and the table has no list: the change fell on one of them or on `tradedate`.
 *
 * For a table of some stocks or of one type only, leave and enter mean: its rows end, or begin.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a tradedate that is no date
 */
export function stTransitions(input: Data): Table {
  const inside = daysInside()
  const key = ({ date, symbol }: Transition): string => `${date} ${symbol}`
  const all = [...changes(stListsOf(asTable(input)))].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  const { text } = recordColumns(all)
  return resultTable({
    tradedate: text('date', 'First list day with the new mark.', ({ date }) => date),
    symbol: text('code', 'Stock code, 6 digits.', ({ symbol }) => symbol),
    name: text('label', 'Short name on that day, or last seen.', ({ name }) => name),
    from: text('label', 'Mark before: none, ST, *ST or unknown.', ({ from }) => from),
    to: text('label', 'Mark since: none, ST, *ST or unknown.', ({ to }) => to),
    kind: text('label', 'One of: enter, leave, change.', kindOf),
    since: text('date', 'List day before.', ({ since }) => since),
    unlisted_days: nullableIntegerColumn(
      'day',
      'Days between on which there may have been trading and the table has no list.',
      Float64Array.from(all, (one) => inside(one.since, one.date)),
    ),
  })
}
