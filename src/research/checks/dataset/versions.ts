import type { Words } from '../../../contract/sentence.js'
import { finding, type RowFinding } from '../findings.js'

/** Rows of one record by their numbers; those without one first. */
export function sortVersions<R extends { readonly row: number }>(
  rows: readonly R[],
  numberOf: (one: R) => number,
): R[] {
  return rows.toSorted((a, b) => (numberOf(a) || 0) - (numberOf(b) || 0) || a.row - b.row)
}

export const isVersion = (number: number): boolean => Number.isInteger(number) && number >= 1

/** What is said of numbers that do not run from 1. */
interface VersionWords {
  readonly twice: (number: number) => Words
  /** @param from the first number that is missing @param to the last */
  readonly missing: (from: number, to: number) => Words
  /** Of a row before which some are missing. */
  readonly verdict: 'mismatch' | 'unverifiable'
}

/** Numbers of one record that stand twice, or lack those before them. @param sorted by their numbers */
export function* missingVersions<R extends { readonly row: number }>(
  sorted: readonly R[],
  numberOf: (one: R) => number,
  rule: string,
  { twice, missing, verdict }: VersionWords,
): Iterable<RowFinding> {
  let last = 0
  for (const one of sorted) {
    const number = numberOf(one)
    if (!isVersion(number)) continue
    if (number === last) yield finding('duplicate', one.row, rule, twice(number))
    else if (number > last + 1) yield finding(verdict, one.row, rule, missing(last + 1, number - 1))
    last = number
  }
}
