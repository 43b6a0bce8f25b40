import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { ownExchange, parseCode } from '../../../contract/symbol.js'
import { columnsOf, has, lists, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { integerColumn } from '../check-columns.js'
import { repeatedKeys } from '../declared-laws.js'
import { finding, mismatch, type RowFinding, unverifiable, warn } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'

/** First digits of A shares. Source: numbering of the exchanges; Beijing moved from 43, 83, 87, 88 to 920. */
const shares = /^(60[0135]|68[89]|00[0-3]|30[0-2]|43|83|87|88|92)/

function numberingFault(code: string): Words | undefined {
  const { bare, exchange } = parseCode(code)
  if (!shares.test(bare)) return sentence`${code} is no number of an A share`
  const due = ownExchange({ bare, exchange: undefined })
  return exchange !== undefined && exchange !== due ? sentence`${code} is a number of ${due}` : undefined
}

function* ofList(row: number, codes: readonly string[]): Iterable<RowFinding> {
  if (codes.length === 0) yield warn(row, 'members', sentence`the sector has no member`)
  const malformed = codes.find((code) => !/^\d{6}(\.(SH|SZ|BJ))?$/.test(code))
  if (malformed !== undefined) yield mismatch(row, 'code', sentence`${malformed} is no stock code`)
  else {
    const [first, ...more] = codes.flatMap((code) => numberingFault(code) ?? [])
    if (first !== undefined)
      yield warn(row, 'code', more.length === 0 ? first : sentence`${first}, and ${more.length} more`)
  }
  const twice = codes.filter((code, at) => codes.indexOf(code) < at)
  if (twice.length > 0) yield mismatch(row, 'double', sentence`${[...new Set(twice)].join(', ')} is there twice`)
  const at = codes.findIndex((code, i) => i > 0 && code < (codes[i - 1] as string))
  if (at >= 0) yield mismatch(row, 'order', sentence`${codes[at]} comes after ${codes[at - 1]}`)
}

/** The list of each sector; in a DataFrame it is one text, its codes separated by commas. */
function membersOf(table: Table): (readonly string[] | null)[] {
  if (columnsOf(table).columns.get('symbols')?.type === 'list' || !has(table, 'symbols')) return lists(table, 'symbols')
  return strings(table, 'symbols').map((text) => (text === null ? null : text === '' ? [] : text.split(',')))
}

function* findings(table: Table, members: ReturnType<typeof membersOf>): Iterable<RowFinding> {
  const sector = strings(table, 'theme_symbol')
  for (const row of repeatedKeys(table, ['theme_symbol', 'snapshot_date'], true))
    yield finding('duplicate', row, 'key', sentence`sector ${sector[row]} has two rows`)
  for (const [row, codes] of members.entries()) {
    if (codes === null) yield unverifiable(row, 'members', sentence`symbols is null`)
    else yield* ofList(row, codes)
  }
}

/**
 * Sector lists: one row a sector (a snapshot, where an archive tells it), symbols ascending by code, none twice, codes of six
 * digits with or without suffix. Which second-level sector belongs to which first-level one is nowhere in the data.
 */
export const membersCheck = rowCheck({
  name: 'members',
  summary: 'stocks of sectors, ascending, each once',
  dataset: 'thememembers_jx',
  rule: 'One row a sector, its stocks ascending by code, each once, under numbers of A shares.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`The list ascends and holds each stock once.`),
    unverifiable: leavesOpen(sentence`The list is null.`),
    warn: leavesOpen(sentence`The sector has no member, or one whose code is no number of an A share.`),
    duplicate: fails(sentence`The sector has two rows.`),
    mismatch: fails(sentence`The list does not ascend, holds a stock twice, or holds what is no code.`),
  },
  confirmedAs: 'ascending without a double',
  read: (table) => {
    const members = membersOf(table)
    const counts = Int32Array.from(members, (codes) => codes?.length ?? 0)
    return {
      findings: findings(table, members),
      columns: {
        ...givenColumns(table, 'thememembers_jx', 'theme_symbol'),
        members: integerColumn('stock', 'Stocks in its list; 0 where there is none.', counts),
      },
    }
  },
})
