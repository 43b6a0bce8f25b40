import type { Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import { toTable } from '../../table/arrow.js'
import type { ColumnData } from '../../table/values.js'
import { type CheckMark, type TickCheckName, type TickFinding, tickChecks } from './finding.js'

export interface CheckSummary {
  readonly check: TickCheckName
  /** What it means that nothing was found. */
  readonly about: string
  /** How often it was made: once a file, or once for the folder. */
  readonly made: number
  /** How often it could not be made. */
  readonly notMade: number
  /** Why it was not made, the most frequent reason first. */
  readonly why: readonly string[]
}

/** What was checked and what was not, in the order of the checks. */
export function summarizeChecks(marks: readonly CheckMark[]): CheckSummary[] {
  return (Object.keys(tickChecks) as TickCheckName[]).flatMap((check) => {
    const own = marks.filter((mark) => mark.check === check)
    const reasons = new Map<string, number>()
    for (const { notMade } of own) if (notMade !== undefined) reasons.set(notMade, (reasons.get(notMade) ?? 0) + 1)
    const notMade = own.filter(({ notMade }) => notMade !== undefined).length
    const why = [...reasons].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([reason]) => reason)
    return [{ check, about: tickChecks[check], made: own.length - notMade, notMade, why }]
  })
}

const columns: Readonly<Record<keyof TickFinding, Column>> = {
  day: { kind: 'date', nullable: true, meaning: 'Day of the file, or that has none; null for what is of no one day.' },
  file: { kind: 'label', nullable: true, meaning: 'Path below the folder; null for what is of no one file.' },
  check: { kind: 'label', meaning: `One of: ${Object.keys(tickChecks).join(', ')}.` },
  severity: { kind: 'label', meaning: 'fault: something is wrong. note: worth knowing.' },
  what: { kind: 'text', meaning: 'What was found.' },
}

function coded(cells: readonly (string | null)[]): ColumnData {
  const words = [...new Set(cells)].filter((cell) => cell !== null)
  const codes = new Map(words.map((word, code) => [word, code]))
  return {
    type: 'dictionary',
    data: Int32Array.from(cells, (cell) => (cell === null ? -1 : (codes.get(cell) ?? -1))),
    dictionary: words,
  }
}

export function findingsTable(findings: readonly TickFinding[]): Table {
  const of = new Map<string, ColumnData>(
    (Object.keys(columns) as (keyof TickFinding)[]).map((name) => {
      const cells = findings.map((finding) => finding[name])
      return [name, name === 'what' ? { type: 'string', data: cells } : coded(cells)]
    }),
  )
  return toTable({ length: findings.length, columns: of }, columns)
}
