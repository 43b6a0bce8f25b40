import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TickEntry } from '../../archive/manifest-entries.js'
import { readBody, TooLargeError } from '../http/read-body.js'
import type { FileVerifier } from './file-verifier.js'
import {
  fileResource,
  filesIn,
  folderResource,
  indexPage,
  listFolder,
  multistatus,
  type ShareResource,
  sharedName,
} from './folder-listing.js'
import { parsePropfind, propfindLimit } from './propfind.js'
import { sendFile, sendText } from './share-response.js'
import {
  basicPassword,
  parseSharePath,
  type ShareGrant,
  type ShareLinks,
  type SharePath,
  sameSecret,
} from './signed-link.js'

export interface ShareContext {
  readonly ticks: () => Promise<readonly TickEntry[]>
  readonly links: ShareLinks
  readonly verifier: FileVerifier
  /** Milliseconds since 1970. */
  readonly time: () => number
  /** Milliseconds to wait for files that are not yet verified. */
  readonly patience: number
  /** Path that a proxy takes off before a request comes here, without a slash at its end; '' when there is none. */
  readonly root: string
}

/** A request that is let in. */
interface ShareRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly grant: ShareGrant
  readonly path: SharePath
  /** Path of the folder. */
  readonly href: string
}

const methods = 'OPTIONS, PROPFIND, GET, HEAD'
const finiteDepth =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n'
const xml = { 'content-type': 'application/xml; charset=utf-8' }

function sendNotFound(response: ServerResponse): void {
  sendText(response, 404, 'There is no such file in this share.\n')
}

function sendRetryLater(response: ServerResponse, seconds: number): void {
  const text = 'Files of this share are being held against their checksums; ask again soon.\n'
  sendText(response, 503, text, { 'retry-after': String(seconds) })
}

/** The entry of a file of the share that is what the manifest says; otherwise the request is answered. */
async function validEntry(
  { response, grant, path }: ShareRequest,
  { ticks, verifier, patience }: ShareContext,
): Promise<TickEntry | undefined> {
  const entry = filesIn(await ticks(), grant).find((file) => sharedName(file) === path.name)
  const state = entry && (await verifier.verify([entry], patience)).get(entry)
  if (state === 'valid') return entry
  if (state === 'unverified') sendRetryLater(response, verifier.remaining())
  else sendNotFound(response)
  return undefined
}

/** The files of the folder; undefined while not all are verified: then the request is answered. */
async function folderFiles(
  { response, grant, href }: ShareRequest,
  { ticks, verifier, patience }: ShareContext,
): Promise<readonly ShareResource[] | undefined> {
  const listing = await listFolder(await ticks(), grant, href, verifier, patience)
  if ('files' in listing) return listing.files
  sendRetryLater(response, listing.retryAfter)
  return undefined
}

/** The body of a PROPFIND; undefined when it is too long: then the request is answered. */
async function propfindBody({ request, response }: ShareRequest): Promise<string | undefined> {
  try {
    return Buffer.from(await readBody(request, propfindLimit)).toString('utf8')
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    sendText(response, 413, `The body has more than ${propfindLimit} bytes.\n`, { connection: 'close' })
    return undefined
  }
}

async function answerPropfind(visit: ShareRequest, context: ShareContext): Promise<void> {
  const { request, response, grant, path, href } = visit
  const depth = String(request.headers.depth ?? 'infinity')
    .trim()
    .toLowerCase()
  const body = await propfindBody(visit)
  if (body === undefined) return
  if (depth === 'infinity') return sendText(response, 403, finiteDepth, xml)
  if (depth !== '0' && depth !== '1') return sendText(response, 400, 'Depth must be 0 or 1.\n')
  const propfind = parsePropfind(body)
  if (!propfind) return sendText(response, 400, 'The body is not a propfind element that can be read.\n')
  if (path.name === undefined) {
    const files = await folderFiles(visit, context)
    const resources = files && [folderResource(grant, href, files), ...(depth === '1' ? files : [])]
    if (resources) sendText(response, 207, multistatus(resources, propfind), xml)
    return
  }
  const entry = await validEntry(visit, context)
  if (entry) sendText(response, 207, multistatus([fileResource(entry, href, context.verifier)], propfind), xml)
}

async function answerFolder(visit: ShareRequest, context: ShareContext): Promise<void> {
  const { response, grant, path } = visit
  if (path.lacksSlash) return sendText(response, 301, 'The folder ends with a slash.\n', { location: `${path.token}/` })
  const files = await folderFiles(visit, context)
  if (!files) return
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" }
  sendText(response, 200, indexPage(`/${grant.from.slice(0, 4)}/`, files), headers)
}

/** A file may be replaced between being verified and being opened. */
const attempts = 3

async function answerFile(visit: ShareRequest, context: ShareContext): Promise<void> {
  const { request, response } = visit
  for (let attempt = 0; attempt < attempts; attempt++) {
    const entry = await validEntry(visit, context)
    if (!entry) return
    const file = await context.verifier.open(entry)
    if (!file) continue
    try {
      return await sendFile(request, response, file, entry.sha256)
    } finally {
      await file.handle.close()
    }
  }
  sendRetryLater(response, context.verifier.remaining())
}

/** Whether a request has a right to a grant; otherwise it is answered. */
function isAdmitted(
  request: IncomingMessage,
  response: ServerResponse,
  grant: ShareGrant | undefined,
  time: number,
): grant is ShareGrant {
  if (!grant) {
    sendText(response, 404, 'There is no such share.\n')
    return false
  }
  if (time >= grant.expires * 1000) {
    sendText(response, 410, 'This share has expired; ask file_download for a new one.\n')
    return false
  }
  const password = basicPassword(request.headers.authorization)
  if (password !== undefined && sameSecret(password, grant.password)) return true
  const headers = { 'www-authenticate': 'Basic realm="Quotebook share", charset="UTF-8"' }
  sendText(response, 401, 'The share asks for its password; any user name will do.\n', headers)
  return false
}

/** Answers a request under `/share/`: read-only WebDAV of class 1, and plain HTTP. */
export async function handleShareRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ShareContext,
): Promise<void> {
  const { method = '' } = request
  if (!methods.split(', ').includes(method)) {
    return sendText(response, 405, 'The share can only be read.\n', { allow: methods })
  }
  const path = parseSharePath(request.url ?? '')
  if (!path) return sendNotFound(response)
  const grant = context.links.read(path.token)
  if (!isAdmitted(request, response, grant, context.time())) return
  const visit = { request, response, grant, path, href: `${context.root}/share/${path.token}/` }
  if (method === 'OPTIONS') return sendText(response, 200, '', { dav: '1', allow: methods })
  if (method === 'PROPFIND') return await answerPropfind(visit, context)
  return await (path.name === undefined ? answerFolder(visit, context) : answerFile(visit, context))
}
