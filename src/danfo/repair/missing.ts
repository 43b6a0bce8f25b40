/*
 * The one rule for what is missing: null, undefined and NaN are, and all mean the same. A column of numbers has NaN for
 * it and any other column null.
 */

export function isMissing(cell: unknown): cell is null | undefined {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

export function isNumeric(dtype: string | undefined): boolean {
  return dtype === 'float32' || dtype === 'int32'
}

/** What stands for a missing value in a column of a type. */
export function missingOf(dtype: string | undefined): number | null {
  return isNumeric(dtype) || dtype === 'undefined' ? Number.NaN : null
}

/** The type of whole numbers, and that of a column without rows (`undefined`), is `float32` as soon as one is missing. */
export function dtypeWith(dtype: string, cells: readonly unknown[]): string {
  return (dtype === 'int32' || dtype === 'undefined') && cells.some(isMissing) ? 'float32' : dtype
}
