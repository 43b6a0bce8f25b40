/** A JSON value whose objects keep the order of their fields. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** Where a text is not JSON, lines and columns from 1. Nothing of the text itself is in `message`. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonFault'
}

const deepest = 32
const space = /[ \t\r\n]*/y
const scalar = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

/**
 * Reads JSON that people write by hand: a field that stands twice in an object is a fault, where JSON.parse would take the
 * last, and a fault is told by its place alone, where JSON.parse quotes what stands there.
 * @throws JsonFault
 */
export function parseStrictJson(text: string): Json {
  let at = 0

  function fail(what: string, where = at): never {
    const before = text.slice(0, where)
    const line = before.split('\n').length
    throw new JsonSyntaxError(`line ${line}, column ${where - before.lastIndexOf('\n')}: ${what}`)
  }

  function matched(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }

  function peek(): string {
    matched(space)
    return text[at] ?? ''
  }

  function take(mark: string): boolean {
    if (peek() !== mark) return false
    at++
    return true
  }

  function ends(otherwise: string): string {
    return at === text.length ? 'the text ends too early' : otherwise
  }

  function plain(expected: string): string | number | boolean | null {
    peek()
    const start = at
    const token = matched(scalar)
    if (token === undefined) return fail(ends(`${expected} is expected here`))
    try {
      return JSON.parse(token) as string | number | boolean | null
    } catch {
      return fail('this text in "…" has a character that JSON does not allow', start)
    }
  }

  function members(close: string, member: () => void): void {
    if (take(close)) return
    do member()
    while (take(','))
    if (!take(close)) fail(ends(`',' or '${close}' is expected here`))
  }

  function object(depth: number): JsonObject {
    const fields = new Map<string, Json>()
    members('}', () => {
      if (peek() !== '"') fail(ends('a field name in "…" is expected here'))
      const start = at
      const name = plain('a field name') as string
      if (fields.has(name)) fail('a field stands twice', start)
      if (!take(':')) fail("':' is expected here")
      fields.set(name, value(depth))
    })
    return fields
  }

  function array(depth: number): Json[] {
    const items: Json[] = []
    members(']', () => items.push(value(depth)))
    return items
  }

  function value(depth: number): Json {
    if (depth > deepest) fail('too deeply nested')
    if (take('{')) return object(depth + 1)
    if (take('[')) return array(depth + 1)
    return plain('a value')
  }

  const read = value(0)
  if (peek() !== '') fail('nothing more is expected here')
  return read
}
