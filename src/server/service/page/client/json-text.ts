import { exactDouble } from '../../../../frame/table/exact.js'

/*
 * JSON as the text that came: numbers keep the digits that the service sent, whatever a double makes of them.
 */

const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const plain = String.raw`${string}|-?\d[\d.eE+-]*|true|false|null`
/** A list of plain values, or an object without members. */
const flat = String.raw`\[\s*(?:(?:${plain})(?:\s*,\s*(?:${plain}))*)?\s*\]|\{\s*\}`
const plainTokens = new RegExp(plain, 'g')
const tokens = new RegExp(`${flat}|${plain}|[[\\]{},:]`, 'g')

const long = Symbol('long number')

/** A number whose digits no double holds: its digits. */
export interface LongNumber {
  readonly [long]: true
  readonly digits: string
}

export function isLongNumber(value: unknown): value is LongNumber {
  return typeof value === 'object' && value !== null && long in value
}

function losesDigits(text: string): boolean {
  if (text.length <= 15 && !/[eE]/.test(text)) return false
  return !Number.isFinite(Number(text)) || exactDouble(text.replace(/[eE].*$/, '')) === undefined
}

/** JSON.parse, but a number that would lose digits comes as a LongNumber. @throws SyntaxError as JSON.parse does */
export function parseExactly(text: string): unknown {
  let mark = 'long number '
  while (text.includes(mark)) mark += '#'
  const value: unknown = JSON.parse(text)
  const marked = text.replace(plainTokens, (token) =>
    /^[-\d]/.test(token) && losesDigits(token) ? `"${mark}${token}"` : token,
  )
  if (marked === text) return value
  return JSON.parse(marked, (_, cell: unknown) =>
    typeof cell === 'string' && cell.startsWith(mark)
      ? ({ [long]: true, digits: cell.slice(mark.length) } satisfies LongNumber)
      : cell,
  )
}

/** What is shown instead of a text value, given as it stands in JSON; undefined: the value itself. */
export type Instead = (name: string, value: string) => string | undefined

/**
 * JSON indented by two spaces, lists of plain values on one line; every number as it came. Ends after about `most`
 * characters, and then is not `whole`. `text` must be valid JSON.
 */
export function indented(
  text: string,
  most = Number.POSITIVE_INFINITY,
  instead: Instead = () => undefined,
): { text: string; whole: boolean } {
  const out: string[] = []
  let [depth, size, name, isValue] = [0, 0, '', false]
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(tokens)) {
    if (size >= most) return { text: out.join(''), whole: false }
    let part = token
    if (token === '{' || token === '[') {
      depth++
      part += line()
    } else if (token === '}' || token === ']') {
      depth--
      part = line() + token
    } else if (token === ',') part += line()
    else if (token === ':') part = ': '
    else if (token.startsWith('{')) part = '{}'
    else if (token.startsWith('[')) part = `[${token.match(plainTokens)?.join(', ') ?? ''}]`
    else if (token.startsWith('"') && isValue) part = instead(name, token) ?? token
    else if (token.startsWith('"')) name = token
    isValue = token === ':'
    out.push(part)
    size += part.length
  }
  return { text: out.join(''), whole: true }
}
