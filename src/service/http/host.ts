import type { IncomingMessage } from 'node:http'

const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
const plain = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/** Whether an address to listen on is of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === '::1' || here.test(host)
}

/** Whether a request was sent to a name of this machine: a page of another host can not pretend to be from here. */
export function isSentHere({ headers: { host } }: IncomingMessage): boolean {
  return host !== undefined && here.test(host)
}

/** Address of the service as the caller sees it: what its operator says, else the Host of the request. */
export function baseOf({ headers: { host } }: IncomingMessage, url: string | undefined, own: string): string {
  if (url !== undefined) return url
  return host !== undefined && plain.test(host) ? `http://${host}` : own
}
