import type { Column } from '../../contract/column.js'

const decimal = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/

/** A text cell in the wire form of its column; a text that does not fit is handed on, for the contract to refuse. */
export function typedCell(column: Column | undefined, text: string | null): unknown {
  if (text === null) return null
  switch (column?.kind) {
    case 'number':
    case 'integer':
    case 'long':
      return decimal.test(text.trim()) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'texts':
    case 'json':
      return parsed(text)
    default:
      return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
