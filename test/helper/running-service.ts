import { join } from 'node:path'
import { Archive } from '../../src/data/archive/archive.js'
import type { ArchivePlace } from '../../src/data/archive/store/store-of.js'
import { type AccessEntry, accessLine } from '../../src/server/service/access-log.js'
import { type Authenticator, acceptAnyKey } from '../../src/server/service/authenticator.js'
import type { ServiceLimits } from '../../src/server/service/http/service-load.js'
import { KeyRing } from '../../src/server/service/keys/key-ring.js'
import { type ServiceOptions, startService } from '../../src/server/service/server.js'
import { createShares, type SharesOptions } from '../../src/server/service/share/tick-shares.js'

export const sampleArchive = join('data', 'sample')

export interface Running {
  readonly url: string
  readonly port: number
  readonly archive: Archive
  readonly entries: readonly AccessEntry[]
  /** What the access log would show. */
  log(): string
  /** What only the operator hears of. */
  readonly faults: readonly unknown[]
  close(): Promise<void>
}

export interface RunOptions {
  readonly dir?: ArchivePlace
  /** A key file; without it any key will do. */
  readonly keys?: string
  readonly limits?: Partial<ServiceLimits>
  readonly proxies?: ServiceOptions['proxies']
  /** Milliseconds since 1970, for expiry of keys and windows of plans. */
  readonly time?: () => number
  /** Milliseconds of a clock that never goes back, for looking at the key file. */
  readonly clock?: { now(): number }
  readonly shares?: SharesOptions
  /** What answers `/mcp`. */
  readonly agents?: (archive: Archive, authenticator: Authenticator) => ServiceOptions['agents']
}

/** The service over an archive, in this process, on a port that is free. */
export async function runService({
  dir = sampleArchive,
  keys,
  limits,
  proxies,
  time,
  clock,
  shares,
  agents,
}: RunOptions = {}): Promise<Running> {
  const archive = new Archive(dir, 'sample')
  const entries: AccessEntry[] = []
  const faults: unknown[] = []
  const ofTime = time ? { time } : {}
  const ring = keys === undefined ? undefined : new KeyRing(keys, { ...ofTime, ...(clock ? { clock } : {}) })
  const service = await startService({
    archive,
    agents: agents?.(archive, ring ?? acceptAnyKey()),
    shares: createShares(archive, {
      patience: 30_000,
      keys: ring && (() => ring.inForce()),
      onFault: (fault) => faults.push(fault),
      ...ofTime,
      ...shares,
    }),
    authenticator: ring,
    limits,
    proxies,
    onAnswer: (entry) => entries.push(entry),
    onFault: (error) => faults.push(error),
  })
  return {
    url: service.url,
    port: Number(new URL(service.url).port),
    archive,
    entries,
    log: () => entries.map(accessLine).join('\n'),
    faults,
    close: () => service.close(),
  }
}
