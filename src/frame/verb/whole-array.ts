import { QuotebookError } from '../../contract/error.js'

/**
 * Makes an array refuse to be an operand. JavaScript would turn it into text, so that `close > 100` is false and
 * `close - open` no number, for a whole column and without a word. Returns the array.
 */
export function noOperand<A extends object>(array: A, name: string): A {
  return Object.defineProperty(array, Symbol.toPrimitive, {
    configurable: true,
    value(hint: string) {
      const cells = `column '${name}' is an array of cells`
      if (hint === 'string') return cells
      const right = `compute cell by cell: ${name}.map((cell, row) => …)`
      throw new QuotebookError('INVALID_VALUE', `${cells}, which can not be computed or compared as one; ${right}`)
    },
  })
}
