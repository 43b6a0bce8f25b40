import type { Archive } from '../../src/archive/archive.js'
import { type Service, type ServiceOptions, startService } from '../../src/service/server.js'
import { createShares } from '../../src/service/share/tick-shares.js'

/** Our own service over an archive, at a free port of this machine, with any key. */
export function serviceOver(archive: Archive, options: Partial<ServiceOptions> = {}): Promise<Service> {
  return startService({ archive, shares: createShares(archive), ...options })
}
