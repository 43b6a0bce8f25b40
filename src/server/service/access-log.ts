import { findDataset } from '../../contract/catalogue.js'

/** The routes of the service; `other` is every path that it does not have. */
export type Route = 'api' | 'query' | 'mcp' | 'share' | 'page' | 'healthz' | 'metrics' | 'openapi' | 'other'

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
  /** As the body spells it: a name that is none is shown as `other`. */
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
}

/** The name of an operation, or `other`: nothing that a client made up reaches a log or a label. */
export function operationLabel(apiname: string): string {
  return findDataset(apiname) ? apiname : 'other'
}

const order = 'time id worker method route apiname status code rows bytes milliseconds caller encoding remote'.split(
  ' ',
)

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

/**
 * One line of the access log: a JSON object without a line end, keys always in this order, absent ones left out. Of its texts
 * only the operation is the caller's own; a method is one that Node knows, and a name of a key has no mark that a terminal obeys.
 */
export function accessLine(entry: AccessEntry): string {
  const milliseconds = Math.round(entry.milliseconds * 1000) / 1000
  return JSON.stringify({ ...entry, apiname: entry.apiname && operationLabel(entry.apiname), milliseconds }, order)
}
