import type { Table } from 'apache-arrow'
import { hotLists } from '../../../contract/catalogue/hotstock.js'
import { dictionary, has, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { fails, passes } from '../check.js'
import { type CheckColumns, labelColumn, nullableIntegerColumn } from '../check-columns.js'
import { duplicate, mismatch, type RowFinding, rowCheck } from '../row-findings.js'

type Verdict = 'pass' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

function* codes(code: readonly (string | null)[], rows: readonly number[]): Iterable<Found> {
  const seen = new Set<string | null>()
  for (const row of rows) {
    const one = code[row] ?? null
    if (!/^\d{6}$/.test(one ?? '')) {
      yield mismatch(row, 'code', `${one} is no code of six digits`)
    } else if (seen.has(one)) yield duplicate(row, 'code', `${one} stands in the list twice`)
    seen.add(one)
  }
}

function* ranks(rank: Float64Array, rows: readonly number[]): Iterable<Found> {
  const numbered: number[] = []
  for (const row of rows) {
    const place = rank[row] as number
    if (Number.isNaN(place)) continue
    if (!Number.isInteger(place) || place < 1) {
      yield mismatch(row, 'rank', `rank ${place} is no place in a list`)
    } else numbered.push(row)
  }
  numbered.sort((a, b) => (rank[a] as number) - (rank[b] as number) || a - b)
  let last = 0
  for (const row of numbered) {
    const place = rank[row] as number
    if (place === last) yield duplicate(row, 'rank', `rank ${place} stands in the list twice`)
    else if (place > last + 1) {
      const missing = place - last === 2 ? `rank ${last + 1} is` : `ranks ${last + 1} to ${place - 1} are`
      yield mismatch(row, 'rank', `${missing} missing before rank ${place}`)
    }
    last = place
  }
}

function* dated(table: Table): Iterable<Found> {
  const [date, type, code] = [strings(table, 'tradedate'), strings(table, 'type'), strings(table, 's')]
  const rank = numbers(table, 'rank')
  for (const rows of groupItems(date.keys(), (row) => `${type[row]} ${date[row]}`).values()) {
    yield* codes(code, rows)
    yield* ranks(rank, rows)
  }
  for (const [row, list] of type.entries()) {
    if ((hotLists as readonly (string | null)[]).includes(list)) continue
    yield mismatch(row, 'type', `${list} is none of the ${hotLists.length} lists`)
  }
}

function columnsOf(table: Table, isDated: boolean): CheckColumns {
  const s = labelColumn('code', 'Stock code.', dictionary(table, 's'))
  if (!isDated) return { s }
  return {
    tradedate: labelColumn('date', 'Day of the list.', dictionary(table, 'tradedate')),
    type: labelColumn('label', 'The list.', dictionary(table, 'type')),
    rank: nullableIntegerColumn('place', 'Place in the list, from 1.', numbers(table, 'rank')),
    s,
  }
}

/**
 * Hot lists: of each list and day, ranks 1 to n each once, no stock twice, codes of six digits. A latest list (s, n, pc) has no
 * rank and is one list: only its stocks are looked at.
 */
export const hotListsCheck = rowCheck<Verdict>({
  name: 'hot list',
  summary: 'ranks 1 to n, each stock once',
  chinese: '热榜：名次从 1 起连续，股票不重复',
  dataset: 'hotstock',
  rule: 'Of each list and day, the ranks run from 1 without a gap, each once, and each stock stands there once under a code of six digits.',
  verdicts: {
    pass: passes('The row has its own place and its own stock in its list.'),
    duplicate: fails('The rank or the stock stands in the list twice.'),
    mismatch: fails('A rank before it is missing, or the rank, code, day or list is not a valid one.'),
  },
  confirmedAs: 'in their own place',
  read: (table) => {
    const isDated = ['rank', 'tradedate', 'type'].some((name) => has(table, name))
    const all = Array.from({ length: table.numRows }, (_, row) => row)
    return {
      findings: isDated ? dated(table) : codes(strings(table, 's'), all),
      columns: columnsOf(table, isDated),
    }
  },
})
