import { codes, QuotebookError } from './error.js'
import { sentence, type Words } from './sentence.js'

/** Body of a request (section 2.1). */
export interface RequestBody {
  readonly apikey: string
  readonly apiname: string
  readonly fields?: string | null
  readonly params?: Readonly<Record<string, unknown>>
}

/** Body of a reply (section 2.1). */
export interface Reply {
  readonly code: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | null
  /** Members that the contract does not know. */
  readonly outer?: Readonly<Record<string, unknown>>
}

const malformed = (what: Words): QuotebookError => new QuotebookError('ENVELOPE', what)

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The news by source stand in `items` already, and once more in groups. */
export const repeated = 'groups'

/** Columns of a reply; the widest of the contract has 23. */
const mostColumns = 1000

/** What a reply carries: rows by position with their names, or one record, and whatever stands beside them. */
export interface Content {
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
  /** Everything in `data` but rows: limit, offset, total, count, view, meta. */
  readonly beside: Readonly<Record<string, unknown>>
}

/** A parsed value as a reply, or an ENVELOPE error that says what is missing. */
export function asReply(value: unknown): Reply {
  if (!isRecord(value)) throw malformed(sentence`a reply must be a JSON object with code, message and data`)
  const { code, message, data, ...outer } = value
  if (typeof code !== 'number') throw malformed(sentence`the reply has no integer \`code\``)
  if (typeof message !== 'string') throw malformed(sentence`the reply has no text \`message\``)
  if (data !== undefined && data !== null && !isRecord(data))
    throw malformed(sentence`the \`data\` of the reply is neither an object nor null`)
  return { code, message, data: data ?? null, ...(Object.keys(outer).length > 0 ? { outer } : {}) }
}

/**
 * The content of a reply. Undefined means "no data" (1002), which is an answer and not an error.
 * @throws QuotebookError ENVELOPE for any other code, with the vendor's code and message, and for a malformed `data`
 */
export function contentOf(reply: Reply, shape: 'rows' | 'object'): Content | undefined {
  if (reply.code === codes.noData) return undefined
  if (reply.code !== codes.ok)
    throw malformed(sentence`the reply is an error of the service: ${reply.code} ${reply.message}`)
  if (reply.data === null) throw malformed(sentence`the reply has code 200 and no data`)
  if (shape === 'object') return recordOf(reply.data)
  const { fields, items, [repeated]: _, ...beside } = reply.data
  if (!Array.isArray(fields) || !fields.every((name) => typeof name === 'string'))
    throw malformed(sentence`\`data.fields\` is not an array of names`)
  if (fields.length > mostColumns)
    throw malformed(sentence`\`data.fields\` names ${fields.length} columns; no table has so many`)
  if (!Array.isArray(items) || !items.every(Array.isArray))
    throw malformed(sentence`\`data.items\` is not an array of rows`)
  const ragged = items.findIndex((row) => row.length !== fields.length)
  if (ragged >= 0) {
    const found = (items[ragged] as unknown[]).length
    throw malformed(sentence`row ${ragged + 1} has ${found} cells where fields names ${fields.length}`)
  }
  return { fields, items, beside }
}

/** One record; the share of `file_download` lies a level deeper, beside a code of its own (0 or 200 when it is there). */
function recordOf(data: Readonly<Record<string, unknown>>): Content | undefined {
  if (typeof data.code === 'number' && 'data' in data) {
    if (data.code === codes.noData) return undefined
    if (data.code !== 0 && data.code !== codes.ok)
      throw malformed(sentence`the file result is ${[data.code, data.message].filter((part) => part ?? '').join(' ')}`)
    if (!isRecord(data.data)) throw malformed(sentence`the file result has no data`)
    return recordOf(data.data)
  }
  const fields = Object.keys(data)
  return { fields, items: [fields.map((name) => data[name])], beside: {} }
}
