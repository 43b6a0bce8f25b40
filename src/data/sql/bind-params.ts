import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { textLiteral } from '../clickhouse/clickhouse-client.js'
import { type SqlParam, type SqlParams, wrongParam } from './run-query.js'

/** Texts, names and remarks (`#` and `$$` are those of newer servers), in which nothing is a param; then params by place and by name. */
const tokens =
  /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|--[^\n]*|#[ !][^\n]*|\$\$[\s\S]*?\$\$|\/\*[\s\S]*?\*\/|\$(\d+)\b|\$([A-Za-z_]\w*)|\?/g

/** The text of a query without what stands in single quotes, and without remarks. */
export function bareText(text: string): string {
  return text.replace(tokens, (token) => (/^('|\$\$)/.test(token) ? "''" : /^(--|#|\/\*)/.test(token) ? ' ' : token))
}

/** A double by its bits: the server's own reading of digits is not always exact. */
function doubleLiteral(value: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return `reinterpretAsFloat64(unhex('${bytes.toString('hex')}'))`
}

/**
 * A value as the SQL of ClickHouse writes it: null and NaN are NULL, true is 1.
 * @throws QuotebookError USAGE for a value that is none of SqlParam
 */
export function paramLiteral(value: SqlParam, name: string): string {
  if (value === null || Number.isNaN(value)) return 'NULL'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? `(${value})` : doubleLiteral(value)
  }
  const isText = (one: unknown): one is string => typeof one === 'string'
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.every(isText)) throw wrongParam(name)
  const literals = texts.map(textLiteral)
  if (!Array.isArray(value)) return literals[0] as string
  return texts.length > 0 ? `[${literals.join(', ')}]` : 'cast([] as Array(String))'
}

/**
 * A text with its params in it as literals, for a server that binds none: `$1`, `?` by place, `$name` by name. What stands in
 * quotes or remarks stays. With `$1` in the text a `?` is ClickHouse's own.
 * @throws QuotebookError SQL where text and params do not agree, USAGE for a value that is none of SqlParam
 */
export function bindParams(text: string, params: SqlParams = []): string {
  const values: Readonly<Record<string, SqlParam>> = { ...(params as Record<string, SqlParam>) }
  const isList = Array.isArray(params)
  const byNumber = [...text.matchAll(tokens)].some(([, number]) => number !== undefined)
  const used = new Set<string>()
  let place = 0
  const bound = text.replace(tokens, (token: string, number?: string, name?: string) => {
    if (token === '?' && (byNumber || !isList || Object.keys(values).length === 0)) return token
    if (token !== '?' && number === undefined && name === undefined) return token
    const key = name ?? String(number === undefined ? place++ : Number(number) - 1)
    const shown = name === undefined ? `$${Number(key) + 1}` : `$${name}`
    if (!Object.hasOwn(values, key))
      throw new QuotebookError('SQL', sentence`the text has ${shown}, and no such param was given`)
    used.add(key)
    return paramLiteral(values[key] as SqlParam, shown)
  })
  const count = Object.keys(values).length
  if (used.size === count) return bound
  throw new QuotebookError('SQL', sentence`${count} params were given, and the text has ${used.size}`)
}
