import { QuotebookError } from '../../contract/error.js'
import type { KeyColumns } from '../../table/group-rows.js'
import { isBlank } from '../../table/present-cells.js'
import { type ColumnData, textIn } from '../../table/values.js'

/** Spellings of one thing that equal each other never. */
const families: readonly Readonly<Record<string, RegExp>>[] = [
  {
    'days as YYYYMMDD': /^(19|20)\d{6}$/,
    'days as YYYY-MM-DD': /^\d{4}-\d{2}-\d{2}$/,
    'days as YYYY/MM/DD': /^\d{4}\/\d{1,2}\/\d{1,2}$/,
  },
  {
    'codes without exchange': /^\d{5,6}$/,
    'codes with exchange behind': /^\d{5,6}\.[A-Z]{2}$/,
    'codes with exchange before': /^[A-Za-z]{2}\.?\d{5,6}$/,
  },
  { 'minutes as HHmm': /^\d{4}$/, 'minutes as HH:mm': /^\d{2}:\d{2}$/, 'times as HH:mm:ss': /^\d{2}:\d{2}:\d{2}/ },
]

/** Distinct texts of a column; of a shared dictionary also those that no row has. */
function wordsOf(values: ColumnData): readonly string[] {
  return textIn(values)?.dictionary ?? []
}

function spellingOf(word: string | undefined, family: Readonly<Record<string, RegExp>>): string | undefined {
  return word === undefined ? undefined : Object.keys(family).find((name) => family[name]?.test(word))
}

/**
 * Refuses keys that are one thing in two spellings, which would match nowhere and say nothing.
 * @throws QuotebookError INVALID_VALUE
 */
export function checkSpelling(keys: KeyColumns): void {
  for (const { sides, names } of keys) {
    const [own, others] = sides.map(wordsOf) as [readonly string[], readonly string[]]
    for (const family of families) {
      const [left, right] = [spellingOf(own[0], family), spellingOf(others[0], family)]
      if (left === undefined || right === undefined || left === right) continue
      const [one, two] = [family[left], family[right]]
      if (!own.every((word) => one?.test(word)) || !others.every((word) => two?.test(word))) continue
      if (sides.some(isBlank)) continue
      const wrong = `the keys are spelled differently: '${names[0]}' holds ${left}, '${names[1]}' ${right}`
      throw new QuotebookError('INVALID_VALUE', `${wrong}; they would match nowhere`)
    }
  }
}
