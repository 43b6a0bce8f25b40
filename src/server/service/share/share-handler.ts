import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { errorText } from '../../../contract/error-message.js'
import { sentence } from '../../../contract/sentence.js'
import type { TickEntry } from '../../../data/archive/manifest-entries.js'
import { languageAsked } from '../http/client-address.js'
import { RefusedError } from '../refused-error.js'
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
import { sendFile, sendText } from './share-response.js'
import { basicPassword, parseSharePath, type ShareGrant, type ShareLinks, sameSecret } from './signed-link.js'

export interface ShareContext {
  readonly ticks: () => Promise<readonly TickEntry[]>
  readonly links: ShareLinks
  /** The keys in force, by their names: the links of any other have ended. Undefined where no key is asked for. */
  readonly keys: (() => ReadonlyMap<string, string>) | undefined
  readonly verifier: FileVerifier
  /** Milliseconds since 1970. */
  readonly time: () => number
  /** Milliseconds to wait for files that are not yet verified. */
  readonly patience: number
  /** Path that a proxy takes off before a request comes here, without a slash at its end; '' when there is none. */
  readonly root: string
}

/** A request that is let in. */
interface ShareRequest extends ShareContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly grant: ShareGrant
  readonly token: string
  /** Name of a file; undefined for the folder. */
  readonly name: string | undefined
  readonly lacksSlash: boolean
  /** Path of the folder. */
  readonly href: string
}

type TextAnswer = readonly [status: number, text: string, headers?: OutgoingHttpHeaders]

const finiteDepth =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n'
const xml = { 'content-type': 'application/xml; charset=utf-8' }

function noSuchFile(): RefusedError {
  return new RefusedError(404, sentence`There is no such file in this share.`)
}

function retryLater(verifier: FileVerifier): RefusedError {
  const text = sentence`Files of this share are being compared with their checksums; ask again soon.`
  return new RefusedError(503, text, { headers: { 'retry-after': String(verifier.remaining()) } })
}

/** The entry of the file of a request, which is what the manifest says. */
async function validEntry({ grant, name, ticks, verifier, patience }: ShareRequest): Promise<TickEntry> {
  const entry = filesIn(await ticks(), grant).find((file) => sharedName(file) === name)
  const state = entry && (await verifier.verify([entry], patience)).get(entry)
  if (state === 'valid') return entry as TickEntry
  throw state === 'unverified' ? retryLater(verifier) : noSuchFile()
}

async function folderFiles({ grant, href, ticks, verifier, patience }: ShareRequest): Promise<ShareResource[]> {
  const entries = await listFolder(await ticks(), grant, verifier, patience)
  if (!entries) throw retryLater(verifier)
  return entries.map((entry) => fileResource(entry, href, verifier))
}

async function answerPropfind(visit: ShareRequest): Promise<TextAnswer> {
  const { request, grant, name, href, verifier } = visit
  const { depth = 'infinity' } = request.headers
  if (depth !== '0' && depth !== '1') return [403, finiteDepth, xml]
  if (name !== undefined) return [207, multistatus([fileResource(await validEntry(visit), href, verifier)]), xml]
  const files = await folderFiles(visit)
  return [207, multistatus([folderResource(grant, href, files), ...(depth === '1' ? files : [])]), xml]
}

/** A file may be replaced between being verified and being opened. */
const attempts = 3

/** Answers GET and HEAD; undefined when a file was sent. */
async function answerGet(visit: ShareRequest): Promise<TextAnswer | undefined> {
  const { request, response, grant, token, name, lacksSlash, verifier } = visit
  if (lacksSlash) return [301, 'The folder ends with a slash.\n', { location: `${token}/` }]
  if (name === undefined) {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" }
    return [200, indexPage(`/${grant.from.slice(0, 4)}/`, await folderFiles(visit)), headers]
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const entry = await validEntry(visit)
    const file = await verifier.open(entry)
    if (!file) continue
    try {
      await sendFile(request, response, file, entry.sha256)
      return undefined
    } finally {
      await file.close()
    }
  }
  throw retryLater(verifier)
}

const answers: Readonly<Record<string, (visit: ShareRequest) => Promise<TextAnswer | undefined>>> = {
  OPTIONS: async () => [200, '', { dav: '1', allow: methods }],
  PROPFIND: answerPropfind,
  GET: answerGet,
  HEAD: answerGet,
}
const methods = Object.keys(answers).join(', ')

/** What the link of a request gives, if the link lives and the request has its password. */
function grantOf({ headers }: IncomingMessage, token: string, { links, time, keys }: ShareContext): ShareGrant {
  const grant = links.read(token)
  if (!grant) throw new RefusedError(404, sentence`There is no such share.`)
  if (time() >= grant.expires * 1000 || (keys && !links.callersOf(keys()).has(grant.caller))) {
    throw new RefusedError(410, sentence`This share has expired; ask file_download for a new one.`)
  }
  const password = basicPassword(headers.authorization)
  if (password !== undefined && sameSecret(password, grant.password)) return grant
  const ask = { 'www-authenticate': 'Basic realm="Quotebook share", charset="UTF-8"' }
  throw new RefusedError(401, sentence`The share asks for its password; any user name will do.`, { headers: ask })
}

/** Answers a request under `/share/`: read-only WebDAV of class 1, and plain HTTP. */
export async function handleShareRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ShareContext,
): Promise<void> {
  const { method = '' } = request
  const answerTo = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (!answerTo) return sendText(response, 405, 'The share can only be read.\n', { allow: methods })
  try {
    const path = parseSharePath(request.url ?? '')
    if (!path) throw noSuchFile()
    const grant = grantOf(request, path.token, context)
    const href = `${context.root}/share/${path.token}/`
    const answer = await answerTo({ ...context, ...path, request, response, grant, href })
    if (answer) sendText(response, ...answer)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const text = await errorText(error, languageAsked(request))
    sendText(response, error.status, `${text}\n`, error.about.headers)
  }
}
