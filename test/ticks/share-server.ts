import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestBody } from '../../src/contract/envelope.js'

/** What an answer is made of: a status, headers, and a body. */
export interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface ShareServer {
  readonly url: string
  /** `POST /api year`, `GET /path`, `PROPFIND /path`, with what it was allowed by. */
  readonly requests: string[]
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

/** A service of which a test says what it hands out, and what is behind its links. */
export async function shareServer(
  offer: (year: number, url: string) => object,
  behind: (request: IncomingMessage) => Said,
): Promise<ShareServer> {
  const requests: string[] = []
  let url = ''
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await bodyOf(request)
    if (request.method === 'POST') {
      const { params } = JSON.parse(text) as RequestBody
      requests.push(`POST ${String(params?.year)}`)
      response.end(JSON.stringify(offer(Number(params?.year), url)))
      return
    }
    requests.push(`${request.method} ${request.url}`)
    const { status = 200, headers = {}, body = '' } = behind(request)
    response.writeHead(status, headers).end(body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, requests, close }
}
