import { archiveHeaderName, readArchiveHeader } from '../../../../data/source/reply/archive-identity.js'
import { realClock } from '../../../../data/source/transport/clock.js'
import { type ApiCall, type HttpReply, requestBody } from './api-call.js'

/** The service has no key file: it takes any text for a key, and the page asks for none. */
export const needsNoKey = document.documentElement.dataset.key === 'none'

/** Seconds of a Retry-After header; undefined where it is absent or a date. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined
}

/**
 * Asks the service that the page came from.
 * @throws what fetch throws: no connection, or the signal's reason
 */
export async function sendCall(call: ApiCall, apikey: string, signal: AbortSignal): Promise<HttpReply> {
  const start = realClock.now()
  const response = await fetch('api', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(requestBody(call, apikey)),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  })
  const bytes = await response.arrayBuffer()
  const at = realClock.now()
  return {
    status: response.status,
    retryAfter: secondsOf(response.headers.get('retry-after')),
    origin: readArchiveHeader(response.headers.get(archiveHeaderName) ?? undefined),
    text: new TextDecoder().decode(bytes),
    bytes: bytes.byteLength,
    milliseconds: Math.round(at - start),
    at,
  }
}
