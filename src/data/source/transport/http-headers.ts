/** Headers of an answer by their names in lower case. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The first value of a header; '' where there is none. */
export function headerOf(headers: HttpHeaders, name: string): string {
  const value = headers[name]
  return (typeof value === 'string' ? value : value?.[0])?.trim() ?? ''
}

/** Whether something outside the body tells where it ends; else it ends with the connection, broken or not. */
export function tellsLength(headers: HttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Milliseconds from the epoch; NaN for what is not a date in GMT, as HTTP wants it. */
function instant(text: string): number {
  return /GMT$/.test(text) ? Date.parse(text) : Number.NaN
}

/** Seconds from which on a number is a moment: of 1973, and a wait of thirty years. */
const firstMoment = 1e8

/** Milliseconds to wait by `Retry-After`: seconds, or a date, also as seconds since 1970, compared with the answer's own `Date`. */
export function retryAfterOf(headers: HttpHeaders): number | undefined {
  const text = headerOf(headers, 'retry-after')
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined
  if (number !== undefined && number < firstMoment * 1000) return number
  const wait = (number ?? instant(text)) - instant(headerOf(headers, 'date'))
  return Number.isNaN(wait) ? number : Math.max(0, wait)
}

/** One link of a `Link` header, and its parameters. */
const oneLink = /<([^>]*)>((?:\s*;\s*[^\s=;,"<>]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g
const oneParameter = /;\s*([^\s=;,"<>]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g

/** The target, as it is written, of a link with `rel="next"` (RFC 8288): of several links, relations and parameters. */
export function nextLinkOf({ link = [] }: HttpHeaders): string | undefined {
  for (const [, target = '', given = ''] of [link].flat().join(', ').matchAll(oneLink)) {
    const parameters = [...given.matchAll(oneParameter)].map(([, name = '', quoted, bare]) => ({
      name: name.toLowerCase(),
      value: (quoted ?? bare ?? '').replace(/\\(.)/g, '$1'),
    }))
    const parameter = (wanted: string): string | undefined => parameters.find(({ name }) => name === wanted)?.value
    if (parameter('anchor') === undefined && /(^|\s)next(\s|$)/i.test(parameter('rel') ?? '')) return target.trim()
  }
  return undefined
}

/**
 * Whether a status may be another one when the request is sent again: all of ours read. 520 to 530 are those of a gateway that
 * has no answer of the server behind it.
 */
export function isPassing(status: number): boolean {
  return [408, 421, 425, 429, 500, 502, 503, 504].includes(status) || (status >= 520 && status <= 530)
}
