import { openFile } from '../../archive/open-file.js'
import { findRows } from '../../sql/find-rows.js'
import type { Footer } from '../../table/parquet-file/footer.js'
import type { ParquetLimits } from '../../table/parquet-file/limits.js'
import { checkedFooter } from '../../table/parquet-file/pages.js'
import { project } from '../../table/values.js'
import type { DaySelection } from './day.js'
import { type ColumnMetadata, type DecodedColumns, decodeColumns } from './decode.js'
import { fileRanges } from './ranges.js'
import { codeRange, rowsWithSymbols, symbolColumn } from './symbols.js'

/** Codes beyond which whole row groups are read as fast. */
const most = 50
/** Types that come out of DuckDB in the form that they have here. */
const alike = ['string', 'double', 'int32', 'boolean']

interface Known {
  readonly stamp: string
  readonly footer: Footer
  readonly metadata: ColumnMetadata
}

const files = new Map<string, Known>()
const mostFiles = 1000

async function knownOf(path: string, stamp: string, limits?: ParquetLimits): Promise<Known> {
  const seen = files.get(path)
  if (seen?.stamp === stamp) return seen
  const file = await openFile(path)
  try {
    const ranges = fileRanges(file, (await file.stat()).size)
    const footer = await checkedFooter(ranges, 'it', limits)
    const { metadata } = await decodeColumns(ranges, { rowGroups: () => [], limits })
    if (files.size >= mostFiles) files.clear()
    const known = { stamp, footer, metadata }
    files.set(path, known)
    return known
  } finally {
    await file.close()
  }
}

/** SQL does not tell `Price` and `price` apart. */
function isDistinct(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length
}

/**
 * The rows of a few codes, found by DuckDB: it skips pages and texts that the codec would read, and takes a twentieth of the
 * time. Undefined where that is not its work: many codes, types that it gives another form, names that it does not
 * tell apart, no DuckDB.
 */
export async function searchSymbols(
  { path, stamp }: { readonly path: string; readonly stamp: string },
  { columns, symbols = [], limits }: DaySelection,
): Promise<DecodedColumns | undefined> {
  if (symbols.length === 0 || symbols.length > most) return undefined
  const { footer, metadata } = await knownOf(path, stamp, limits)
  const types = new Map(footer.columns.map(({ name, type }) => [name, type]))
  const names = columns ?? [...metadata.keys()]
  const isPlain = types.get(symbolColumn) === 'string' && names.every((name) => alike.includes(types.get(name) ?? ''))
  if (!isPlain || !isDistinct([...metadata.keys()])) return undefined
  const read = names.includes(symbolColumn) ? names : [...names, symbolColumn]
  const found = await findRows({ path, columns: read, column: symbolColumn, ranges: symbols.map(codeRange) })
  if (!found) return undefined
  const rows = rowsWithSymbols(found, symbols)
  if (!names.every((name) => rows.columns.has(name))) return undefined
  return { columns: project(rows, names), metadata, total: footer.rows }
}
