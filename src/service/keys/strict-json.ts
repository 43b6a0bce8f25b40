/** A JSON value whose objects keep the order of their fields. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** Where a text is not JSON, lines and columns from 1. Nothing of the text itself is in `message`. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonFault'
}

const maxDepth = 32
const space = /[ \t\r\n]*/y
const scalar = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

class JsonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Json {
    const value = this.#value(0)
    if (this.#peek() !== '') this.#fail('nothing more is expected here')
    return value
  }

  #fail(what: string, at = this.#at): never {
    const before = this.#text.slice(0, at)
    const line = before.split('\n').length
    throw new JsonSyntaxError(`line ${line}, column ${at - before.lastIndexOf('\n')}: ${what}`)
  }

  /** Fails with what is expected, or with the end of the text. */
  #expect(what: string): never {
    return this.#fail(this.#at === this.#text.length ? 'the text ends too early' : `${what} is expected here`)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #peek(): string {
    this.#match(space)
    return this.#text[this.#at] ?? ''
  }

  #take(mark: string): boolean {
    if (this.#peek() !== mark) return false
    this.#at++
    return true
  }

  #scalar(expected: string): string | number | boolean | null {
    this.#peek()
    const start = this.#at
    const token = this.#match(scalar) ?? this.#expect(expected)
    try {
      return JSON.parse(token) as string | number | boolean | null
    } catch {
      return this.#fail('this text in "…" has a character that JSON does not allow', start)
    }
  }

  #members(close: string, readMember: () => void): void {
    if (this.#take(close)) return
    do readMember()
    while (this.#take(','))
    if (!this.#take(close)) this.#expect(`',' or '${close}'`)
  }

  #object(depth: number): JsonObject {
    const fields = new Map<string, Json>()
    this.#members('}', () => {
      if (this.#peek() !== '"') this.#expect('a field name in "…"')
      const start = this.#at
      const name = this.#scalar('a field name') as string
      if (fields.has(name)) this.#fail('a field stands twice', start)
      if (!this.#take(':')) this.#fail("':' is expected here")
      fields.set(name, this.#value(depth))
    })
    return fields
  }

  #value(depth: number): Json {
    if (depth > maxDepth) this.#fail('too deeply nested')
    if (this.#take('{')) return this.#object(depth + 1)
    if (!this.#take('[')) return this.#scalar('a value')
    const items: Json[] = []
    this.#members(']', () => items.push(this.#value(depth + 1)))
    return items
  }
}

/**
 * Reads JSON that people write by hand: a field that stands twice in an object is a fault, where JSON.parse would take the
 * last, and a fault is reported by its place alone, where JSON.parse and the packages that locate faults quote what stands there.
 * @throws JsonSyntaxError
 */
export function parseStrictJson(text: string): Json {
  return new JsonReader(text).read()
}
