import type { Kind } from '../contract/column.js'
import { beijingMoment, isDate } from '../contract/date.js'
import { QuotebookError } from '../contract/error.js'
import { columnTypeOf } from './arrow.js'
import { isJson } from './cells-to-column.js'
import { DictionaryBuilder, NumberBuilder } from './column-builder.js'
import { isGuarded, unguarded } from './csv-read.js'
import { wrongWord } from './decode.js'
import { kindOfName } from './kind-of-name.js'
import { numberIn } from './numeral.js'
import { type ColumnOrRow, isTextList } from './read-cells.js'
import type { ReadColumn } from './reading.js'
import type { ColumnData } from './values.js'

/** A column of a CSV as it stands, guards of formulas and all. */
export interface TextColumn {
  readonly name: string
  readonly cells: readonly (string | null)[]
  /** Line of each row. */
  readonly lines: readonly number[]
}

type Cells = TextColumn['cells']
type Read = ColumnOrRow

function numbers(cells: Cells, type: 'float' | 'int', isWhole: boolean): Read {
  const column = new NumberBuilder(type, cells.length)
  const { data } = column
  for (let row = 0; row < data.length; row++) {
    const text = cells[row] as string | null
    if (text === null) {
      column.setMissing(row)
      continue
    }
    const value = numberIn(text, true)
    if (value === undefined || (isWhole && !Number.isSafeInteger(value))) return row
    data[row] = value
    if (data[row] !== value) return row
  }
  return column.build()
}

function booleans(cells: Cells): Read {
  const column = new NumberBuilder('boolean', cells.length)
  for (let row = 0; row < cells.length; row++) {
    const text = cells[row]
    if (text === null) column.setMissing(row)
    else if (text === 'true') column.data[row] = 1
    else if (text !== 'false') return row
  }
  return column.build()
}

function words(cells: Cells, kind: Kind): Read {
  const column = new DictionaryBuilder(cells.length)
  const codeOf = new Map<string, number>()
  for (let row = 0; row < cells.length; row++) {
    const text = cells[row] as string | null
    if (text === null) continue
    let code = codeOf.get(text)
    if (code === undefined) {
      const word = unguarded(text)
      if (wrongWord({ kind }, word) !== undefined) return row
      code = column.codeOf(word)
      codeOf.set(text, code)
    }
    column.data[row] = code
  }
  return column.build()
}

function strings(cells: Cells, kind: Kind): Read {
  const fits =
    kind === 'moment' ? (text: string) => beijingMoment(text) !== undefined : kind === 'json' ? isJson : undefined
  const data = cells.map((text) => (text === null ? null : unguarded(text)))
  const wrong = fits ? data.findIndex((text) => text !== null && !fits(text)) : -1
  return wrong < 0 ? { type: 'string', data } : wrong
}

function listIn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isTextList(value) ? value : undefined
  } catch {
    return undefined
  }
}

function lists(cells: Cells): Read {
  const data = cells.map((text) => (text === null ? null : listIn(unguarded(text))))
  const wrong = data.indexOf(undefined)
  return wrong < 0 ? { type: 'list', data: data as (readonly string[] | null)[] } : wrong
}

function read(cells: Cells, kind: Kind): Read {
  switch (columnTypeOf(kind)) {
    case 'float':
      return numbers(cells, 'float', kind === 'long')
    case 'int':
      return numbers(cells, 'int', true)
    case 'boolean':
      return booleans(cells)
    case 'dictionary':
      return words(cells, kind)
    case 'string':
      return strings(cells, kind)
    case 'list':
      return lists(cells)
  }
}

/** The kind that cells show by themselves. */
function kindOf(cells: Cells): Kind {
  const first = cells.find((text) => text !== null)
  if (first === undefined || first === null) return 'label'
  if (first === 'true' || first === 'false') {
    return cells.every((text) => text === null || text === 'true' || text === 'false') ? 'boolean' : 'label'
  }
  if (isGuarded(first)) return 'label'
  if (isDate(first) && cells.every((text) => text === null || isDate(text))) return 'date'
  return cells.every((text) => text === null || numberIn(text) !== undefined) ? 'number' : 'label'
}

/**
 * Cells of text as a column: of the kind wanted, else of the kind of its name as far as they fit, else as they look.
 * @throws QuotebookError INVALID_VALUE naming line and column of a cell that is not of the kind wanted
 */
export function readTexts({ name, cells, lines }: TextColumn, wanted: Kind | undefined): ReadColumn {
  const kind = wanted ?? kindOfName(name)?.kind
  if (kind) {
    const values = read(cells, kind)
    if (typeof values !== 'number') return { values, kind }
    if (wanted) {
      const wrong = `must be ${wanted}, not ${JSON.stringify(cells[values])}`
      throw new QuotebookError('INVALID_VALUE', `line ${lines[values]}, column '${name}': ${wrong}`)
    }
  }
  const own = kindOf(cells)
  return { values: read(cells, own) as ColumnData, ...(own === 'date' ? { kind: own } : {}) }
}

/** A cell of text in the wire form of its kind; one that does not fit is handed on, for the contract to refuse. */
export function wireCell(text: string, kind: Kind | undefined): unknown {
  switch (kind) {
    case 'number':
    case 'integer':
    case 'long':
      return numberIn(text, true) ?? text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'texts':
      return listIn(unguarded(text)) ?? text
    case 'json':
      return isJson(unguarded(text)) ? (JSON.parse(unguarded(text)) as unknown) : unguarded(text)
    default:
      return unguarded(text)
  }
}
