import { QuotebookError } from '../../contract/error.js'
import { codeMatcher, parseCode } from '../../contract/symbol.js'
import type { Footer } from '../../table/parquet-file/footer.js'
import { type RecordColumns, takeRows, textIn } from '../../table/values.js'

/** The column of the codes, in the profile that is assumed. */
export const symbolColumn = 'symbol'

/** Where the spellings of a code lie among texts: from the bare code to below the sign after the dot. */
export function codeRange(symbol: string): readonly [from: string, below: string] {
  const { bare } = parseCode(symbol)
  return [bare, `${bare}/`]
}

/** A text that is all there: one that was cut within a sign has another in its place. */
function isBound(bound: unknown): bound is string {
  return typeof bound === 'string' && !bound.includes('\ufffd')
}

/** Row groups that may hold one of the codes, by the bounds that the footer tells; they are in the order of their bytes. */
export function groupsWithSymbols({ rowGroups }: Footer, symbols: readonly string[]): number[] {
  const reaches = symbols.map((symbol) => codeRange(symbol).map((text) => Buffer.from(text)) as [Buffer, Buffer])
  return rowGroups.flatMap(({ chunks }, at) => {
    const { min, max } = chunks.find(({ column }) => column === symbolColumn) ?? {}
    if (!isBound(min) || !isBound(max)) return [at]
    const [least, greatest] = [Buffer.from(min), Buffer.from(max)]
    const isIn = ([from, below]: readonly Buffer[]) =>
      least.compare(below as Buffer) < 0 && greatest.compare(from as Buffer) >= 0
    return reaches.some(isIn) ? [at] : []
  })
}

/**
 * The rows of the codes asked for, in either spelling.
 * @throws QuotebookError MISSING_COLUMN where there is no column of codes
 */
export function rowsWithSymbols(columns: RecordColumns, symbols: readonly string[]): RecordColumns {
  const values = columns.columns.get(symbolColumn)
  if (!values)
    throw new QuotebookError('MISSING_COLUMN', `it has no column '${symbolColumn}', by which codes are found`)
  const text = textIn(values)
  if (!text)
    throw new QuotebookError('INVALID_VALUE', `its column '${symbolColumn}' holds no text, by which codes are found`)
  const { data, dictionary: words } = text
  const isAsked = words.map(codeMatcher(symbols))
  const rows: number[] = []
  for (let row = 0; row < columns.length; row++) if (isAsked[data[row] as number]) rows.push(row)
  return rows.length === columns.length ? columns : takeRows(columns, rows)
}
