import { has, numbers, texts } from '../../frame/column.js'
import type { Check, CheckResult, VerdictMeaning } from '../check.js'

export type Grade = VerdictMeaning['grade']

/** The grade of a verdict; one without a meaning counts as open. */
export function gradeOf({ verdicts }: Check, verdict: string): Grade {
  return (Object.hasOwn(verdicts, verdict) ? verdicts[verdict]?.grade : undefined) ?? 'open'
}

/** Rows called equal because neither side has a value. They confirm nothing. */
export function emptyRows({ table }: CheckResult<string>): number {
  if (!['given', 'recomputed', 'verdict'].every((name) => has(table, name))) return 0
  const [given, recomputed] = [numbers(table, 'given'), numbers(table, 'recomputed')]
  const isEmpty = (row: number): boolean => Number.isNaN(given[row]) && Number.isNaN(recomputed[row])
  return texts(table, 'verdict').filter((word, row) => word === 'equal' && isEmpty(row)).length
}

/** Rows of a check by grade; those without a value on either side are left open. */
export function gradesOf(check: Check, result: CheckResult<string>): Readonly<Record<Grade, number>> {
  const sums = { confirmed: 0, open: 0, contradicted: 0 }
  for (const [verdict, rows] of Object.entries(result.counts)) sums[gradeOf(check, verdict)] += rows
  const empty = emptyRows(result)
  return { ...sums, confirmed: sums.confirmed - empty, open: sums.open + empty }
}
