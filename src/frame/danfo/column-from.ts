import type { Kind } from '../../contract/column.js'
import { QuotebookError } from '../../contract/error.js'
import { formOf } from '../arrow.js'
import { type Form, nulls, type Values } from '../values.js'
import type { Wanted } from './kind-of-name.js'

/** One column of a DataFrame: its rows, its place in them, the label that danfo gave it. */
export interface FrameColumn {
  readonly name: string
  readonly rows: readonly (readonly unknown[])[]
  readonly at: number
  readonly dtype: string
}

type Type = 'number' | 'string' | 'boolean'

function isMissing(cell: unknown): boolean {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

function refuse({ name }: FrameColumn, row: number, wrong: string): never {
  throw new QuotebookError('INVALID_VALUE', `column '${name}', row ${row + 1}: ${wrong}`)
}

/** The one type of the cells that are there; by the label when every cell is missing. */
function typeOf(column: FrameColumn): Type {
  let type: Type | undefined
  column.rows.forEach((cells, row) => {
    const cell = cells[column.at]
    if (isMissing(cell)) return
    const own = typeof cell
    if (own !== 'number' && own !== 'string' && own !== 'boolean') {
      refuse(column, row, `a table holds numbers, text and booleans, not ${Object.prototype.toString.call(cell)}`)
    }
    type ??= own
    if (own !== type) refuse(column, row, `${JSON.stringify(cell)} stands in a column of ${type}s`)
  })
  if (type) return type
  return column.dtype === 'string' ? 'string' : column.dtype === 'boolean' ? 'boolean' : 'number'
}

function numbers({ rows, at }: FrameColumn): Values {
  const data = new Float64Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    data[row] = isMissing(cell) ? Number.NaN : (cell as number)
    if (!Number.isNaN(data[row])) continue
    valid ??= new Uint8Array(data.length).fill(1)
    valid[row] = 0
  }
  return { form: 'float', data, valid }
}

/** Whole numbers of 32 bits, or undefined when there are others. */
function ints({ rows, at }: FrameColumn): Values | undefined {
  const data = new Int32Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (isMissing(cell)) {
      valid ??= new Uint8Array(data.length).fill(1)
      valid[row] = 0
    } else if (((cell as number) | 0) === cell) data[row] = cell as number
    else return undefined
  }
  return { form: 'int', data, valid }
}

function flags({ rows, at }: FrameColumn): Values {
  const data = Uint8Array.from(rows, (cells) => (cells[at] === true ? 1 : 0))
  const valid = Uint8Array.from(rows, (cells) => (isMissing(cells[at]) ? 0 : 1))
  return { form: 'flag', data, valid: valid.includes(0) ? valid : null }
}

function strings({ rows, at }: FrameColumn): (string | null)[] {
  return rows.map((cells) => (isMissing(cells[at]) ? null : (cells[at] as string)))
}

function codes(column: FrameColumn): Values {
  const words: string[] = []
  const codeOf = new Map<string, number>()
  const data = Int32Array.from(strings(column), (text) => {
    if (text === null) return -1
    let code = codeOf.get(text)
    if (code === undefined) {
      code = words.push(text) - 1
      codeOf.set(text, code)
    }
    return code
  })
  return { form: 'codes', data, words }
}

/** The inverse of the text with commas that toDataFrame makes of a list; no text is an empty list. */
function lists(column: FrameColumn): Values {
  const data = strings(column).map((text) => (text === null ? null : text === '' ? [] : text.split(',')))
  return { form: 'lists', data }
}

function read(column: FrameColumn, type: Type, form: Form): Values | undefined {
  switch (form) {
    case 'float':
      return type === 'number' ? numbers(column) : undefined
    case 'int':
      return type === 'number' ? ints(column) : undefined
    case 'flag':
      return type === 'boolean' ? flags(column) : undefined
    case 'codes':
      return type === 'string' ? codes(column) : undefined
    case 'strings':
      return type === 'string' ? { form, data: strings(column) } : undefined
    case 'lists':
      return type === 'string' ? lists(column) : undefined
  }
}

/** Names the first cell that is not of a kind. */
function refuseKind(column: FrameColumn, kind: Kind): never {
  const row = column.rows.findIndex((cells) => {
    const cell = cells[column.at]
    return !isMissing(cell) && !(kind === 'integer' && ((cell as number) | 0) === cell)
  })
  const cell = column.rows[row]?.[column.at]
  const hint = typeof cell === 'number' && formOf(kind) === 'codes' ? '; text read as numbers loses its zeros' : ''
  return refuse(column, row, `must be ${kind}, not ${JSON.stringify(cell)}${hint}`)
}

const plain = { number: 'float', string: 'codes', boolean: 'flag' } as const

/**
 * A column of a DataFrame in memory form: by the kind wanted where its cells fit, otherwise by the cells.
 * @throws QuotebookError INVALID_VALUE for mixed types, and for cells that do not fit a kind that is wanted strictly
 */
export function columnFrom(column: FrameColumn, wanted: Wanted | undefined): Values {
  if (column.rows.every((cells) => isMissing(cells[column.at]))) {
    return nulls(wanted ? formOf(wanted.kind) : plain[typeOf(column)], column.rows.length)
  }
  const type = typeOf(column)
  const values = wanted && read(column, type, formOf(wanted.kind))
  if (values) return values
  if (!wanted?.strict) return read(column, type, plain[type]) as Values
  return refuseKind(column, wanted.kind)
}
