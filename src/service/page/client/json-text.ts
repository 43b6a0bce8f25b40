import { exactDouble } from '../../../table/exact.js'

/*
 * JSON as the text that came: numbers keep the digits that the service sent, whatever a double makes of them.
 */

const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const plain = String.raw`${string}|-?\d[\d.eE+-]*|true|false|null`
const tokens = (): RegExp => new RegExp(`${plain}|[[\\]{},:]`, 'g')
const flatList = new RegExp(String.raw`\[\s*(?:(?:${plain})(?:\s*,\s*(?:${plain}))*)?\s*\]`, 'y')
const emptyObject = /\{\s*\}/y

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
  let found = false
  while (text.includes(mark)) mark += '#'
  const value: unknown = JSON.parse(text)
  const marked = text.replace(tokens(), (part) => {
    if (!/^[-\d]/.test(part) || !losesDigits(part)) return part
    found = true
    return `"${mark}${part}"`
  })
  if (!found) return value
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
  const each = tokens()
  const out: string[] = []
  let [depth, size, name, isValue] = [0, 0, '', false]
  const line = (): string => `\n${'  '.repeat(depth)}`
  const whole = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  for (let match = each.exec(text); match; match = each.exec(text)) {
    if (size >= most) return { text: out.join(''), whole: false }
    let part = match[0]
    const flat =
      part === '[' ? whole(flatList, match.index) : part === '{' ? whole(emptyObject, match.index) : undefined
    if (flat !== undefined) {
      each.lastIndex = match.index + flat.length
      const inside =
        flat
          .slice(1, -1)
          .match(tokens())
          ?.filter((value) => value !== ',') ?? []
      part = part === '[' ? `[${inside.join(', ')}]` : '{}'
    } else if (part === '{' || part === '[') {
      depth++
      part += line()
    } else if (part === '}' || part === ']') {
      depth--
      part = line() + part
    } else if (part === ',') part += line()
    else if (part === ':') part = ': '
    else if (part.startsWith('"')) {
      if (isValue) part = instead(name, part) ?? part
      else name = part
    }
    isValue = match[0] === ':'
    out.push(part)
    size += part.length
  }
  return { text: out.join(''), whole: true }
}
