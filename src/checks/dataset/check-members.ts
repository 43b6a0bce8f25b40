import type { Table } from 'apache-arrow'
import { ownExchange, parseCode } from '../../contract/symbol.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { columnsOf, has, lists, texts, words } from '../../frame/read-columns.js'
import { type Check, type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { integerColumn, labelColumn } from '../result-columns.js'
import { allowedCells, concludeRows, eachTable, type RowFinding } from '../row-findings.js'

const verdicts = ['holds', 'unverifiable', 'suspect', 'twice', 'mismatch'] as const
export type MembersVerdict = (typeof verdicts)[number]
type Found = RowFinding<MembersVerdict>

/** First digits of A shares. Source: numbering of the exchanges; Beijing moved from 43, 83, 87, 88 to 920. */
const shares = /^(60[0135]|68[89]|00[0-3]|30[0-2]|43|83|87|88|92)/

function numberingFault(code: string): string | undefined {
  const { bare, exchange } = parseCode(code)
  if (!shares.test(bare)) return `${code} is no number of an A share`
  const due = ownExchange({ bare, exchange: undefined })
  return exchange !== undefined && exchange !== due ? `${code} is a number of ${due}` : undefined
}

function* ofList(row: number, codes: readonly string[]): Iterable<Found> {
  if (codes.length === 0) yield { row, verdict: 'suspect', rule: 'members', why: 'the sector has no member' }
  const malformed = codes.find((code) => !/^\d{6}(\.(SH|SZ|BJ))?$/.test(code))
  if (malformed !== undefined) {
    yield { row, verdict: 'mismatch', rule: 'code', why: `${malformed} is no stock code` }
  } else {
    const faults = codes.flatMap((code) => numberingFault(code) ?? [])
    if (faults.length > 0) {
      const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`
      yield { row, verdict: 'suspect', rule: 'code', why: `${faults[0]}${more}` }
    }
  }
  const seen = new Set<string>()
  const twice = codes.filter((code) => seen.has(code) || !seen.add(code))
  if (twice.length > 0) {
    yield { row, verdict: 'mismatch', rule: 'double', why: `${[...new Set(twice)].join(', ')} is there twice` }
  }
  const at = codes.findIndex((code, i) => i > 0 && code < (codes[i - 1] as string))
  if (at >= 0) yield { row, verdict: 'mismatch', rule: 'order', why: `${codes[at]} comes after ${codes[at - 1]}` }
}

/** The list of each sector; in a DataFrame it is one text, its codes separated by commas. */
function membersOf(table: Table): (readonly string[] | null)[] {
  if (columnsOf(table).columns.get('symbols')?.type === 'list' || !has(table, 'symbols')) return lists(table, 'symbols')
  return texts(table, 'symbols').map((text) => (text === null ? null : text === '' ? [] : text.split(',')))
}

function* findings(table: Table): Iterable<Found> {
  const sector = texts(table, 'theme_symbol')
  const day = has(table, 'snapshot_date') ? texts(table, 'snapshot_date') : []
  const seen = new Set<string>()
  for (const [row, codes] of membersOf(table).entries()) {
    const key = `${sector[row]} ${day[row] ?? ''}`
    if (seen.has(key)) yield { row, verdict: 'twice', rule: 'key', why: `sector ${sector[row]} has two rows` }
    seen.add(key)
    if (codes === null) yield { row, verdict: 'unverifiable', rule: 'members', why: 'symbols is null' }
    else yield* ofList(row, codes)
  }
}

/**
 * Holds sector lists against what is said of them: one row a sector (a snapshot, where an archive tells it), symbols
 * ascending by code, none twice, codes of six digits with or without suffix. Which second-level sector belongs to which
 * first-level one is nowhere in the data, so that is not looked at.
 *
 * - `holds`. `unverifiable`: symbols is null. `suspect`: no member, or a code outside the numbers of A shares.
 * - `twice`: a second row of a sector. `mismatch`: not ascending, a stock twice, or a code that is none.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE when `symbols` holds neither lists nor text
 */
export function checkMembers(input: Table | DataFrame): CheckResult<MembersVerdict> {
  const { table, forbidden } = allowedCells(asTable(input), 'thememembers_jx')
  const members = Int32Array.from(membersOf(table), (codes) => codes?.length ?? 0)
  return concludeRows({
    name: 'members',
    verdicts,
    forbidden,
    rows: table.numRows,
    findings: findings(table),
    columns: {
      theme_symbol: labelColumn('code', 'Code of the sector.', words(table, 'theme_symbol')),
      members: integerColumn('stock', 'Stocks in its list; 0 where there is none.', members),
    },
  })
}

export const membersCheck: Check = {
  name: 'members',
  summary: 'stocks of sectors, ascending, each once',
  dataset: 'thememembers_jx',
  rule: 'One row a sector, its stocks ascending by code, each once, under numbers of A shares.',
  verdicts: {
    holds: passes('The list ascends and holds each stock once.'),
    unverifiable: leavesOpen('The list is null.'),
    suspect: leavesOpen('The sector has no member, or one whose code is no number of an A share.'),
    twice: fails('The sector has two rows.'),
    mismatch: fails('The list does not ascend, holds a stock twice, or holds what is no code.'),
  },
  confirmedAs: 'ascending without a double',
  runs: eachTable('thememembers_jx', checkMembers),
}
