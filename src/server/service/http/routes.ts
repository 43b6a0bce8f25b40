import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { allDatasets, ownDatasets } from '../../../contract/catalogue.js'
import { messageOf, ParamsError, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { newestDays, waitingByDataset } from '../../../data/archive/newest-days.js'
import { yieldTurn } from '../../../threads/yield.js'
import type { Route } from '../access-log.js'
import { openApi } from '../openapi/openapi.js'
import { answerDesk, isOfDesk } from '../page/desk-door.js'
import { type PageFile, pageFiles, pageHeaders, testPage, withOwn } from '../page/page-files.js'
import { isOfSite, siteFile } from '../page/site-files.js'
import { RefusedError } from '../refused-error.js'
import { respond } from '../respond.js'
import { content, envelope, jsonType, type ServiceAnswer } from '../service-answer.js'
import type { ServiceContext, Visit } from '../service-context.js'
import { answerQuery } from '../whole/answer-whole.js'
import { withFunctions } from '../whole/python-functions.js'
import { languageAsked } from './client-address.js'
import { TooLargeError } from './read-body.js'

const notStored = { 'cache-control': 'no-store' }

const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/** Whether an address to listen on is of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === '::1' || localHost.test(host)
}

/** Whether a request was sent to a name of this machine: a page of another host can not pretend to be from here. */
export function isLocalRequest({ headers: { host } }: IncomingMessage): boolean {
  return host !== undefined && localHost.test(host)
}

/** A page of another site may not speak for its reader. Browsers name it in Origin, where they leave that out in Sec-Fetch-Site. */
function isForeign({ headers: { origin, host, 'sec-fetch-site': site = 'none' } }: IncomingMessage): boolean {
  if (site !== 'none' && site !== 'same-origin') return true
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}

/** @throws RefusedError of a page of another site */
export function refuseForeign(request: IncomingMessage): void {
  if (isForeign(request))
    throw new RefusedError(403, sentence`this is not for pages of other sites`, { isOfHttp: true })
}

/** @throws RefusedError of a page where no key protects from it: also of what browsers send without asking first */
export function refusePage(request: IncomingMessage): void {
  refuseForeign(request)
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers
  if (request.method === 'POST' && (origin ?? site) !== undefined && !/^application\/json\s*(;|$)/i.test(type))
    throw new RefusedError(415, sentence`a page must send its request with Content-Type: application/json`)
}

/** Address of the service as the caller sees it: what its operator says, else the Host of the request. */
function baseAddress({ headers: { host } }: IncomingMessage, { url, ownUrl }: ServiceContext): string {
  return url ?? (host !== undefined && plainHost.test(host) ? `http://${host}` : ownUrl())
}

/** The path of a request target, which may also be a whole address; '' when it is neither. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  const path = end < 0 ? target : target.slice(0, end)
  if (path.startsWith('/')) return path
  return /^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? ''
}

const routeByPath: Readonly<Record<string, Route>> = {
  '/api': 'api',
  '/mcp': 'mcp',
  [testPage]: 'page',
  '/healthz': 'healthz',
  '/metrics': 'metrics',
  '/openapi.json': 'openapi',
}

export function routeOf(path: string): Route {
  if (path.startsWith('/share/')) return 'share'
  if (path.startsWith('/query/')) return 'query'
  if (path.startsWith('/page/') || path === '/client/quotebook.py' || isOfSite(path) || isOfDesk(path)) return 'page'
  return Object.hasOwn(routeByPath, path) ? (routeByPath[path] as Route) : 'other'
}

const notFound = (): RefusedError =>
  new RefusedError(
    404,
    sentence`there is nothing under this path: POST /api takes requests, GET / is the desk, GET /try the test page`,
  )

const notAllowed = (allow: string): RefusedError =>
  new RefusedError(405, sentence`this path takes ${allow}`, { headers: { allow } })

/** @throws RefusedError of a request on /api or /query/ before its body is read */
export function refuseBody({ method, headers }: IncomingMessage, route: 'api' | 'query'): void {
  if (route === 'query' && method === 'GET') return
  if (method !== 'POST') throw notAllowed(route === 'query' ? 'GET, POST' : 'POST')
  const { 'content-encoding': coding = 'identity' } = headers
  if (coding !== 'identity')
    throw new ParamsError('body', sentence`the body must not be compressed: send it without Content-Encoding`)
}

/**
 * An answer, or nothing but its headers where the client has it already: `tags` is its If-None-Match, where a tag is the sha256
 * of a body. RFC 9110, 13.1.2: the status is then 412, since the method is POST; 304 belongs to GET.
 */
export async function ifNoneMatch(answer: ServiceAnswer, tags: string | undefined): Promise<ServiceAnswer> {
  if (tags === undefined || answer.status !== 200) return answer
  const hash = createHash('sha256')
  for (const chunk of answer.pieces?.() ?? answer.chunks) {
    hash.update(chunk)
    if (answer.pieces) await yieldTurn()
  }
  const etag = `"${hash.digest('hex')}"`
  const tagged = { ...answer, headers: { ...answer.headers, etag } }
  return tags.includes(etag) ? { ...tagged, status: 412, chunks: [], pieces: undefined, rows: 0 } : tagged
}

/** The answer to a body that was sent to /api or /query/; an error that kept it from being there is thrown. */
export async function answerBody(
  context: ServiceContext,
  visit: Visit,
  body: Uint8Array | Error,
): Promise<ServiceAnswer> {
  if (body instanceof TooLargeError) {
    const message = sentence`the body is longer than ${context.limits.body} bytes`
    throw new RefusedError(413, message, { headers: { connection: 'close' } })
  }
  if (body instanceof Error) throw body
  if (visit.route === 'query') return answerQuery(context, visit, body)
  return respond(context, body, visit.told, () => baseAddress(visit.request, context))
}

function fileAnswer({ body, type, headers }: PageFile): ServiceAnswer {
  return content(body, type, { ...pageHeaders, ...headers })
}

/** A file, or nothing but its headers where the client has it already. */
function unlessKept(file: PageFile, request: IncomingMessage): ServiceAnswer {
  const found = fileAnswer(file)
  return request.headers['if-none-match'] === file.headers.ETag ? { ...found, status: 304, chunks: [] } : found
}

/** The documentation, which is there when it was built. */
function answerSite(path: string, request: IncomingMessage): ServiceAnswer {
  if (path === '/docs') {
    const place = languageAsked(request) === 'zh' ? 'docs/zh/' : 'docs/'
    const headers = { location: place, vary: 'accept-language' }
    return envelope(301, sentence`the documentation is at ${`/${place}`}`, { status: 301, headers })
  }
  try {
    const { file, isThere } = siteFile(path)
    return isThere ? unlessKept(file, request) : { ...fileAnswer(file), status: 404 }
  } catch (error) {
    throw error instanceof QuotebookError ? new RefusedError(404, messageOf(error)) : error
  }
}

/** The datasets of one's own that are served, for the page. */
const ownPath = '/page/own-datasets.json'
const clientPath = '/client/quotebook.py'

function answerPage({ authenticator }: ServiceContext, path: string, request: IncomingMessage): ServiceAnswer {
  if (path === ownPath) return content(JSON.stringify(ownDatasets()), jsonType, { ...pageHeaders, ...notStored })
  const file = pageFiles(authenticator.acceptsAnyKey).get(path)
  if (!file) throw notFound()
  if (ownDatasets().length > 0 && (path === clientPath || path === testPage)) {
    const body = path === testPage ? withOwn(file.body) : withFunctions(file.body, allDatasets())
    return content(body, file.type, { ...pageHeaders, ...notStored })
  }
  return unlessKept(file, request)
}

let openApiText: { readonly of: string; readonly body: Buffer } | undefined

/** The document of what is served now. */
function openApiBody(): Buffer {
  const of = JSON.stringify(ownDatasets().map(({ own }) => own))
  if (openApiText?.of !== of) openApiText = { of, body: Buffer.from(JSON.stringify(openApi())) }
  return openApiText.body
}

/** The answer of every path but those of the share and of /api. @throws RefusedError */
export async function answerRoute(
  context: ServiceContext,
  { route, request }: Visit,
  path: string,
): Promise<ServiceAnswer> {
  if (route === 'other' || route === 'mcp') throw notFound()
  if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed('GET, HEAD')
  const { archive, metrics, live, health } = context
  if (route === 'healthz') {
    const manifest = await archive.manifest()
    const newest = Object.fromEntries(newestDays(manifest))
    const waiting = Object.fromEntries(waitingByDataset(manifest))
    const own = { status: 'ok', store: archive.name, state: await archive.state(), newest, waiting, ...health?.() }
    const data = { ...own, ...(live && { source: await live.health() }) }
    return content(JSON.stringify({ code: 200, message: 'success', data }), jsonType, notStored)
  }
  if (route === 'metrics') return content(await metrics.text(), metrics.contentType, notStored)
  if (isOfSite(path)) return answerSite(path, request)
  if (isOfDesk(path)) return answerDesk(context, request, path)
  if (route === 'page') return answerPage(context, path, request)
  return content(openApiBody(), jsonType, { 'access-control-allow-origin': '*' })
}
