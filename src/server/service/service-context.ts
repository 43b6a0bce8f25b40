import type { Archive } from '../../data/archive/archive.js'
import type { Manifest } from '../../data/archive/manifest-entries.js'
import type { DeskFolders } from '../desk/desk-visit.js'
import type { Route } from './access-log.js'
import type { Authenticator } from './authenticator.js'
import type { EncodedCache } from './encode/encoded-cache.js'
import type { HttpExchange, ServiceLimits, ServiceLoad } from './http/service-load.js'
import type { LiveAnswers } from './live-answers.js'
import type { Metrics } from './metrics.js'
import type { Shares } from './share/tick-shares.js'

/** What requests are answered from: nothing else enters an answer. */
export interface ServiceContext {
  readonly archive: Archive
  readonly authenticator: Authenticator
  readonly shares: Shares
  readonly encoded: EncodedCache
  /** The running day; absent where the archive alone answers. */
  readonly live: LiveAnswers | undefined
  /** Headers by which the answers of one state of the archive name it. */
  readonly originHeaders: (manifest: Manifest, state: string) => Readonly<Record<string, string>>
  /** Called with a failure that nobody foresaw, or a damaged archive; the caller only hears that it is unavailable. */
  readonly onFault?: ((error: unknown) => void) | undefined
  /** What `/healthz` says beside the state of the archive. */
  readonly health: (() => Readonly<Record<string, unknown>>) | undefined
  /** What lies beside the archive, for the desk. */
  readonly folders: DeskFolders
  readonly metrics: Metrics
  readonly limits: ServiceLimits
  readonly load: ServiceLoad
  /** Address that links begin with, where the operator gives one. */
  readonly url: string | undefined
  /** Address that the server listens on. */
  readonly ownUrl: () => string
}

/** A request that is being answered, and what the log may tell of it once that is known. */
export interface Visit extends HttpExchange {
  readonly route: Route
  /** When its head was there, by a clock that never goes back. */
  readonly start: number
  readonly told: { apiname?: string | undefined; caller?: string | undefined }
}
