/** A JSON value whose objects keep the order of their fields. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

const maxDepth = 32
const space = /[ \t\r\n]*/y
const scalar = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

/** Line and column of a place, from 1. */
function placeIn(text: string, place: number): string {
  const before = text.slice(0, place)
  return `line ${before.split('\n').length}, column ${place - before.lastIndexOf('\n')}`
}

function expected(text: string, at: number, what: string): string {
  return at === text.length ? 'the text ends too early' : `${what} is expected here`
}

/**
 * Reads JSON that people write by hand: a field that stands twice in an object is a fault, where JSON.parse would take the
 * last, and a fault is reported by its place alone, where JSON.parse and the packages that locate faults quote what stands there.
 * @param fail throws what is wrong: lines and columns count from 1
 */
export function parseStrictJson(text: string, fail: (what: string) => never): Json {
  let at = 0
  const failAt = (place: number, what: string): never => fail(`${placeIn(text, place)}: ${what}`)
  const failExpecting = (what: string): never => failAt(at, expected(text, at, what))
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
    const token = match(scalar) ?? failExpecting(expected)
    try {
      return JSON.parse(token) as string | number | boolean | null
    } catch {
      return failAt(start, 'this text in "…" has a character that JSON does not allow')
    }
  }
  function readMembers(close: string, readMember: () => void): void {
    if (take(close)) return
    do readMember()
    while (take(','))
    if (!take(close)) failExpecting(`',' or '${close}'`)
  }
  function readValue(depth: number): Json {
    if (depth > maxDepth) failAt(at, 'too deeply nested')
    if (take('[')) {
      const items: Json[] = []
      readMembers(']', () => items.push(readValue(depth + 1)))
      return items
    }
    if (!take('{')) return readScalar('a value')
    const fields = new Map<string, Json>()
    readMembers('}', () => {
      if (peek() !== '"') failExpecting('a field name in "…"')
      const start = at
      const name = readScalar('a field name') as string
      if (fields.has(name)) failAt(start, 'a field stands twice')
      if (!take(':')) failAt(at, "':' is expected here")
      fields.set(name, readValue(depth + 1))
    })
    return fields
  }

  const value = readValue(0)
  if (peek() !== '') failAt(at, 'nothing more is expected here')
  return value
}
