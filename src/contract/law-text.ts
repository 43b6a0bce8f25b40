/** Signs of comparisons. */
const holds = {
  '<': (a: number, b: number): boolean => a < b,
  '<=': (a: number, b: number): boolean => a <= b,
  '>': (a: number, b: number): boolean => a > b,
  '>=': (a: number, b: number): boolean => a >= b,
  '=': (a: number, b: number): boolean => a === b,
  '!=': (a: number, b: number): boolean => a !== b,
} as const

/** Columns, each compared with a number or with a sum of columns. */
export interface LawComparison {
  readonly columns: readonly string[]
  readonly sign: keyof typeof holds
  readonly holds: (a: number, b: number) => boolean
  /** As it is written. */
  readonly right: string
  /** A number, or columns with what each is multiplied by, 1 or -1. */
  readonly due: number | readonly (readonly [column: string, by: 1 | -1])[]
}

/** A law that compares numbers, read from its text: `low <= high`, `vol, amount >= 0`, `net = buy - sell`; undefined for another. */
export function comparisonIn(text: string): LawComparison | undefined {
  const parts = /^\s*(\w+(?:, \w+)*)\s*(<=|>=|!=|<|>|=)\s*(-?\d+(?:\.\d+)?|\w+(?:\s*[+-]\s*\w+)*)\s*$/.exec(text)
  if (!parts) return undefined
  const [, left = '', sign, right = ''] = parts
  const terms = Array.from(right.matchAll(/([+-])?\s*(\w+)/g), ([, minus, column = '']): readonly [string, 1 | -1] => [
    column,
    minus === '-' ? -1 : 1,
  ])
  const due = /^-?\d/.test(right) ? Number(right) : terms
  return {
    columns: left.split(', '),
    sign: sign as LawComparison['sign'],
    holds: holds[sign as LawComparison['sign']],
    right,
    due,
  }
}

/** Columns that must hold something: `url, image is an address or null`. */
export interface FormLaw {
  readonly columns: readonly string[]
  readonly form: string
  readonly mayBeNull: boolean
}

/** A law of what columns hold, read from its text; undefined for another. */
export function formIn(text: string): FormLaw | undefined {
  const [, left, form, orNull] = /^(\w+(?:, \w+)*) is (.+?)( or null)?$/.exec(text) ?? []
  return left && form ? { columns: left.split(', '), form, mayBeNull: orNull !== undefined } : undefined
}
