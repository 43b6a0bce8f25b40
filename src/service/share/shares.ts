import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Archive } from '../../archive/archive.js'
import type { TickEntry } from '../../archive/manifest.js'
import { QuotebookError } from '../../contract/error.js'
import { wallTime } from '../../source/transport/clock.js'
import type { Shares } from '../share-offer.js'
import { handle } from './handle.js'
import type { HeldFile } from './held-file.js'
import { createLinks } from './link.js'
import { offer } from './offer.js'
import { nameOf } from './published.js'
import { say } from './say.js'
import { createVerifier } from './verifier.js'

/** Something that the one who runs the service should mend. No text of it has a path of the machine. */
export interface ShareFault {
  /** Name of the file that is not shared; undefined when the archive itself can not be read. */
  readonly file?: string
  readonly message: string
}

export interface SharesOptions {
  /** Milliseconds since 1970. */
  readonly time?: (() => number) | undefined
  /** Seconds that a new link lives; one that is asked for has more than half of it left. Default 7200. */
  readonly lifetime?: number | undefined
  /** What links are signed with, at least 16 bytes. Default: random bytes, so that links end with the process. */
  readonly secret?: Uint8Array | undefined
  /** Milliseconds that an answer waits for files that are being held against their checksums. Default 2000. */
  readonly patience?: number | undefined
  /** Address that links begin with, where a proxy stands before the service: a listing names its files under its path too. */
  readonly url?: string | undefined
  /** Told once of each fault. */
  readonly onFault?: ((fault: ShareFault) => void) | undefined
  /** sha256 of an open file in hex. Default: read here. */
  readonly digest?: ((file: HeldFile) => Promise<string>) | undefined
}

/** A writer that lives touches its lock every 5 seconds. */
const lockStale = 15_000

/** Whether somebody is writing to an archive. */
async function isWritten(dir: string): Promise<boolean> {
  try {
    return wallTime() - (await stat(join(dir, '.lock'))).mtimeMs < lockStale
  } catch {
    return false
  }
}

/** The shares of an archive's tick files. Nothing is kept of a link: it holds its days and expiry itself, signed. */
export function createShares(archive: Archive, options: SharesOptions = {}): Shares {
  const { time = wallTime, lifetime = 7200, secret = randomBytes(32), patience = 2000, onFault, digest } = options
  const links = createLinks(secret, lifetime)
  const root = (options.url ?? '').replace(/^https?:\/\/[^/]*/i, '').replace(/\/+$/, '')
  const ticks = async (): Promise<readonly TickEntry[]> => (await archive.manifest()).ticks
  const verifier = createVerifier({
    dir: archive.dir,
    digest,
    isFinal: async (entry) => {
      if (await isWritten(archive.dir)) return false
      return (await ticks()).some(({ file, sha256 }) => file === entry.file && sha256 === entry.sha256)
    },
    onDamage: (entry, why) => {
      const file = nameOf(entry)
      onFault?.({ file, message: `${file} is not shared: ${why}; import it again` })
    },
  })
  const told = new Set<string>()
  const fail = (error: unknown): void => {
    const code = error instanceof QuotebookError ? error.code : ((error as NodeJS.ErrnoException)?.code ?? 'unknown')
    if (told.has(code)) return
    told.add(code)
    onFault?.({ message: `the share could not answer (${code})` })
  }

  return {
    offer: async (caller, year, base) =>
      offer(caller, year, base, { ticks: await ticks(), links, verifier, time: time(), patience }),
    async handle(request, response) {
      // A reader that goes away is no error.
      response.on('error', () => undefined)
      try {
        await handle(request, response, { ticks, links, verifier, time, patience, root })
      } catch (error) {
        if (!response.destroyed) fail(error)
        say(response, 503, 'The share can not be read now.\n', { 'retry-after': '5' })
      }
    },
  }
}
