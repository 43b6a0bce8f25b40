import { deepest } from './check-json.js'
import { readNumber } from './number.js'
import { afterBlank, byteOf, type Source } from './source.js'
import { quoteAfter, textOf } from './text.js'

const [nul, yes, no] = ['null', 'true', 'false'].map((word) => Uint8Array.from(word, (letter) => letter.charCodeAt(0)))

function afterWord(bytes: Uint8Array, at: number, word: Uint8Array): number {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return -1
  return at + word.length
}

/** The place after `null`, or -1. */
export function afterNull(bytes: Uint8Array, at: number): number {
  return afterWord(bytes, at, nul as Uint8Array)
}

/** The place after `true`, or -1. */
export function afterTrue(bytes: Uint8Array, at: number): number {
  return afterWord(bytes, at, yes as Uint8Array)
}

/** The place after `false`, or -1. */
export function afterFalse(bytes: Uint8Array, at: number): number {
  return afterWord(bytes, at, no as Uint8Array)
}

/**
 * Goes through the elements of an array, whose bracket stands at `at`.
 * @param element given the place of one, returns the place after it, or -1
 * @returns the place after the array, or -1
 */
export function eachElement({ bytes }: Source, at: number, element: (at: number) => number): number {
  let next = afterBlank(bytes, at + 1)
  if (bytes[next] === byteOf.close) return next + 1
  for (;;) {
    next = element(next)
    if (next < 0) return -1
    next = afterBlank(bytes, next)
    if (bytes[next] === byteOf.close) return next + 1
    if (bytes[next] !== byteOf.comma) return -1
    next = afterBlank(bytes, next + 1)
  }
}

/**
 * Goes through the members of an object, whose brace stands at `at`. A key of `__proto__` is not taken, nor one that stands
 * there twice.
 * @param member given a name and the place of its value, returns the place after the value, or -1
 * @returns the place after the object, or -1
 */
export function eachMember(source: Source, at: number, member: (name: string, at: number) => number): number {
  const { bytes } = source
  const seen = new Set(['__proto__'])
  let next = afterBlank(bytes, at + 1)
  if (bytes[next] === byteOf.closeBrace) return next + 1
  for (;;) {
    if (bytes[next] !== byteOf.quote) return -1
    const end = quoteAfter(bytes, next + 1)
    if (end < 0) return -1
    const name = textOf(source, next + 1, end)
    if (seen.has(name)) return -1
    seen.add(name)
    next = afterBlank(bytes, end + 1)
    if (bytes[next] !== byteOf.colon) return -1
    next = member(name, afterBlank(bytes, next + 1))
    if (next < 0) return -1
    next = afterBlank(bytes, next)
    if (bytes[next] === byteOf.closeBrace) return next + 1
    if (bytes[next] !== byteOf.comma) return -1
    next = afterBlank(bytes, next + 1)
  }
}

const unused = new Float64Array(1)

/** The place after any JSON value, or -1. */
export function afterValue(source: Source, at: number, depth = 0): number {
  const { bytes } = source
  if (depth > deepest) return -1
  switch (bytes[at]) {
    case byteOf.quote: {
      const end = quoteAfter(bytes, at + 1)
      return end < 0 ? -1 : end + 1
    }
    case byteOf.open:
      return eachElement(source, at, (element) => afterValue(source, element, depth + 1))
    case byteOf.openBrace:
      return eachMember(source, at, (_, value) => afterValue(source, value, depth + 1))
    case byteOf.n:
      return afterNull(bytes, at)
    case byteOf.t:
      return afterTrue(bytes, at)
    case byteOf.f:
      return afterFalse(bytes, at)
    default:
      return readNumber(source, at, unused, 0)
  }
}

/** The value that `afterValue` passed over. */
export function valueIn({ view }: Source, start: number, end: number): unknown {
  return JSON.parse(view.toString('utf8', start, end))
}
