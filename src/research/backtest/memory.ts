import { misuse } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'

function refuse(name: string, what: Words): never {
  throw misuse(
    sentence`strategy: state${name === '' ? '' : `.${name}`} is ${what}; it takes numbers, text, true, false, null, arrays and plain objects, which can be kept in a file`,
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
    if (typeof given === 'function' || typeof given === 'bigint' || typeof given === 'symbol')
      refuse(name, `a ${typeof given}`)
    const kind = Object.prototype.toString.call(given)
    if (typeof given === 'object' && given !== null && !Array.isArray(given) && kind !== '[object Object]')
      refuse(name, `a ${kind.slice(8, -1)}`)
    return value
  })
  return text ?? refuse('', String(memory))
}
