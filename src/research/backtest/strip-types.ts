import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'amaro'

/** What the library throws. */
interface Refusal {
  readonly message: string
  readonly startLine?: number
}

type Load = (url: string, context: object) => unknown

/**
 * Hook of Node's loader: TypeScript without its types, each line and column where it was. It is a module whatever the package
 * around it says. What would have to be compiled, as an enum, is an error whose stack begins with file and line, as Node's own.
 */
export function load(url: string, context: object, nextLoad: Load): unknown {
  if (!/^file:.*\.m?ts(\?|$)/.test(url)) return nextLoad(url, context)
  const path = fileURLToPath(url)
  const text = readFileSync(path, 'utf8')
  try {
    const { code } = transformSync(text, { mode: 'strip-only', filename: path })
    return { format: 'module', shortCircuit: true, source: code }
  } catch (refusal) {
    const { message, startLine = 1 } = refusal as Refusal
    const error = new SyntaxError(message.replace(/ in (?:type strip|strip-only) mode/, ': types are only stripped'))
    error.stack = `${path}:${startLine}\n${error.stack}`
    throw error
  }
}
