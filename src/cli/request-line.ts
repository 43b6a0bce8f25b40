import type { RequestLog } from '../source/ask.js'

const longest = 3

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.length > longest ? `${value.slice(0, longest).join('+')}+… (${value.length})` : value.join('+')
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** One attempt at a request in one line, without the key. */
export function requestLine({ dataset, params, node, attempt, milliseconds, ...rest }: RequestLog): string {
  const asked = Object.entries(params).map(([name, value]) => `${name}=${valueText(value)}`)
  const time = `${Math.round(milliseconds)} ms`
  const came =
    rest.outcome === 'answered'
      ? `${rest.rows} rows, ${sizeText(rest.bytes ?? 0)}, ${time}`
      : `${rest.error} after ${time}: ${rest.message?.replace(`${dataset}: `, '')}`
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return [dataset, ...asked, `${node}${again}:`, came].join(' ')
}
