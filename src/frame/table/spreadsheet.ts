/*
 * What Quotebook needs of hucre, in its own words: declarations of ours can not name a type of it, since it comes as a part of
 * the build, loaded on first use.
 */

/** A cell that is written. A text is a text, whatever it begins with; a date is a day, at midnight UTC, for Excel knows no time zone. */
export type SheetCell = string | number | boolean | Date | null

export interface SheetColumn {
  readonly title: string
  /** In characters. */
  readonly width: number
  /** How Excel shows its cells: `@` as text, `0` as a whole number, `yyyy-mm-dd` as a day; absent, as it thinks best. */
  readonly format?: string | undefined
}

export interface SheetRows {
  readonly name: string
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly (readonly SheetCell[])[]
}

/** What a file says of its origin; the clock is not asked, so that equal data give equal bytes. */
const nobody = { creator: 'quotebook', created: new Date(0), modified: new Date(0) }

const headStyle = {
  font: { bold: true },
  alignment: { vertical: 'top', wrapText: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'F3F3EE' } },
} as const

/** What XML can not hold, and what a reader would take for an escape, as Excel escapes it. */
export function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase()}_`)
}

/** The name of a column by its number: 1 is A, 27 is AA. */
export function columnLetters(place: number): string {
  const [before, last] = [Math.floor((place - 1) / 26), (place - 1) % 26]
  return `${before > 0 ? columnLetters(before) : ''}${String.fromCharCode(65 + last)}`
}

function written({ name, columns, rows }: SheetRows) {
  const head = columns.map(({ title }) => escaped(title))
  const lines = Math.max(1, ...columns.map(({ title }) => title.split('\n').length))
  return {
    name,
    columns: columns.map(({ width, format }) => ({ width, ...(format === undefined ? {} : { numFmt: format }) })),
    rows: [head, ...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escaped(cell) : cell)))],
    cells: new Map(head.map((value, at) => [`0,${at}`, { value, style: headStyle }])),
    rowDefs: new Map([[0, { height: 16 * lines }]]),
    freezePane: { rows: 1 },
    autoFilter: { range: `A1:${columnLetters(columns.length)}${rows.length + 1}` },
  }
}

/** An Excel file of sheets, the header of each frozen, with a filter. Equal sheets give equal bytes. */
export async function writeWorkbook(sheets: readonly SheetRows[]): Promise<Uint8Array> {
  const { writeXlsx } = await import('#spreadsheet')
  return writeXlsx({ sheets: sheets.map(written), properties: nobody })
}

/** The rows of the first sheet, empty cells null. */
export interface SheetContent {
  readonly sheet: string
  /** The other sheets, which are not read. */
  readonly others: readonly string[]
  readonly rows: readonly (readonly SheetCell[])[]
  /** The first cell with a formula whose value is not stored, such as `C2`: its row shows null. */
  readonly uncomputed: string | undefined
}

/** The first sheet of an Excel file; undefined when it has none. @throws what the library says of a file that it can't read */
export async function readWorkbook(bytes: Uint8Array): Promise<SheetContent | undefined> {
  const { readXlsx } = await import('#spreadsheet')
  const names: string[] = []
  const { sheets } = await readXlsx(bytes, {
    sheets: ({ name, index }) => {
      names.push(name)
      return index === 0
    },
  })
  const [first] = sheets
  if (!first) return undefined
  const [place] =
    [...(first.cells ?? [])].find(([, { formula, value }]) => formula !== undefined && value === null) ?? []
  const [row, column] = place?.split(',').map(Number) ?? []
  const uncomputed = row === undefined || column === undefined ? undefined : `${columnLetters(column + 1)}${row + 1}`
  return { sheet: first.name, others: names.filter((name) => name !== first.name), rows: first.rows, uncomputed }
}
