import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TickEntry } from '../../archive/manifest.js'
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
import {
  basicPassword,
  parseSharePath,
  type ShareGrant,
  type ShareLinks,
  type SharePath,
  sameSecret,
} from './share-link.js'
import { readText, sendFile, sendText, shareMethods } from './share-response.js'

export interface ShareContext {
  readonly ticks: () => Promise<readonly TickEntry[]>
  readonly links: ShareLinks
  readonly verifier: FileVerifier
  /** Milliseconds since 1970. */
  readonly time: () => number
  readonly patience: number
  /** Path that a proxy takes off before a request comes here, without a slash at its end; '' when there is none. */
  readonly root: string
}

/** A request that is let in. */
interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly grant: ShareGrant
  readonly wanted: SharePath
  /** Path of the folder. */
  readonly href: string
}

const methods: ReadonlySet<string> = new Set(shareMethods.split(', '))
const finiteDepth =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n'
const xml = { 'content-type': 'application/xml; charset=utf-8' }

function notFound(response: ServerResponse): void {
  sendText(response, 404, 'There is no such file in this share.\n')
}

function later(response: ServerResponse, seconds: number): void {
  const text = 'Files of this share are being held against their checksums; ask again soon.\n'
  sendText(response, 503, text, { 'retry-after': String(seconds) })
}

/** The entry of a file of the share that is what the manifest says; otherwise the request is answered. */
async function soundEntry({ response, grant, wanted }: Visit, behind: ShareContext): Promise<TickEntry | undefined> {
  const { ticks, verifier, patience } = behind
  const entry = filesIn(await ticks(), grant).find((file) => sharedName(file) === wanted.name)
  const standing = entry && (await verifier.verify([entry], patience)).get(entry)
  if (standing === 'sound') return entry
  if (standing === 'unknown') later(response, verifier.remaining())
  else notFound(response)
  return undefined
}

async function propfind(visit: Visit, behind: ShareContext): Promise<void> {
  const { request, response, grant, wanted, href } = visit
  const depth = String(request.headers.depth ?? 'infinity')
    .trim()
    .toLowerCase()
  const body = await readText(request, propfindLimit)
  if (body === undefined) {
    return sendText(response, 413, `The body has more than ${propfindLimit} bytes.\n`, { connection: 'close' })
  }
  if (depth === 'infinity') return sendText(response, 403, finiteDepth, xml)
  if (depth !== '0' && depth !== '1') return sendText(response, 400, 'Depth must be 0 or 1.\n')
  const asked = parsePropfind(body)
  if (!asked) return sendText(response, 400, 'The body is not a propfind element that can be read.\n')
  const resources: ShareResource[] = []
  if (wanted.name === undefined) {
    const found = await listFolder(await behind.ticks(), grant, href, behind.verifier, behind.patience)
    if ('retryAfter' in found) return later(response, found.retryAfter)
    resources.push(folderResource(grant, href, found.files), ...(depth === '1' ? found.files : []))
  } else {
    const entry = await soundEntry(visit, behind)
    if (!entry) return
    resources.push(fileResource(entry, href, behind.verifier))
  }
  sendText(response, 207, multistatus(resources, asked), xml)
}

async function folder({ response, grant, wanted, href }: Visit, behind: ShareContext): Promise<void> {
  if (wanted.isBare) return sendText(response, 301, 'The folder ends with a slash.\n', { location: `${wanted.token}/` })
  const found = await listFolder(await behind.ticks(), grant, href, behind.verifier, behind.patience)
  if ('retryAfter' in found) return later(response, found.retryAfter)
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" }
  sendText(response, 200, indexPage(`/${grant.from.slice(0, 4)}/`, found.files), headers)
}

const attempts = 3

async function file(visit: Visit, behind: ShareContext): Promise<void> {
  const { request, response } = visit
  for (let attempt = 0; attempt < attempts; attempt++) {
    const entry = await soundEntry(visit, behind)
    if (!entry) return
    const held = await behind.verifier.open(entry)
    if (!held) continue
    try {
      return await sendFile(request, response, held, entry.sha256)
    } finally {
      await held.handle.close()
    }
  }
  later(response, behind.verifier.remaining())
}

/** The grant that a request has a right to; otherwise the request is answered. */
function admitted(
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
  const challenge = 'Basic realm="Quotebook share", charset="UTF-8"'
  sendText(response, 401, 'The share asks for its password; any user name will do.\n', {
    'www-authenticate': challenge,
  })
  return false
}

/** Answers a request under `/share/`: read-only WebDAV of class 1, and plain HTTP. */
export async function handleShareRequest(
  request: IncomingMessage,
  response: ServerResponse,
  behind: ShareContext,
): Promise<void> {
  const { method = '' } = request
  if (!methods.has(method)) return sendText(response, 405, 'The share can only be read.\n', { allow: shareMethods })
  const wanted = parseSharePath(request.url ?? '')
  if (!wanted) return notFound(response)
  const grant = behind.links.read(wanted.token)
  if (!admitted(request, response, grant, behind.time())) return
  const visit = { request, response, grant, wanted, href: `${behind.root}/share/${wanted.token}/` }
  if (method === 'OPTIONS') return sendText(response, 200, '', { dav: '1', allow: shareMethods })
  if (method === 'PROPFIND') return await propfind(visit, behind)
  return await (wanted.name === undefined ? folder(visit, behind) : file(visit, behind))
}
