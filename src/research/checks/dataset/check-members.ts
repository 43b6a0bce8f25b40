import type { Table } from 'apache-arrow'
import { ownExchange, parseCode } from '../../../contract/symbol.js'
import { columnsOf, dictionary, has, lists, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { integerColumn, labelColumn } from '../check-columns.js'
import { duplicate, mismatch, type RowFinding, rowCheck, unverifiable, warn } from '../row-findings.js'

type Verdict = 'pass' | 'unverifiable' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

/** First digits of A shares. Source: numbering of the exchanges; Beijing moved from 43, 83, 87, 88 to 920. */
const shares = /^(60[0135]|68[89]|00[0-3]|30[0-2]|43|83|87|88|92)/

function numberingFault(code: string): string | undefined {
  const { bare, exchange } = parseCode(code)
  if (!shares.test(bare)) return `${code} is no number of an A share`
  const due = ownExchange({ bare, exchange: undefined })
  return exchange !== undefined && exchange !== due ? `${code} is a number of ${due}` : undefined
}

function* ofList(row: number, codes: readonly string[]): Iterable<Found> {
  if (codes.length === 0) yield warn(row, 'members', 'the sector has no member')
  const malformed = codes.find((code) => !/^\d{6}(\.(SH|SZ|BJ))?$/.test(code))
  if (malformed !== undefined) {
    yield mismatch(row, 'code', `${malformed} is no stock code`)
  } else {
    const faults = codes.flatMap((code) => numberingFault(code) ?? [])
    if (faults.length > 0) {
      const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`
      yield warn(row, 'code', `${faults[0]}${more}`)
    }
  }
  const seen = new Set<string>()
  const twice = codes.filter((code) => seen.has(code) || !seen.add(code))
  if (twice.length > 0) yield mismatch(row, 'double', `${[...new Set(twice)].join(', ')} is there twice`)
  const at = codes.findIndex((code, i) => i > 0 && code < (codes[i - 1] as string))
  if (at >= 0) yield mismatch(row, 'order', `${codes[at]} comes after ${codes[at - 1]}`)
}

/** The list of each sector; in a DataFrame it is one text, its codes separated by commas. */
function membersOf(table: Table): (readonly string[] | null)[] {
  if (columnsOf(table).columns.get('symbols')?.type === 'list' || !has(table, 'symbols')) return lists(table, 'symbols')
  return strings(table, 'symbols').map((text) => (text === null ? null : text === '' ? [] : text.split(',')))
}

function* findings(table: Table): Iterable<Found> {
  const sector = strings(table, 'theme_symbol')
  const day = has(table, 'snapshot_date') ? strings(table, 'snapshot_date') : []
  const seen = new Set<string>()
  for (const [row, codes] of membersOf(table).entries()) {
    const key = `${sector[row]} ${day[row] ?? ''}`
    if (seen.has(key)) yield duplicate(row, 'key', `sector ${sector[row]} has two rows`)
    seen.add(key)
    if (codes === null) yield unverifiable(row, 'members', 'symbols is null')
    else yield* ofList(row, codes)
  }
}

/**
 * Sector lists: one row a sector (a snapshot, where an archive tells it), symbols ascending by code, none twice, codes of six
 * digits with or without suffix. Which second-level sector belongs to which first-level one is nowhere in the data.
 */
export const membersCheck = rowCheck<Verdict>({
  name: 'members',
  summary: 'stocks of sectors, ascending, each once',
  chinese: '板块成分股：升序且不重复',
  dataset: 'thememembers_jx',
  rule: 'One row a sector, its stocks ascending by code, each once, under numbers of A shares.',
  verdicts: {
    pass: passes('The list ascends and holds each stock once.'),
    unverifiable: leavesOpen('The list is null.'),
    warn: leavesOpen('The sector has no member, or one whose code is no number of an A share.'),
    duplicate: fails('The sector has two rows.'),
    mismatch: fails('The list does not ascend, holds a stock twice, or holds what is no code.'),
  },
  confirmedAs: 'ascending without a double',
  read: (table) => {
    const members = Int32Array.from(membersOf(table), (codes) => codes?.length ?? 0)
    return {
      findings: findings(table),
      columns: {
        theme_symbol: labelColumn('code', 'Code of the sector.', dictionary(table, 'theme_symbol')),
        members: integerColumn('stock', 'Stocks in its list; 0 where there is none.', members),
      },
    }
  },
})
