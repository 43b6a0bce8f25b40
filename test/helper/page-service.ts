import { createServer, type ServerResponse } from 'node:http'
import { archiveHeaderName } from '../../src/data/source/reply/archive-identity.js'
import type { Source } from '../../src/data/source/source.js'
import { pageFiles, pageHeaders } from '../../src/server/service/page/page-files.js'
import { listen } from './listen.js'
import { type Request, serve } from './service.js'

export interface PageService {
  readonly url: string
  /** Requests that reached `POST /api`. */
  readonly requests: readonly Request[]
  close(): Promise<void>
}

/** The test page and the service that it asks, at one address. `before` may answer instead. */
export async function servePage(
  source: Source,
  before: (request: Request, response: ServerResponse) => boolean = () => false,
): Promise<PageService> {
  const service = await serve(source, before)
  const files = pageFiles()
  const server = createServer((request, response) => {
    const file = files.get(new URL(String(request.url), 'http://127.0.0.1').pathname)
    if (request.method === 'GET') {
      if (!file) response.writeHead(404, pageHeaders).end()
      else response.writeHead(200, { ...pageHeaders, ...file.headers, 'Content-Type': file.type }).end(file.body)
      return
    }
    const pass = async (): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = await fetch(`${service.url}/api`, { method: 'POST', body: Buffer.concat(chunks) })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const kept = ['content-type', 'retry-after', archiveHeaderName].flatMap((name): [string, string][] => {
        const value = answer.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      response.writeHead(answer.status, Object.fromEntries(kept))
      response.end(bytes)
    }
    pass().catch(() => response.destroy())
  })
  const { url, close } = await listen(server)
  return {
    url,
    requests: service.requests,
    close: async () => {
      await Promise.all([close(), service.close()])
    },
  }
}
