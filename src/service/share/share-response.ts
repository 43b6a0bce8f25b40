import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isUnchanged, type OpenFile } from './file-verifier.js'
import { fileType, httpDate } from './folder-listing.js'

/** Methods of the share, and what it says of them. */
export const shareMethods = 'OPTIONS, PROPFIND, GET, HEAD'

const always: OutgoingHttpHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' }

/** Answers with a text. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const body = Buffer.from(text)
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length }
  response.writeHead(status, { ...always, ...type, ...headers })
  response.end(body)
}

/** The body of a request as text; undefined when it is longer than `limit` bytes. */
export async function readText(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else if (length > limit * 128) break
  }
  return length > limit ? undefined : Buffer.concat(pieces).toString('utf8')
}

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const header = /^bytes\s*=(.*)$/i
const spec = /^\s*(?:(\d+)\s*-\s*(\d*)|-\s*(\d+))\s*$/
const most = 32

/** Ranges that touch or overlap become one, in ascending order. */
function joined(ranges: readonly ByteRange[]): ByteRange[] {
  const all: ByteRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (!last || range.start > last.end + 1) all.push(range)
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
  }
  return all
}

/**
 * The one range that a Range header asks for of so many bytes (RFC 9110, section 14.2); ranges that touch count as one.
 * Undefined when the whole file is to be sent: other units, bad syntax, ranges apart from each other.
 */
export function parseRange(text: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const specs = header.exec(text ?? '')?.[1]?.split(',')
  if (!specs || specs.length > most) return undefined
  const ranges: ByteRange[] = []
  for (const part of specs) {
    const match = spec.exec(part)
    if (!match) return undefined
    const [, first, last, suffix] = match
    if (first !== undefined && last && Number(last) < Number(first)) return undefined
    const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first)
    const end = first === undefined || !last ? size - 1 : Math.min(Number(last), size - 1)
    if (start <= end) ranges.push({ start, end })
  }
  if (ranges.length === 0) return 'unsatisfiable'
  const [only, ...more] = joined(ranges)
  return more.length === 0 ? only : undefined
}

/** What a file answers conditions with. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly size: number
}

export type ConditionResult =
  | { readonly status: 200 }
  | { readonly status: 206; readonly range: ByteRange }
  | { readonly status: 304 | 412 | 416 }

function tagsOf(text: string): string[] {
  return [...text.matchAll(/(?:W\/)?"[^"]*"/g)].map(([tag]) => tag)
}

const fixedDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function secondsOf(date: string | undefined): number | undefined {
  const time = fixedDate.test(date ?? '') ? Date.parse(date as string) : Number.NaN
  return Number.isNaN(time) ? undefined : time / 1000
}

/** Whether the copy that the asker has, or wants to have, is this one; undefined when nothing fails. */
function failing(headers: IncomingHttpHeaders, file: Validators): 304 | 412 | undefined {
  const { etag } = file
  const modified = Math.floor(file.modified / 1000)
  const match = headers['if-match']
  if (match !== undefined) {
    if (match.trim() !== '*' && !tagsOf(match).includes(etag)) return 412
  } else {
    const since = secondsOf(headers['if-unmodified-since'])
    if (since !== undefined && modified > since) return 412
  }
  const none = headers['if-none-match']
  if (none !== undefined) {
    const isKnown = none.trim() === '*' || tagsOf(none).some((tag) => tag === etag || tag === `W/${etag}`)
    return isKnown ? 304 : undefined
  }
  // Another date is another file, also an earlier one: an archive may have been put back from a copy.
  return modified === secondsOf(headers['if-modified-since']) ? 304 : undefined
}

/**
 * What is to be sent to a GET or HEAD, after the conditions of RFC 9110, section 13.2.2. A part is sent only to who names the very file that
 * it is a part of, or asks without a condition: of `If-Range` a date proves nothing, two files may be of one second.
 */
export function evaluateConditions(method: string, headers: IncomingHttpHeaders, file: Validators): ConditionResult {
  const failed = failing(headers, file)
  if (failed !== undefined) return { status: failed }
  const condition = headers['if-range']
  if (method !== 'GET' || (condition !== undefined && String(condition).trim() !== file.etag)) return { status: 200 }
  const range = parseRange(headers.range, file.size)
  if (range === undefined) return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}

const piece = 2 ** 18

/** Ends when more may be written; false when nobody listens any more. */
function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve(!response.destroyed)
    }
    if (response.destroyed) resolve(false)
    else response.on('drain', end).on('close', end)
  })
}

/** Sends bytes of an open file. Should they change meanwhile, the last piece is kept back and the connection cut. */
async function send(response: ServerResponse, held: OpenFile, { start, end }: ByteRange): Promise<void> {
  for (let position = start; position <= end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(piece, end - position + 1))
    const { bytesRead } = await held.handle.read(buffer, 0, buffer.length, position)
    position += bytesRead
    if (bytesRead === 0 || response.destroyed || (position > end && !(await isUnchanged(held)))) {
      response.destroy()
      return
    }
    if (!response.write(buffer.subarray(0, bytesRead)) && !(await drained(response))) return
  }
  response.end()
}

/** Answers a GET or HEAD of a file from the descriptor that is held: all that is sent is of the file with this sha256. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  held: OpenFile,
  sha256: string,
): Promise<void> {
  const { size, modified } = held
  const etag = `"${sha256}"`
  const verdict = evaluateConditions(request.method ?? '', request.headers, { etag, modified, size })
  const about = {
    etag,
    'last-modified': httpDate(modified),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  }
  if (verdict.status === 304) {
    response.writeHead(304, about).end()
    return
  }
  if (verdict.status === 412) return sendText(response, 412, 'The file is not the one that the condition names.\n')
  if (verdict.status === 416) {
    const headers = { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' }
    return sendText(response, 416, `The file has ${size} bytes.\n`, headers)
  }
  const range = verdict.status === 206 ? verdict.range : { start: 0, end: size - 1 }
  response.writeHead(verdict.status, {
    ...about,
    'content-type': fileType,
    'content-length': range.end - range.start + 1,
    'x-content-type-options': 'nosniff',
    ...(verdict.status === 206 ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  })
  if (request.method === 'HEAD') response.end()
  else await send(response, held, range)
}
