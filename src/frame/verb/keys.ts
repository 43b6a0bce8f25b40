import { QuotebookError } from '../../contract/error.js'
import { type ColumnData, floatsIn, type Text, textIn } from '../../table/values.js'
import { isBlank } from './cells.js'
import { type Codes, numberCodes } from './number-codes.js'

function textCodes(sides: readonly Text[]): Codes {
  const [first, ...rest] = sides as [Text, ...Text[]]
  if (rest.length === 0) return { sides: [first.data], size: first.words.length }
  const codeOf = new Map(first.words.map((word, code) => [word, code]))
  const others = rest.map(({ data, words }) => {
    const map = Int32Array.from(words, (word) => {
      const code = codeOf.get(word) ?? codeOf.size
      codeOf.set(word, code)
      return code
    })
    return data.map((code) => (code < 0 ? -1 : (map[code] as number)))
  })
  return { sides: [first.data, ...others], size: codeOf.size }
}

function flagCodes({ data, valid }: Extract<ColumnData, { form: 'flag' }>): Int32Array {
  return Int32Array.from(data, (flag, row) => (valid?.[row] === 0 ? -1 : flag))
}

function typeOf({ form }: ColumnData): 'text' | 'numbers' | 'booleans' | 'lists' {
  if (form === 'codes' || form === 'strings') return 'text'
  if (form === 'float' || form === 'int') return 'numbers'
  return form === 'flag' ? 'booleans' : 'lists'
}

/** Codes of a key column, shared by all sides that it has; -1 where missing. A side without any cell may be of any type. */
function codesOf(sides: readonly ColumnData[], names: readonly string[]): Codes {
  const types = sides.map(typeOf)
  const [type] = types
  const other = types.findIndex((found) => found !== type)
  if (other > 0) {
    const filled = sides.filter((values) => !isBlank(values))
    if (filled.length < sides.length) {
      const known = filled.length > 0 ? codesOf(filled, names) : { sides: [], size: 0 }
      const missing = (values: ColumnData): Int32Array => new Int32Array(values.data.length).fill(-1)
      return { size: known.size, sides: sides.map((values) => known.sides[filled.indexOf(values)] ?? missing(values)) }
    }
    const wrong = `key '${names[0]}' holds ${type} and key '${names[other]}' of the right ${types[other]}, which are never equal`
    const hint = types.includes('text') ? '; text read as numbers loses its zeros: read codes and dates as text' : ''
    throw new QuotebookError('INVALID_VALUE', wrong + hint)
  }
  switch (type) {
    case 'text':
      return textCodes(sides.map((values) => textIn(values) as Text))
    case 'numbers':
      return numberCodes(sides.map((values) => floatsIn(values) as Float64Array))
    case 'booleans':
      return { sides: sides.map((values) => flagCodes(values as Extract<ColumnData, { form: 'flag' }>)), size: 2 }
    default:
      throw new QuotebookError('INVALID_VALUE', `column '${names[0]}' holds lists, which are no key`)
  }
}

/** Missing as a code of its own, the last one. */
function withMissing({ sides, size }: Codes): Codes {
  if (!sides.some((codes) => codes.includes(-1))) return { sides, size }
  return { sides: sides.map((codes) => codes.map((code) => (code < 0 ? size : code))), size: size + 1 }
}

/** One code for each pair of codes; -1 where either is. */
function paired(left: Codes, right: Codes): Codes {
  const { size } = right
  const product = left.size * size
  const rows = left.sides.reduce((sum, codes) => sum + codes.length, 0)
  const both = (codes: Int32Array, at: number): [Int32Array, Int32Array] => [codes, right.sides[at] as Int32Array]
  if (product <= 4 * rows + 65_536) {
    const sides = left.sides.map((codes, at) => {
      const [a, b] = both(codes, at)
      const out = new Int32Array(a.length)
      for (let row = 0; row < out.length; row++) {
        const [one, two] = [a[row] as number, b[row] as number]
        out[row] = one < 0 || two < 0 ? -1 : one * size + two
      }
      return out
    })
    return { sides, size: product }
  }
  return numberCodes(
    left.sides.map((codes, at) => {
      const [a, b] = both(codes, at)
      const out = new Float64Array(a.length)
      for (let row = 0; row < out.length; row++) {
        const [one, two] = [a[row] as number, b[row] as number]
        out[row] = one < 0 || two < 0 ? Number.NaN : one * size + two
      }
      return out
    }),
  )
}

/** Key columns of one side or more, as cells and names for messages: one entry per key, one place in it per side. */
export type Keys = readonly { readonly sides: readonly ColumnData[]; readonly names: readonly string[] }[]

/**
 * One code per row for all key columns together, the same on every side.
 * @param missing `alike`: missing cells are one value; `never`: a row with a missing cell has code -1
 */
export function keyCodes(keys: Keys, missing: 'alike' | 'never'): Codes {
  let all: Codes | undefined
  for (const { sides, names } of keys) {
    const own = codesOf(sides, names)
    const codes = missing === 'alike' ? withMissing(own) : own
    all = all ? paired(all, codes) : codes
  }
  if (!all) throw new QuotebookError('INVALID_VALUE', 'at least one key column must be named')
  return all
}
