import type { Table } from 'apache-arrow'
import { asTable } from '../../frame/as-table.js'
import { texts, words } from '../../frame/column.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { provenance } from '../../table/provenance.js'
import type { CheckResult } from '../check.js'
import { type Check, fails, leavesOpen, passes } from '../check.js'
import { labelColumn } from '../columns.js'
import { groupItems } from '../group.js'
import { allowedCells } from './allowed.js'
import { countNoun, daysInside } from './before.js'
import { type Lists, listsOf, markInName } from './st-marks.js'
import { concludeRows, eachTable, type RowFinding } from './verdict.js'

const verdicts = ['holds', 'unverifiable', 'gap', 'suspect', 'twice', 'mismatch'] as const
export type StListVerdict = (typeof verdicts)[number]
type Found = RowFinding<StListVerdict>

/** List days for which a mark does not come off and on again. */
const few = 5

function* ownRules(table: Table): Iterable<Found> {
  const [symbol, name, type] = [texts(table, 'symbol'), texts(table, 'name'), texts(table, 'type')]
  for (let row = 0; row < symbol.length; row++) {
    if (!/^\d{6}$/.test(symbol[row] ?? '')) {
      yield { row, verdict: 'mismatch', rule: 'symbol', why: `${symbol[row]} is no code of six digits` }
    }
    const [mark, own] = [type[row] ?? null, markInName(name[row] ?? null)]
    if (mark === null) {
      const told = own === undefined ? '' : `; the name says ${own}`
      yield { row, verdict: 'unverifiable', rule: 'type', why: `type is null${told}` }
    } else if (mark !== 'ST' && mark !== '*ST') {
      yield { row, verdict: 'mismatch', rule: 'type', why: `type ${mark} is none of ST and *ST` }
    } else if (own === undefined) {
      const why = name[row] === null ? 'name is null' : `type is ${mark}, and the name ${name[row]} bears no mark`
      yield { row, verdict: name[row] === null ? 'unverifiable' : 'suspect', rule: 'name', why }
    } else if (own !== mark) {
      yield { row, verdict: 'mismatch', rule: 'name', why: `type is ${mark}, and the name ${name[row]} says ${own}` }
    }
  }
}

/** Rows whose description is not the one that most rows of their type have. */
function* descriptions(table: Table): Iterable<Found> {
  const [type, told] = [texts(table, 'type'), texts(table, 'type_name')]
  const rows = [...type.keys()].filter((row) => type[row] !== null && told[row] !== null)
  for (const [mark, own] of groupItems(rows, (row) => type[row])) {
    const groups = [...groupItems(own, (row) => told[row])]
    const usual = groups.reduce((most, one) => (one[1].length > most[1].length ? one : most))[0]
    for (const row of own) {
      if (told[row] === usual) continue
      yield {
        row,
        verdict: 'suspect',
        rule: 'type_name',
        why: `type_name of ${mark} is ${told[row]}, and mostly ${usual}`,
      }
    }
  }
}

function* returns({ days, stocks }: Lists): Iterable<Found> {
  for (const rows of stocks.values()) {
    const places = [...rows.keys()].sort((a, b) => a - b)
    for (let i = 1; i < places.length; i++) {
      const [before, at] = [places[i - 1] as number, places[i] as number]
      const away = at - before - 1
      if (away === 0 || away > few) continue
      const why = `back after ${countNoun(away, 'list day')} without a mark, last seen ${days[before]}`
      yield { row: rows.get(at)?.row as number, verdict: 'suspect', rule: 'return', why }
    }
  }
}

/** Days without any row, said at the first row of the next list; not of an answer for some symbols only. */
function* missingDays(table: Table, { days }: Lists): Iterable<Found> {
  if (provenance(table)?.request.params.symbols !== undefined) return
  const inside = daysInside()
  const date = texts(table, 'tradedate')
  for (let at = 1; at < days.length; at++) {
    const missing = inside(days[at - 1] as string, days[at] as string)
    if (missing === 0) continue
    const why = `${countNoun(missing, 'trading day')} between ${days[at - 1]} and ${days[at]} without a list`
    yield { row: date.indexOf(days[at] as string), verdict: 'gap', rule: 'days', why }
  }
}

function* findings(table: Table): Iterable<Found> {
  const lists = listsOf(table)
  for (const row of lists.twice) yield { row, verdict: 'twice', rule: 'key', why: 'the stock has two rows of this day' }
  yield* ownRules(table)
  yield* descriptions(table)
  yield* returns(lists)
  yield* missingDays(table, lists)
}

/**
 * Holds lists of ST marks against themselves: one row a stock and day, a type of ST or *ST that the name bears too (also
 * behind XD, XR, DR, N, S, G), one description for each type, and stocks that do not leave the list for a few days.
 *
 * - `holds`: all of these. The changes of marks are `stTransitions`'.
 * - `unverifiable`: type or name is null.
 * - `gap`: trading days before the row's day have no list at all (said at the first row of the day).
 * - `suspect`: the name bears no mark, the description is another than that of most rows of the type, or the stock is back
 *   after 1 to 5 list days away.
 * - `twice`: a second row of a stock and day. `mismatch`: the name bears the other mark, or type or symbol is none, or the day no trading day.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkStList(input: Table | DataFrame): CheckResult<StListVerdict> {
  const { table, forbidden } = allowedCells(asTable(input), 'st')
  return concludeRows({
    name: 'st list',
    verdicts,
    forbidden,
    rows: table.numRows,
    findings: findings(table),
    columns: {
      tradedate: labelColumn('date', 'Trading day.', words(table, 'tradedate')),
      symbol: labelColumn('code', 'Stock code.', words(table, 'symbol')),
      name: labelColumn('label', 'Short name of the stock.', words(table, 'name')),
      type: labelColumn('label', 'Mark as published.', words(table, 'type')),
    },
  })
}

export const stListCheck: Check = {
  name: 'st list',
  summary: 'marks of ST stocks, and who comes and goes',
  dataset: 'st',
  rule: 'One row a stock and day, whose type is the mark that its name bears; one description a type; no stock that leaves for a few days only; no trading day without a list.',
  verdicts: {
    holds: passes('Type, name and description agree, and the stock is not back after a few days away.'),
    unverifiable: leavesOpen('Type or name is null.'),
    gap: leavesOpen('Trading days before this one have no list.'),
    suspect: leavesOpen(
      'The name bears no mark, the description is an unusual one, or the stock was away for a few days.',
    ),
    twice: fails('The stock has two rows of the day.'),
    mismatch: fails('Type and name contradict each other, or the day, the type or the code is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  runs: eachTable('st', checkStList),
}
