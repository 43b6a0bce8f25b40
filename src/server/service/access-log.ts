import { datasetNames } from '../../contract/catalogue.js'

/** The routes of the service; `other` is every path that it does not have. */
export const routes = ['api', 'mcp', 'share', 'page', 'healthz', 'metrics', 'openapi', 'other'] as const
export type Route = (typeof routes)[number]

/** One answered request: what the log and the metrics may know of it. No key, no param, no path, no message. */
export interface AccessEntry {
  /** When it was answered, ISO 8601 with the offset of Beijing; see `beijingTime`. */
  readonly time: string
  /** Number of the request, from 1. */
  readonly id: number
  /** Which of several processes answered, each of which numbers its own requests. */
  readonly worker?: number | undefined
  readonly method: string
  readonly route: Route
  /** As the body spells it: a name that is none is not shown. */
  readonly apiname?: string | undefined
  /** HTTP status. */
  readonly status: number
  /** Business code of the envelope. */
  readonly code?: number | undefined
  readonly rows?: number | undefined
  /** Bytes of the answer's body as sent. */
  readonly bytes: number
  /** From the head of the request to the moment at which the answer was handed to the connection. */
  readonly milliseconds: number
  /** Name of the caller's key. */
  readonly caller?: string | undefined
  /** Content coding of the answer. */
  readonly encoding?: string | undefined
  /** Address that the request came from. */
  readonly remote?: string | undefined
  /** A stable code such as INVALID_PARAMS, never a message: messages may quote what was sent. */
  readonly error?: string | undefined
}

const names: ReadonlySet<string> = new Set(datasetNames)
const maxLength = 64

/** The name of an operation, or `other`: nothing that a client made up reaches a log or a label. */
export function operationLabel(apiname: string): string {
  return names.has(apiname) ? apiname : 'other'
}

let [lastSecond, lastText] = [Number.NaN, '']

/** A moment as Beijing's clock shows it, `2026-07-01T09:30:00.000+08:00`. @param milliseconds since 1970 */
export function logTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000)
  if (whole !== lastSecond) {
    lastText = new Date(whole * 1000 + 8 * 3_600_000).toISOString().slice(0, 20)
    lastSecond = whole
  }
  return `${lastText}${String(Math.floor(milliseconds) - whole * 1000).padStart(3, '0')}+08:00`
}

const plainText = /^[ !#-[\]-~]{0,64}$/
// JSON leaves these as they are, yet a terminal may obey them or a reader take them for the end of a line: DEL and C1,
// marks that turn the direction of writing, separators of lines.
const controlMarks = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

function quoted(text: string): string {
  if (plainText.test(text)) return `"${text}"`
  const short = text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
  return JSON.stringify(short).replace(controlMarks, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** In the order of a line. */
const members = [
  'time',
  'id',
  'worker',
  'method',
  'route',
  'apiname',
  'status',
  'code',
  'rows',
  'bytes',
  'milliseconds',
  'caller',
  'encoding',
  'remote',
  'error',
] as const satisfies readonly (keyof AccessEntry)[]

/** What of a text from outside may be shown. */
const shown: Partial<Record<keyof AccessEntry, (text: string) => string>> = {
  route: (route) => ((routes as readonly string[]).includes(route) ? route : 'other'),
  apiname: operationLabel,
  error: (error) => (/^[A-Z][A-Z0-9_]{0,63}$/.test(error) ? error : 'OTHER'),
}

function json(name: keyof AccessEntry, value: string | number): string {
  if (typeof value === 'string') return quoted(shown[name]?.(value) ?? value)
  return Number.isFinite(value) ? String(name === 'milliseconds' ? Math.round(value * 1000) / 1000 : value) : 'null'
}

/**
 * One line of the access log: a JSON object without a line end, keys always in this order, absent ones left out, texts of
 * 64 characters at most, with everything escaped that a terminal could obey.
 */
export function accessLine(entry: AccessEntry): string {
  let line = ''
  for (const name of members) {
    const value = entry[name]
    if (value !== undefined) line += `${line === '' ? '{' : ','}"${name}":${json(name, value)}`
  }
  return `${line}}`
}
