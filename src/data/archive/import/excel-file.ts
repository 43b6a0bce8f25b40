import type { Column } from '../../../contract/column.js'
import { ImportError, messageOf } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { readWorkbook, type SheetContent } from '../../../frame/table/spreadsheet.js'
import { checkUnpacked } from '../../../frame/table/unpacked-size.js'
import { type ImportLimits, limitsOf } from './import-limits.js'
import { jsonCell } from './json-cell.js'
import type { Spelling } from './spelling.js'

type Cell = SheetContent['rows'][number][number]

const numeric = ['number', 'integer', 'long']

/** `2026-07-01T09:30:00`: what a cell of a date shows, for Excel knows no time zone. */
const shownTime = (date: Date): string => date.toISOString().slice(0, 19)

/** A cell in the wire form: what a sheet calls a date or a number as the column writes it. */
function wireCell(name: string, column: Column | undefined, cell: Cell | undefined, spelling: Spelling): unknown {
  if (cell === null || cell === undefined || (cell === '' && column?.kind !== 'text')) return null
  if (cell instanceof Date) {
    const time = shownTime(cell)
    if (column?.kind !== 'date') return time.replace(/T00:00:00$/, '')
    return spelling.day(name, time)
  }
  if (column?.kind === 'date') {
    const text = typeof cell === 'number' ? String(cell) : cell
    return typeof text === 'string' ? spelling.day(name, text) : text
  }
  return spelling.code(name, column, cell)
}

export interface ExcelRows {
  readonly names: readonly string[]
  readonly items: readonly (readonly unknown[])[]
  readonly sheet: string
  readonly others: readonly string[]
}

/**
 * The rows of the first sheet of an Excel file, its first row the names.
 * @param renamed heads of the file as the contract has them
 * @param columns what the contract says of its columns
 * @throws ImportError for a file that is none, is empty, or has a cell below no name
 */
export async function readExcel(
  file: string,
  bytes: Uint8Array,
  renamed: (names: readonly string[]) => readonly string[],
  columns: Readonly<Record<string, Column>>,
  spelling: Spelling,
  limits?: ImportLimits,
): Promise<ExcelRows> {
  let content: SheetContent | undefined
  try {
    await checkUnpacked(bytes, Math.floor(limitsOf(limits).bytes / 5))
    content = await readWorkbook(bytes)
  } catch (cause) {
    throw new ImportError(file, sentence`can not be read as an Excel file: ${messageOf(cause)}`, { cause })
  }
  const [head = [], ...rows] = content?.rows ?? []
  const given = head.map((cell) => (cell === null || cell === undefined ? '' : String(cell).trim()))
  while (given.at(-1) === '') given.pop()
  if (!content || given.length === 0) throw new ImportError(file, sentence`its first sheet has no row of names`)
  const unnamed = given.indexOf('')
  if (unnamed >= 0) throw new ImportError(file, sentence`column ${unnamed + 1} of its first row has no name`)
  const names = renamed(given)
  const kinds = names.map((name) => (Object.hasOwn(columns, name) ? columns[name] : undefined))
  const filled = rows.filter((row) => row.some((cell) => cell !== null && cell !== ''))
  const items = filled.map((row) =>
    names.map((name, at) => typed(kinds[at], wireCell(name, kinds[at], row[at], spelling))),
  )
  return { names, items, sheet: content.sheet, others: content.others }
}

/** Numbers and truths that a sheet holds as text. */
function typed(column: Column | undefined, cell: unknown): unknown {
  if (typeof cell !== 'string' || !column) return cell
  if (numeric.includes(column.kind) && /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(cell.trim()))
    return Number(cell)
  if (column.kind === 'texts' || column.kind === 'json') return jsonCell(cell)
  return cell
}
