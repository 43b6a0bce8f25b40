import { QuotebookError } from './error.js'
import { nameHint } from './nearest.js'
import { anyOf, sentence, type Words } from './sentence.js'

const isText = (value: unknown) => typeof value === 'string'
const isArray = (value: unknown) => Array.isArray(value)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const isOf = {
  any: () => true,
  text: isText,
  'a number': (value: unknown) => typeof value === 'number',
  'true or false': (value: unknown) => typeof value === 'boolean',
  'a function': (value: unknown) => typeof value === 'function',
  'an array': isArray,
  'an object': isObject,
  'text or an array': (value: unknown) => isText(value) || isArray(value),
  'text or an object': (value: unknown) => isText(value) || isObject(value),
  'an array or an object': (value: unknown) => isArray(value) || isObject(value),
} as const

/** What the value of an option is, or the words that it may be; `any` where the function itself tells what is wrong with it. */
type OptionKind = keyof typeof isOf | readonly string[]

type NamesIn<T> = T extends unknown ? Extract<keyof T, string> : never

/** Every option of a function, by name: one that is missing here does not compile. */
export type OptionKinds<T> = Readonly<Record<NamesIn<T>, OptionKind>>

const kindWords = {
  object: sentence`an object`,
  function: sentence`a function`,
  string: sentence`a string`,
  number: sentence`a number`,
  boolean: sentence`a boolean`,
  bigint: sentence`a bigint`,
  symbol: sentence`a symbol`,
  undefined: 'undefined',
} as const

/** A value that should be of another kind, in words. Only numbers are shown: a text may be a key at the wrong place. */
export function describeKind(value: unknown): Words {
  if (typeof value === 'number') return String(value)
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? sentence`an array` : kindWords[typeof value]
}

/**
 * The options given to a function, which they are of; `undefined` is as good as absent.
 * @throws QuotebookError USAGE for anything that is no object, an option that there is not, with the nearest or all names, and
 * a value of another kind
 */
export function checkOptions<T extends object>(given: T, known: OptionKinds<T>, where: Words): T {
  const usage = (wrong: Words) => new QuotebookError('USAGE', sentence`${where} ${wrong}`)
  if (!isObject(given)) {
    const all = Object.keys(known).join(', ')
    throw usage(sentence`takes an object of options (${all}), not ${describeKind(given)}`)
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) {
      const hint = nameHint(name, Object.keys(known))
      throw new QuotebookError('USAGE', sentence`${where} has no option '${name.slice(0, 80)}'; ${hint}`)
    }
    const kind = (known as Readonly<Record<string, OptionKind>>)[name] as OptionKind
    if (value === undefined || (typeof kind === 'string' ? isOf[kind](value) : kind.includes(value as string))) continue
    const right = typeof kind === 'string' ? kind : anyOf(kind.map((word) => `'${word}'`))
    // Not the number itself either: it may be a password.
    throw usage(
      sentence`takes ${right} as ${name}, not ${typeof value === 'number' ? sentence`a number` : describeKind(value)}`,
    )
  }
  return given
}
