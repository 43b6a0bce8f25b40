import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TickEntry } from '../../archive/manifest.js'
import { passwordIn } from './authorization.js'
import { download } from './download.js'
import { folderOf, listing, resourceOf } from './folder.js'
import { indexPage } from './index-page.js'
import { type Grant, type Links, sameSecret } from './link.js'
import { multistatus, type Resource } from './multistatus.js'
import { propfindIn, propfindLimit } from './propfind.js'
import { nameOf, published } from './published.js'
import { allowed, bodyOf, say } from './say.js'
import type { Verifier } from './verifier.js'
import { type Wanted, wantedIn } from './wanted.js'

export interface Behind {
  readonly ticks: () => Promise<readonly TickEntry[]>
  readonly links: Links
  readonly verifier: Verifier
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
  readonly grant: Grant
  readonly wanted: Wanted
  /** Path of the folder. */
  readonly href: string
}

const methods: ReadonlySet<string> = new Set(allowed.split(', '))
const finiteDepth =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n'
const xml = { 'content-type': 'application/xml; charset=utf-8' }

function notFound(response: ServerResponse): void {
  say(response, 404, 'There is no such file in this share.\n')
}

function later(response: ServerResponse, seconds: number): void {
  const text = 'Files of this share are being held against their checksums; ask again soon.\n'
  say(response, 503, text, { 'retry-after': String(seconds) })
}

/** The entry of a file of the share that is what the manifest says; otherwise the request is answered. */
async function soundEntry({ response, grant, wanted }: Visit, behind: Behind): Promise<TickEntry | undefined> {
  const { ticks, verifier, patience } = behind
  const entry = published(await ticks(), grant).find((file) => nameOf(file) === wanted.name)
  const standing = entry && (await verifier.settle([entry], patience)).get(entry)
  if (standing === 'sound') return entry
  if (standing === 'unknown') later(response, verifier.remaining())
  else notFound(response)
  return undefined
}

async function propfind(visit: Visit, behind: Behind): Promise<void> {
  const { request, response, grant, wanted, href } = visit
  const depth = String(request.headers.depth ?? 'infinity')
    .trim()
    .toLowerCase()
  const body = await bodyOf(request, propfindLimit)
  if (body === undefined) {
    return say(response, 413, `The body has more than ${propfindLimit} bytes.\n`, { connection: 'close' })
  }
  if (depth === 'infinity') return say(response, 403, finiteDepth, xml)
  if (depth !== '0' && depth !== '1') return say(response, 400, 'Depth must be 0 or 1.\n')
  const asked = propfindIn(body)
  if (!asked) return say(response, 400, 'The body is not a propfind element that can be read.\n')
  const resources: Resource[] = []
  if (wanted.name === undefined) {
    const found = await listing(await behind.ticks(), grant, href, behind.verifier, behind.patience)
    if ('retryAfter' in found) return later(response, found.retryAfter)
    resources.push(folderOf(grant, href, found.files), ...(depth === '1' ? found.files : []))
  } else {
    const entry = await soundEntry(visit, behind)
    if (!entry) return
    resources.push(resourceOf(entry, href, behind.verifier))
  }
  say(response, 207, multistatus(resources, asked), xml)
}

async function folder({ response, grant, wanted, href }: Visit, behind: Behind): Promise<void> {
  if (wanted.isBare) return say(response, 301, 'The folder ends with a slash.\n', { location: `${wanted.token}/` })
  const found = await listing(await behind.ticks(), grant, href, behind.verifier, behind.patience)
  if ('retryAfter' in found) return later(response, found.retryAfter)
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" }
  say(response, 200, indexPage(`/${grant.from.slice(0, 4)}/`, found.files), headers)
}

const attempts = 3

async function file(visit: Visit, behind: Behind): Promise<void> {
  const { request, response } = visit
  for (let attempt = 0; attempt < attempts; attempt++) {
    const entry = await soundEntry(visit, behind)
    if (!entry) return
    const held = await behind.verifier.open(entry)
    if (!held) continue
    try {
      return await download(request, response, held, entry.sha256)
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
  grant: Grant | undefined,
  time: number,
): grant is Grant {
  if (!grant) {
    say(response, 404, 'There is no such share.\n')
    return false
  }
  if (time >= grant.expires * 1000) {
    say(response, 410, 'This share has expired; ask file_download for a new one.\n')
    return false
  }
  const password = passwordIn(request.headers.authorization)
  if (password !== undefined && sameSecret(password, grant.password)) return true
  const challenge = 'Basic realm="Quotebook share", charset="UTF-8"'
  say(response, 401, 'The share asks for its password; any user name will do.\n', { 'www-authenticate': challenge })
  return false
}

/** Answers a request under `/share/`: read-only WebDAV of class 1, and plain HTTP. */
export async function handle(request: IncomingMessage, response: ServerResponse, behind: Behind): Promise<void> {
  const { method = '' } = request
  if (!methods.has(method)) return say(response, 405, 'The share can only be read.\n', { allow: allowed })
  const wanted = wantedIn(request.url ?? '')
  if (!wanted) return notFound(response)
  const grant = behind.links.read(wanted.token)
  if (!admitted(request, response, grant, behind.time())) return
  const visit = { request, response, grant, wanted, href: `${behind.root}/share/${wanted.token}/` }
  if (method === 'OPTIONS') return say(response, 200, '', { dav: '1', allow: allowed })
  if (method === 'PROPFIND') return await propfind(visit, behind)
  return await (wanted.name === undefined ? folder(visit, behind) : file(visit, behind))
}
