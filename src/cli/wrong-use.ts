import { QuotebookError } from '../contract/error.js'
import type { Values } from '../contract/sentence.js'
import { say } from './chosen-language.js'

/** What was typed can not be done: said in a line, with exit code 2. */
export function wrongUse(text: string, values?: Values, options?: { cause?: unknown }): QuotebookError {
  return new QuotebookError('USAGE', say(text, values), options)
}
