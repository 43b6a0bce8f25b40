import { misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

function refuse(name: string, kind: string): never {
  const which = name === '' ? 'state' : `state.${name}`
  throw misuse(
    sentence`strategy: ${which} is ${kind}, which can't be kept in a file; state takes numbers, text, true, false, null, arrays and plain objects`,
  )
}

/**
 * What a strategy remembers, as text: equal texts are equal memories.
 * @throws QuotebookError USAGE for what a file can't keep: NaN, infinite numbers, functions, a Map, a Set, a date
 */
export function memoryText(memory: unknown): string {
  const text = JSON.stringify(memory, function (this: Record<string, unknown>, name, value: unknown) {
    const given = this[name]
    if (typeof given === 'number' && !Number.isFinite(given)) refuse(name, String(given))
    const kind = Object.prototype.toString.call(given).slice(8, -1)
    if (['function', 'bigint', 'symbol'].includes(typeof given)) refuse(name, kind)
    if (typeof given === 'object' && given !== null && !['Array', 'Object'].includes(kind)) refuse(name, kind)
    return value
  })
  return text ?? refuse('', String(memory))
}
