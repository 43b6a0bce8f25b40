import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../helper/listen.js'

/** What a folder behind HTTP was asked. */
export interface Asked {
  /** `GET /folder/file`. */
  readonly line: string
  readonly authorization: string | undefined
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

export interface FolderOptions {
  /** Lists by PROPFIND, or by a page of links; `page` when absent. */
  readonly listing?: 'webdav' | 'page'
  /** `user:password` that is let in; anybody when absent. */
  readonly login?: string
  /** Entity tag of a file; a short one of its bytes when absent. */
  readonly tagOf?: (bytes: Uint8Array) => string | undefined
  /** Answers in the place of the folder; false leaves it to the folder. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse, times: number) => boolean
}

export interface FolderServer {
  /** `http://127.0.0.1:PORT` */
  readonly base: string
  /** Address of the folder, which looks like a secret. */
  readonly link: string
  readonly asked: Asked[]
  close(): Promise<void>
}

export const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const shortTag = (bytes: Uint8Array): string => `"${sumOf(bytes).slice(0, 16)}"`

function multistatus(path: string, files: ReadonlyMap<string, Uint8Array>, tagOf: FolderOptions['tagOf']): string {
  const response = (href: string, props: string): string =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
  const folder = response(path, '<d:resourcetype><d:collection/></d:resourcetype>')
  const listed = [...files].map(([name, bytes]) => {
    const tag = tagOf?.(bytes)
    const etag = tag === undefined ? '' : `<d:getetag>${tag}</d:getetag>`
    return response(
      path + name,
      `<d:resourcetype/><d:getcontentlength>${bytes.length}</d:getcontentlength>${etag}<d:getlastmodified>Wed, 29 Jul 2026 10:00:00 GMT</d:getlastmodified>`,
    )
  })
  return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">${folder}${listed.join('')}</d:multistatus>`
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array,
  tag: string | undefined,
): void {
  const { range = '', 'if-range': condition } = request.headers
  const from = condition === undefined || condition === tag ? Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0) : 0
  const headers = { ...(tag === undefined ? {} : { etag: tag }), 'content-length': bytes.length - from }
  if (from > 0)
    response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
  else response.writeHead(200, headers)
  response.end(bytes.subarray(from))
}

/** Serves a folder of files by name, as nginx or a WebDAV server would, on a port of its own. */
export async function serveFolder(
  files: ReadonlyMap<string, Uint8Array>,
  { listing = 'page', login, tagOf = shortTag, instead }: FolderOptions = {},
): Promise<FolderServer> {
  const path = '/s3cret-link/'
  const asked: Asked[] = []
  const times = new Map<string, number>()
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const { authorization, range, 'if-range': ifRange } = headers
    const line = `${method} ${url}`
    asked.push({ line, authorization, range, ifRange: ifRange as string | undefined })
    const count = times.get(line) ?? 0
    times.set(line, count + 1)
    if (instead?.(request, response, count)) return
    const allowed = login === undefined || authorization === `Basic ${Buffer.from(login).toString('base64')}`
    const bytes = files.get(decodeURIComponent(url.slice(path.length)))
    if (!allowed) response.writeHead(401).end()
    else if (method === 'PROPFIND' && listing === 'webdav' && url === path)
      response.writeHead(207, { 'content-type': 'application/xml' }).end(multistatus(path, files, tagOf))
    else if (method !== 'GET') response.writeHead(405).end()
    else if (url === path && listing === 'page')
      response.end([...files.keys()].map((name) => `<a href="${encodeURI(name)}">${name}</a>`).join('\n'))
    else if (bytes) sendFile(request, response, bytes, tagOf(bytes))
    else response.writeHead(404).end()
  })
  const { url: base, close } = await listen(server)
  return { base, link: base + path, asked, close }
}
