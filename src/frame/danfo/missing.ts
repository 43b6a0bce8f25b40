/*
 * The one rule for what is missing: null, undefined and NaN are, and all mean the same. A column of numbers has NaN for
 * it and any other column null.
 */

export type Cells = readonly unknown[]

export function isNa(cell: unknown): cell is null | undefined {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** Whether columns of a type hold numbers. danfo knows no 64-bit labels: the label is only a word, the numbers are doubles. */
export function isNumeric(dtype: string | undefined): boolean {
  return dtype === 'float32' || dtype === 'int32'
}

/** What stands for a missing value in a column of a type. */
export function naOf(dtype: string | undefined): number | null {
  return isNumeric(dtype) || dtype === 'undefined' ? Number.NaN : null
}

/** Cells with the sign of a type for what is missing. */
export function tidied(cells: Cells, dtype: string): Cells {
  const na = naOf(dtype)
  return cells.map((cell) => (isNa(cell) ? na : cell))
}

/** The type of whole numbers, and that of a column without rows (`undefined`), is `float32` as soon as one is missing. */
export function dtypeWith(dtype: string, cells: Cells): string {
  return (dtype === 'int32' || dtype === 'undefined') && cells.some(isNa) ? 'float32' : dtype
}
