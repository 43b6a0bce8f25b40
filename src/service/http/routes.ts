import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Archive } from '../../archive/archive.js'
import type { Route } from '../access-log.js'
import type { Metrics } from '../metrics.js'
import { openApi } from '../openapi/openapi.js'
import { pageFiles, pageHeaders } from '../page/page-files.js'
import { type HandlerContext, respond } from '../respond.js'
import { busy, envelope, invalid, jsonType, type ServiceAnswer } from '../service-answer.js'
import { readBody, TooLargeError } from './read-body.js'
import type { ServiceLimits } from './service-limits.js'

const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
const plain = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/** Whether an address to listen on is of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === '::1' || here.test(host)
}

/** Whether a request was sent to a name of this machine: a page of another host can not pretend to be from here. */
export function isLocalRequest({ headers: { host } }: IncomingMessage): boolean {
  return host !== undefined && here.test(host)
}

/** Address of the service as the caller sees it: what its operator says, else the Host of the request. */
export function baseAddress({ headers: { host } }: IncomingMessage, url: string | undefined, own: string): string {
  if (url !== undefined) return url
  return host !== undefined && plain.test(host) ? `http://${host}` : own
}

/** What the routes stand on. */
export interface ServiceContext {
  readonly desk: HandlerContext
  readonly archive: Archive
  readonly metrics: Metrics
  readonly limits: ServiceLimits
  /** Told of a body that is waited for (1) and that is there (-1): until then its request holds nobody up. */
  readonly arriving: (count: 1 | -1) => void
  /** As many requests are being answered as may be. */
  readonly isBusy: () => boolean
  /** Address that links begin with, where the operator gives one. */
  readonly url: string | undefined
  /** Address that the server listens on. */
  readonly own: () => string
}

/** The door that a path belongs to. */
export function routeOf(path: string): Route {
  if (path === '/api') return 'api'
  if (path.startsWith('/share/')) return 'share'
  if (path === '/' || path.startsWith('/page/')) return 'page'
  if (path === '/healthz') return 'healthz'
  if (path === '/metrics') return 'metrics'
  return path === '/openapi.json' ? 'openapi' : 'other'
}

/** The path of a request target, which may also be a whole address; '' when it is neither. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  const path = end < 0 ? target : target.slice(0, end)
  if (path.startsWith('/')) return path
  return /^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? ''
}

const noPath = 'there is nothing under this path: POST /api takes requests, GET / is the test page'

function notAllowed(allow: string): ServiceAnswer {
  return envelope(405, `this path takes ${allow}`, { status: 405, headers: { allow } })
}

function text(body: string | Uint8Array, type: string, headers: Readonly<Record<string, string>> = {}): ServiceAnswer {
  const chunk = typeof body === 'string' ? Buffer.from(body) : body
  return {
    status: 200,
    headers: { 'content-type': type, ...headers },
    chunks: [chunk],
    code: 200,
    message: 'success',
    rows: 0,
  }
}

async function arrived({ arriving, limits }: ServiceContext, request: IncomingMessage): Promise<Uint8Array> {
  arriving(1)
  try {
    return await readBody(request, limits.body)
  } finally {
    arriving(-1)
  }
}

async function api(house: ServiceContext, request: IncomingMessage): Promise<ServiceAnswer> {
  const { desk, limits, url, own } = house
  if (request.method !== 'POST') return notAllowed('POST')
  const { 'content-encoding': coding } = request.headers
  if (coding !== undefined && coding !== 'identity') {
    return invalid('the body must not be compressed: send it without Content-Encoding')
  }
  try {
    const body = await arrived(house, request)
    return house.isBusy() ? busy() : await respond(desk, body, baseAddress(request, url, own()))
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    const message = `the body is longer than ${limits.body} bytes`
    return envelope(413, message, { status: 413, headers: { connection: 'close' } })
  }
}

async function healthz({ archive }: ServiceContext): Promise<ServiceAnswer> {
  const state = await archive.state()
  const body = JSON.stringify({ code: 200, message: 'success', data: { status: 'ok', state } })
  return text(body, jsonType, { 'cache-control': 'no-store' })
}

function page({ desk }: ServiceContext, path: string, request: IncomingMessage): ServiceAnswer {
  const file = pageFiles(desk.authenticator.acceptsAnyKey).get(path)
  if (!file) return envelope(404, noPath, { status: 404 })
  const found = text(file.body, file.type, { ...pageHeaders, ...file.headers })
  if (request.headers['if-none-match'] !== file.headers.ETag) return found
  return { ...found, status: 304, chunks: [] }
}

let document: Buffer | undefined

function openapi(): ServiceAnswer {
  document ??= Buffer.from(JSON.stringify(openApi()))
  return text(document, jsonType, { 'access-control-allow-origin': '*' })
}

/** The answer of every path but the share's. */
export async function answerRoute(
  house: ServiceContext,
  route: Route,
  path: string,
  request: IncomingMessage,
): Promise<ServiceAnswer> {
  if (route === 'api') return api(house, request)
  if (route === 'other') return envelope(404, noPath, { status: 404 })
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD')
  if (route === 'healthz') return healthz(house)
  if (route === 'metrics') {
    const { metrics } = house
    return text(await metrics.text(), metrics.contentType, { 'cache-control': 'no-store' })
  }
  return route === 'openapi' ? openapi() : page(house, path, request)
}

/** What a share sends goes out as it is read. */
export function handShare({ desk }: ServiceContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return desk.shares.handle(request, response)
}
