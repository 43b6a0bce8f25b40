import type { Table } from 'apache-arrow'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { nullableIntegerColumn, resultTable, textColumn } from '../columns.js'
import { daysInside } from './before.js'
import { type Lists, listsOf } from './st-marks.js'

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
function* changes({ days, stocks }: Lists): Iterable<Transition> {
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
export function stTransitions(input: Table | DataFrame): Table {
  const inside = daysInside()
  const key = ({ date, symbol }: Transition): string => `${date} ${symbol}`
  const all = [...changes(listsOf(asTable(input)))].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  const text = (of: (one: Transition) => string | null): (string | null)[] => all.map(of)
  return resultTable({
    tradedate: textColumn(
      'date',
      'First list day with the new mark.',
      text((one) => one.date),
    ),
    symbol: textColumn(
      'code',
      'Stock code, 6 digits.',
      text((one) => one.symbol),
    ),
    name: textColumn(
      'label',
      'Short name on that day, or last seen.',
      text((one) => one.name),
    ),
    from: textColumn(
      'label',
      'Mark before: none, ST, *ST or unknown.',
      text((one) => one.from),
    ),
    to: textColumn(
      'label',
      'Mark since: none, ST, *ST or unknown.',
      text((one) => one.to),
    ),
    kind: textColumn('label', 'One of: enter, leave, change.', text(kindOf)),
    since: textColumn(
      'date',
      'List day before.',
      text((one) => one.since),
    ),
    unlisted_days: nullableIntegerColumn(
      'day',
      'Days between on which there may have been trading and the table has no list.',
      Float64Array.from(all, (one) => inside(one.since, one.date)),
    ),
  })
}
