import { createHash } from 'node:crypto'
import { SourceError } from '../../src/data/source/source-error.js'
import {
  DayAbsentError,
  type ListedFile,
  type OpenedFile,
  type OpenFileOptions,
  type TickShare,
} from '../../src/data/ticks/share/file-share.js'

export function sumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** One opening of a file, for whoever wants to interfere. */
export interface Opening {
  readonly day: string
  readonly from: number
  readonly bytes: Uint8Array
  /** How many openings there were before it. */
  readonly count: number
}

export interface MemoryOptions {
  /** What a listing tells of a file beside its day. */
  readonly tells?: readonly ('size' | 'etag')[]
  /** Entity tag of a file; a short one of its bytes when absent. */
  readonly tagOf?: (bytes: Uint8Array) => string | undefined
  /** Called before each opening; what it throws is thrown. */
  readonly onOpen?: (opening: Opening) => void | Promise<void>
  /** Bytes of the body after which the connection breaks. */
  readonly cutAt?: (opening: Opening) => number | undefined
  readonly piece?: number
}

export interface MemoryShare extends TickShare {
  readonly files: Map<string, Uint8Array>
  readonly openings: readonly Opening[]
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

const shortTag = (bytes: Uint8Array): string => `"${sumOf(bytes).slice(0, 16)}"`

/** A share in memory, whose files may be changed at any time. */
export function memoryShare(
  files: Map<string, Uint8Array>,
  { tells = ['size', 'etag'], tagOf = shortTag, onOpen, cutAt, piece = 4096 }: MemoryOptions = {},
): MemoryShare {
  const openings: Opening[] = []
  return {
    name: 'memory',
    files,
    openings,
    async list() {
      return [...files].map(([day, bytes]): ListedFile => {
        const etag = tagOf(bytes)
        return {
          day,
          ...(tells.includes('size') ? { size: bytes.length } : {}),
          ...(tells.includes('etag') && etag !== undefined ? { etag } : {}),
        }
      })
    },
    async open(day: string, { from = 0, etag, signal }: OpenFileOptions = {}): Promise<OpenedFile> {
      signal?.throwIfAborted()
      const bytes = files.get(day)
      if (!bytes) throw new DayAbsentError('memory', day)
      const tag = tagOf(bytes)
      const start = etag !== undefined && etag === tag && from <= bytes.length ? from : 0
      const opening = { day, from: start, bytes, count: openings.length }
      openings.push(opening)
      await onOpen?.(opening)
      const cut = cutAt?.(opening)
      async function* body(): AsyncGenerator<Uint8Array> {
        let sent = 0
        for (const part of pieces((bytes as Uint8Array).subarray(start), piece)) {
          signal?.throwIfAborted()
          const left = cut === undefined ? part.length : Math.max(0, Math.min(part.length, cut - sent))
          if (left > 0) yield part.subarray(0, left)
          sent += left
          if (left < part.length) throw new SourceError('CUT_OFF', 'memory broke off', { retryable: true })
          await new Promise(setImmediate)
        }
      }
      return { from: start, size: bytes.length, etag: tag, modified: undefined, body: body() }
    },
  }
}
