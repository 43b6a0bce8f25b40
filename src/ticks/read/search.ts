import { open } from 'node:fs/promises'
import { findRows } from '../../sql/find-rows.js'
import { type Footer, footerOf } from '../footer.js'
import type { Wanted } from './day.js'
import { type About, type Decoded, decode } from './decode.js'
import { ofFile } from './ranges.js'
import { reach, rowsWith, symbolColumn } from './symbols.js'

/** Codes beyond which whole row groups are read as fast. */
const most = 50
/** Types that come out of DuckDB in the form that they have here. */
const alike = ['string', 'double', 'int32', 'boolean']

interface Known {
  readonly stamp: string
  readonly footer: Footer
  readonly about: About
}

const files = new Map<string, Known>()
const mostFiles = 1000

async function knownOf(path: string, stamp: string): Promise<Known> {
  const seen = files.get(path)
  if (seen?.stamp === stamp) return seen
  const file = await open(path)
  try {
    const footer = await footerOf(file)
    const { about } = await decode(ofFile(file, footer.bytes), { rowGroups: [] })
    if (files.size >= mostFiles) files.clear()
    const known = { stamp, footer, about }
    files.set(path, known)
    return known
  } finally {
    await file.close()
  }
}

/**
 * The rows of a few codes, found by DuckDB: it skips pages and texts that the codec would read, and takes a twentieth of the
 * time. Undefined where that is not its work: many codes, types that it gives another form, no DuckDB.
 */
export async function search(
  { path, stamp }: { readonly path: string; readonly stamp: string },
  { columns, symbols = [] }: Wanted,
): Promise<Decoded | undefined> {
  if (symbols.length === 0 || symbols.length > most) return undefined
  const { footer, about } = await knownOf(path, stamp)
  const types = new Map(footer.columns.map(({ name, type }) => [name, type]))
  const names = columns ?? [...types.keys()]
  if (types.get(symbolColumn) !== 'string' || !names.every((name) => alike.includes(types.get(name) ?? '')))
    return undefined
  const read = names.includes(symbolColumn) ? names : [...names, symbolColumn]
  const found = await findRows({ path, columns: read, column: symbolColumn, ranges: symbols.map(reach) })
  if (!found) return undefined
  const rows = rowsWith(found, symbols)
  const of = new Map(names.flatMap((name) => (rows.of.has(name) ? [[name, rows.of.get(name)] as const] : [])))
  return { columns: { length: rows.length, of } as Decoded['columns'], about, total: footer.rows }
}
