import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { StoredFile } from '../../../data/archive/store/archive-store.js'
import { drained } from '../http/send-answer.js'
import { fileType, httpDate } from './folder-listing.js'

/** Answers with a text. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const body = Buffer.from(text)
  response.writeHead(status, {
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    ...headers,
  })
  response.end(body)
}

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const rangeSpec = /^bytes\s*=\s*(?:(\d+)\s*-\s*(\d*)|-\s*(\d+))\s*$/i

/**
 * The range that a Range header asks for of so many bytes (RFC 9110, section 14.2). Undefined when the whole file is to be
 * sent: other units, bad syntax, several ranges.
 */
export function parseRange(text: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [match, first, last, suffix] = rangeSpec.exec(text ?? '') ?? []
  if (match === undefined || (first !== undefined && last && Number(last) < Number(first))) return undefined
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first)
  const end = first === undefined || !last ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : 'unsatisfiable'
}

export type ConditionResult =
  | { readonly status: 200 | 304 | 412 | 416 }
  | { readonly status: 206; readonly range: ByteRange }

/** Whether an If-Match or If-None-Match names one of these tags, or any. */
function namesTag(condition: string, ...tags: readonly string[]): boolean {
  return condition.trim() === '*' || [...condition.matchAll(/(?:W\/)?"[^"]*"/g)].some(([tag]) => tags.includes(tag))
}

/**
 * What is to be sent to a GET or HEAD, after the conditions by tag of RFC 9110, section 13.2.2. A part is sent only to who names
 * the very file that it is a part of, or asks without a condition: a date proves nothing, two files may be of one second.
 */
export function evaluateConditions(
  method: string,
  headers: IncomingHttpHeaders,
  { etag, size }: { readonly etag: string; readonly size: number },
): ConditionResult {
  const { 'if-match': match = '*', 'if-none-match': none = '', 'if-range': same = etag } = headers
  if (!namesTag(match, etag)) return { status: 412 }
  if (namesTag(none, etag, `W/${etag}`)) return { status: 304 }
  const range = method === 'GET' && String(same).trim() === etag ? parseRange(headers.range, size) : undefined
  if (range === undefined) return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}

const chunkBytes = 2 ** 18

/** Sends bytes of an open file. Should they change meanwhile, the last chunk is kept back and the connection cut. */
async function sendBytes(response: ServerResponse, file: StoredFile, { start, end }: ByteRange): Promise<void> {
  for (let position = start; position <= end; ) {
    const bytes = await file.read(position, Math.min(chunkBytes, end - position + 1))
    position += bytes.length
    if (bytes.length === 0 || response.destroyed || (position > end && !(await file.isUnchanged()))) {
      response.destroy()
      return
    }
    if (!response.write(bytes) && !(await drained(response))) return
  }
  response.end()
}

/** Answers a GET or HEAD of a file from its open descriptor: all that is sent is of the file with this sha256. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StoredFile,
  sha256: string,
): Promise<void> {
  const { size, modified } = file
  const etag = `"${sha256}"`
  const result = evaluateConditions(request.method ?? '', request.headers, { etag, size })
  const common = {
    etag,
    'last-modified': httpDate(modified),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  }
  if (result.status === 304) return void response.writeHead(304, common).end()
  if (result.status === 412) return sendText(response, 412, 'The file is not the one that the condition names.\n')
  if (result.status === 416) {
    const headers = { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' }
    return sendText(response, 416, `The file has ${size} bytes.\n`, headers)
  }
  const { start, end } = result.status === 206 ? result.range : { start: 0, end: size - 1 }
  response.writeHead(result.status, {
    ...common,
    'content-type': fileType,
    'content-length': end - start + 1,
    'x-content-type-options': 'nosniff',
    ...(result.status === 206 && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (request.method === 'HEAD') response.end()
  else await sendBytes(response, file, { start, end })
}
