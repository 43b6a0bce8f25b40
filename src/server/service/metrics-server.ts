import { createServer } from 'node:http'
import { readFollowStatus } from '../../data/archive/follow-status.js'
import { emptyManifest } from '../../data/archive/manifest.js'
import type { ArchiveStore } from '../../data/archive/store/archive-store.js'
import { listen, stop } from './http/listen.js'
import { isLocalRequest, isLoopback, pathOf } from './http/routes.js'
import { createFollowMetrics } from './metrics.js'
import type { Service } from './server.js'

/**
 * `GET /metrics` of the process that keeps an archive up to a source. On an address of this machine it answers requests to its
 * own names alone, as the service does.
 * @throws QuotebookError USAGE for an address that is taken
 */
export async function serveMetrics(store: ArchiveStore, host: string, port: number): Promise<Service> {
  const manifest = async () => (await store.read())?.manifest ?? emptyManifest
  const metrics = await createFollowMetrics(() => readFollowStatus(store.workFolder), manifest)
  const server = createServer((request, response) => {
    const isMeant = pathOf(request.url ?? '') === '/metrics' && (!isLoopback(host) || isLocalRequest(request))
    if (!isMeant) {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  const url = await listen(server, port, host)
  return { url, close: () => stop(server, 1000) }
}
