import type { createHash } from 'node:crypto'
import type { readSync } from 'node:fs'
import { type MessagePort, Worker } from 'node:worker_threads'
import { QuotebookError } from '../../contract/error.js'

/** A file whose bytes are hashed as they are written, read back from where they lie. */
export interface FileHash {
  /** So many bytes of it are written. */
  upTo(length: number): void
  /** sha256 of so many bytes in hex; all of them are written. Nothing more is hashed. */
  end(length: number): Promise<string>
  /** It is not wanted any more. */
  cancel(): void
}

/** Hashes files beside the thread that writes them. */
export interface Hasher {
  /** @param fd of an open file; it stays open until the hash is there, or not wanted */
  hashFile(fd: number): FileHash
  close(): Promise<void>
}

interface HashOrder {
  readonly id: number
  readonly fd: number
  /** Bytes that are written. */
  readonly to: number
  /** The last order of a file: its sum is sent, or it is forgotten. */
  readonly last?: 'sum' | 'drop'
}

type HashResult = { readonly id: number; readonly sum?: string; readonly failed?: string | undefined }

interface Tools {
  readonly port: MessagePort
  readonly createHash: typeof createHash
  readonly readSync: typeof readSync
}

/** What the thread runs. Its text is all that goes there: it knows nothing but its tools. */
function work({ port, createHash, readSync }: Tools): void {
  const buffer = new Uint8Array(262_144)
  const files = new Map<number, { readonly hash: ReturnType<typeof createHash>; at: number; failed?: string }>()
  port.on('message', ({ id, fd, to, last }: HashOrder) => {
    const file = files.get(id) ?? { hash: createHash('sha256'), at: 0 }
    files.set(id, file)
    if (last) files.delete(id)
    if (last === 'drop') return
    try {
      while (file.at < to && file.failed === undefined) {
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, to - file.at), file.at)
        if (count === 0) throw new Error('the file became shorter while it was written')
        file.hash.update(buffer.subarray(0, count))
        file.at += count
      }
    } catch (error) {
      file.failed = String(error)
    }
    if (last !== 'sum') return
    port.postMessage(file.failed === undefined ? { id, sum: file.hash.digest('hex') } : { id, failed: file.failed })
  })
}

const text = `(${work})({
  port: require('node:worker_threads').parentPort,
  createHash: require('node:crypto').createHash,
  readSync: require('node:fs').readSync,
})`

/** A thread that hashes, from the first file on; `close` ends it. */
export function startHasher(): Hasher {
  let thread: Worker | undefined
  const waiting = new Map<number, { resolve(sum: string): void; reject(error: unknown): void }>()
  let ids = 0
  let lost: unknown

  function lose(error: unknown): void {
    lost ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function start(): Worker {
    const worker = new Worker(text, { eval: true, env: {}, execArgv: [] })
    worker.on('message', ({ id, sum, failed }: HashResult) => {
      if (sum !== undefined) waiting.get(id)?.resolve(sum)
      else waiting.get(id)?.reject(new QuotebookError('FILE', `a file can not be hashed: ${failed}`))
      waiting.delete(id)
    })
    worker.on('error', lose)
    worker.on('exit', () => lose(new QuotebookError('FILE', 'the thread that hashes files has ended')))
    return worker
  }

  return {
    hashFile(fd) {
      const id = ids++
      thread ??= start()
      const worker = thread
      const send = (to: number, last?: 'sum' | 'drop'): void =>
        worker.postMessage({ id, fd, to, ...(last && { last }) } satisfies HashOrder)
      return {
        upTo: (to) => send(to),
        end: (to) =>
          new Promise((resolve, reject) => {
            if (lost) return reject(lost)
            waiting.set(id, { resolve, reject })
            send(to, 'sum')
          }),
        cancel: () => send(0, 'drop'),
      }
    },
    async close() {
      await thread?.terminate()
    },
  }
}
