import type { IncomingHttpHeaders } from 'node:http'
import { type Range, rangeOf } from './range.js'

/** What a file answers conditions with. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly size: number
}

export type Verdict =
  | { readonly status: 200 }
  | { readonly status: 206; readonly range: Range }
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
export function verdictOf(method: string, headers: IncomingHttpHeaders, file: Validators): Verdict {
  const failed = failing(headers, file)
  if (failed !== undefined) return { status: failed }
  const condition = headers['if-range']
  if (method !== 'GET' || (condition !== undefined && String(condition).trim() !== file.etag)) return { status: 200 }
  const range = rangeOf(headers.range, file.size)
  if (range === undefined) return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}
