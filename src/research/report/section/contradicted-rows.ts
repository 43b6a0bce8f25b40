import type { Table } from 'apache-arrow'
import { strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { type Check, type CheckResult, titleIn } from '../../checks/check.js'
import { gradeOf } from '../../checks/check-summary.js'
import type { ReportDay } from '../report-day.js'

/** Rows that a check contradicts, by day; the day is '' where the rows have none. */
export interface ContradictedRows {
  readonly title: string
  readonly days: readonly { readonly day: string; readonly codes: readonly string[] }[]
}

const columnOfKind = ({ schema }: Table, kind: string): string | undefined =>
  schema.fields.find(({ metadata }) => metadata.get('kind') === kind)?.name

function rowsOf(check: Check, { worst }: CheckResult<string>): ContradictedRows['days'] {
  const cells = (kind: string): readonly (string | null)[] => {
    const name = columnOfKind(worst, kind)
    return name === undefined ? [] : strings(worst, name)
  }
  const [days, codes] = [cells('date'), cells('code')]
  const verdicts = strings(worst, 'verdict')
  const wrong = [...verdicts.keys()].filter((row) => gradeOf(check, verdicts[row] ?? '') === 'contradicted')
  const byDay = groupItems(wrong, (row) => days[row] ?? '')
  return [...byDay]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, rows]) => ({ day, codes: [...new Set(rows.flatMap((row) => codes[row] ?? []))].sort() }))
}

/** Which rows the checks contradict, the worst of each check. */
export function contradictedRows({ checks, say }: ReportDay): readonly ContradictedRows[] {
  return checks.flatMap(({ check, runs }) =>
    runs.flatMap(({ label, result }) =>
      result.ok ? [] : { title: titleIn(check, label, say.language), days: rowsOf(check, result) },
    ),
  )
}
