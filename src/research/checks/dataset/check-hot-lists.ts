import type { Table } from 'apache-arrow'
import { sentence } from '../../../contract/sentence.js'
import { has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { fails, passes } from '../check.js'
import { type CellsOf, cellsByRow, finding, type RowFinding } from '../findings.js'
import { lawForm } from '../law-forms.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { missingVersions, sortVersions } from './versions.js'

function* codes(rows: readonly CellsOf<never, 's'>[]): Iterable<RowFinding> {
  const seen = new Set<string>()
  const isCode = lawForm('a code of six digits').holds
  for (const { row, s: code } of rows) {
    if (code === null || !isCode(code)) continue
    if (seen.has(code)) yield finding('duplicate', row, 'code', sentence`${code} stands in the list twice`)
    seen.add(code)
  }
}

function* findings(table: Table): Iterable<RowFinding> {
  if (!isDated(table)) {
    yield* codes(cellsByRow(table, [], ['s']))
    return
  }
  const rows = cellsByRow(table, ['rank'], ['s', 'tradedate', 'type'])
  for (const list of groupItems(rows, ({ type, tradedate }) => `${type} ${tradedate}`).values()) {
    yield* codes(list)
    const sorted = sortVersions(list, ({ rank }) => rank)
    yield* missingVersions(sorted, ({ rank }) => rank, 'rank', {
      twice: (rank) => sentence`rank ${rank} stands in the list twice`,
      missing: (from, to) =>
        from === to
          ? sentence`rank ${from} is missing before rank ${to + 1}`
          : sentence`ranks ${from} to ${to} are missing before rank ${to + 1}`,
      verdict: 'mismatch',
    })
  }
}

const isDated = (table: Table): boolean => ['rank', 'tradedate', 'type'].some((name) => has(table, name))

/**
 * Hot lists: of each list and day, ranks 1 to n each once, no stock twice, codes of six digits. A latest list (s, n, pc) has no
 * rank and is one list: only its stocks are looked at.
 */
export const hotListsCheck = rowCheck({
  name: 'hot list',
  summary: 'ranks 1 to n, each stock once',
  dataset: 'hotstock',
  rule: 'Of each list and day, the ranks run from 1 without a gap, each once, and each stock stands there once under a code of six digits.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`The row has its own place and its own stock in its list.`),
    duplicate: fails(sentence`The rank or the stock stands in the list twice.`),
    mismatch: fails(sentence`A rank before it is missing, or the rank, code, day or list is not a valid one.`),
  },
  confirmedAs: 'in their own place',
  read: (table) => ({
    findings: findings(table),
    columns: givenColumns(table, 'hotstock', 'tradedate', 'type', 'rank', 's'),
  }),
})
