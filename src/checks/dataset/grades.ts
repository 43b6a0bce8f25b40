import { has, numbers, texts } from '../../frame/column.js'
import type { Check } from '../check.js'
import type { Law, Meaning } from '../law.js'

export type Grade = Meaning['grade']

/** The grade of a verdict; one without a meaning counts as open. */
export function gradeOf({ meanings }: Law, verdict: string): Grade {
  return (Object.hasOwn(meanings, verdict) ? meanings[verdict]?.grade : undefined) ?? 'open'
}

/** Rows called equal because neither side has a value. They confirm nothing. */
export function emptyRows({ table }: Check<string>): number {
  if (!['given', 'recomputed', 'verdict'].every((name) => has(table, name))) return 0
  const [given, recomputed] = [numbers(table, 'given'), numbers(table, 'recomputed')]
  const isEmpty = (row: number): boolean => Number.isNaN(given[row]) && Number.isNaN(recomputed[row])
  return texts(table, 'verdict').filter((word, row) => word === 'equal' && isEmpty(row)).length
}

/** Rows of a check by grade; those without a value on either side are left open. */
export function gradesOf(law: Law, check: Check<string>): Readonly<Record<Grade, number>> {
  const sums = { sound: 0, open: 0, wrong: 0 }
  for (const [verdict, rows] of Object.entries(check.counts)) sums[gradeOf(law, verdict)] += rows
  const empty = emptyRows(check)
  return { ...sums, sound: sums.sound - empty, open: sums.open + empty }
}
