import { QuotebookError } from '../../contract/error.js'
import type { Values } from '../values.js'
import { textIn } from './cells.js'
import type { Keys } from './keys.js'

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

function spellings(values: Values): readonly (string | undefined)[] {
  const text = textIn(values)
  const words = text ? [...new Set(text.data)].flatMap((code) => text.words[code] ?? []) : []
  return families.map((family) => {
    const found = Object.entries(family).find(([, form]) => words.length > 0 && words.every((word) => form.test(word)))
    return found?.[0]
  })
}

/**
 * Refuses keys that are one thing in two spellings, which would match nowhere and say nothing.
 * @throws QuotebookError INVALID_VALUE
 */
export function checkSpelling(keys: Keys): void {
  for (const { sides, names } of keys) {
    const [left, right] = sides.map(spellings) as [readonly (string | undefined)[], readonly (string | undefined)[]]
    const at = left.findIndex((form, i) => form !== undefined && right[i] !== undefined && form !== right[i])
    if (at < 0) continue
    const wrong = `the keys are spelled differently: '${names[0]}' holds ${left[at]}, '${names[1]}' ${right[at]}`
    throw new QuotebookError('INVALID_VALUE', `${wrong}; they would match nowhere`)
  }
}
