import type { Archive } from '../../src/data/archive/archive.js'
import { type Service, type ServiceOptions, startService } from '../../src/server/service/server.js'
import { createShares } from '../../src/server/service/share/tick-shares.js'

/** Our own service over an archive, at a free port of this machine, with any key. */
export function serviceOver(archive: Archive, options: Partial<ServiceOptions> = {}): Promise<Service> {
  return startService({ archive, shares: createShares(archive), ...options })
}
