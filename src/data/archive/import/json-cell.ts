import { parseJson } from '../../../frame/table/check-json.js'

/** A text of JSON as what it holds; any other as it is. @throws QuotebookError ENVELOPE for what is too deep */
export function jsonCell(text: string): unknown {
  try {
    return parseJson(text, 'a cell')
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
