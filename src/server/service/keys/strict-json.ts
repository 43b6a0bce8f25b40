/** A JSON value whose objects keep the order of their fields. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** Where a text is not JSON, lines and columns from 1. Nothing of the text itself is in `message`. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
}

const maxDepth = 32
const space = /[ \t\r\n]*/y
const scalar = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

function failAt(text: string, at: number, what: string): never {
  const before = text.slice(0, at)
  const column = at - before.lastIndexOf('\n')
  throw new JsonSyntaxError(`line ${before.split('\n').length}, column ${column}: ${what}`)
}

/** Fails with what is expected, or with the end of the text. */
function failExpecting(text: string, at: number, what: string): never {
  return failAt(text, at, at === text.length ? 'the text ends too early' : `${what} is expected here`)
}

/**
 * Reads JSON that people write by hand: a field that stands twice in an object is a fault, where JSON.parse would take the
 * last, and a fault is reported by its place alone, where JSON.parse and the packages that locate faults quote what stands there.
 * @throws JsonSyntaxError
 */
export function parseStrictJson(text: string): Json {
  let at = 0
  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const part = pattern.exec(text)?.[0]
    at += part?.length ?? 0
    return part
  }
  /** The next character that is no blank; '' at the end. */
  function peek(): string {
    match(space)
    return text[at] ?? ''
  }
  function take(mark: string): boolean {
    const isNext = peek() === mark
    if (isNext) at++
    return isNext
  }
  function readScalar(expected: string): string | number | boolean | null {
    peek()
    const start = at
    const token = match(scalar) ?? failExpecting(text, at, expected)
    try {
      return JSON.parse(token) as string | number | boolean | null
    } catch {
      return failAt(text, start, 'this text in "…" has a character that JSON does not allow')
    }
  }
  function readMembers(close: string, readMember: () => void): void {
    if (take(close)) return
    do readMember()
    while (take(','))
    if (!take(close)) failExpecting(text, at, `',' or '${close}'`)
  }
  function readValue(depth: number): Json {
    if (depth > maxDepth) failAt(text, at, 'too deeply nested')
    if (take('[')) {
      const items: Json[] = []
      readMembers(']', () => items.push(readValue(depth + 1)))
      return items
    }
    if (!take('{')) return readScalar('a value')
    const fields = new Map<string, Json>()
    readMembers('}', () => {
      if (peek() !== '"') failExpecting(text, at, 'a field name in "…"')
      const start = at
      const name = readScalar('a field name') as string
      if (fields.has(name)) failAt(text, start, 'a field stands twice')
      if (!take(':')) failAt(text, at, "':' is expected here")
      fields.set(name, readValue(depth + 1))
    })
    return fields
  }

  const value = readValue(0)
  if (peek() !== '') failAt(text, at, 'nothing more is expected here')
  return value
}
