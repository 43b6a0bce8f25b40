import type { Kind } from '../../contract/column.js'
import type { ColumnData } from '../../table/values.js'
import type { Sink } from './sink.js'

/** Writes the cell of a row as JSON. */
export type WriteCell = (sink: Sink, row: number) => void

const nothing = Buffer.from('null')
const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const encoded = new WeakMap<readonly string[], (Buffer | undefined)[]>()

/** The words of a dictionary as JSON, each made when it is first met. */
function wordsOf(words: readonly string[]): (Buffer | undefined)[] {
  let list = encoded.get(words)
  if (!list) {
    list = new Array<Buffer | undefined>(words.length)
    encoded.set(words, list)
  }
  return list
}

function numberText(value: number): string {
  // JSON has no negative zero, and no infinity.
  return value === 0 ? '0' : Number.isFinite(value) ? String(value) : 'null'
}

/** How the cells of a column are written: as JSON.stringify would, a JSON column as the value that it holds. */
export function cellWriter(values: ColumnData, kind: Kind | undefined): WriteCell {
  switch (values.form) {
    case 'codes': {
      const { data, words } = values
      const list = wordsOf(words)
      return (sink, row) => {
        const code = data[row] as number
        if (code < 0) return sink.bytes(nothing)
        let bytes = list[code]
        if (!bytes) {
          bytes = Buffer.from(JSON.stringify(words[code]))
          list[code] = bytes
        }
        sink.bytes(bytes)
      }
    }
    case 'float':
    case 'int': {
      const { data, valid } = values
      return (sink, row) => {
        if (valid && valid[row] === 0) sink.bytes(nothing)
        else sink.ascii(numberText(data[row] as number))
      }
    }
    case 'flag': {
      const { data, valid } = values
      return (sink, row) => sink.bytes(valid && valid[row] === 0 ? nothing : data[row] === 1 ? yes : no)
    }
    case 'strings': {
      const { data } = values
      const text = kind === 'json' ? plainJson : JSON.stringify
      return (sink, row) => {
        const cell = data[row] ?? null
        if (cell === null) sink.bytes(nothing)
        else sink.utf8(text(cell))
      }
    }
    case 'lists': {
      const { data } = values
      return (sink, row) => sink.utf8(JSON.stringify(data[row] ?? null))
    }
  }
}

/** A stored JSON text without what is not JSON: a text that is none is an error, not an answer. */
function plainJson(text: string): string {
  return JSON.stringify(JSON.parse(text))
}
