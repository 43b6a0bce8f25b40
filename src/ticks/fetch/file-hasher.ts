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

interface Order {
  readonly id: number
  readonly fd: number
  readonly to: number
  readonly last?: 'sum' | 'drop'
}

type Said = { readonly id: number; readonly sum?: string; readonly failed?: string }

interface Tools {
  readonly port: MessagePort
  readonly createHash: typeof createHash
  readonly readSync: typeof readSync
}

/** What the thread runs. Its text is all that goes there: it knows nothing but its tools. */
function work({ port, createHash, readSync }: Tools): void {
  const buffer = new Uint8Array(262_144)
  const files = new Map<number, { readonly hash: ReturnType<typeof createHash>; at: number }>()
  port.on('message', ({ id, fd, to, last }: Order) => {
    const file = files.get(id) ?? { hash: createHash('sha256'), at: 0 }
    files.set(id, file)
    if (last) files.delete(id)
    if (last === 'drop') return
    try {
      while (file.at < to) {
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, to - file.at), file.at)
        if (count === 0) throw new Error('the file became shorter while it was written')
        file.hash.update(buffer.subarray(0, count))
        file.at += count
      }
      if (last === 'sum') port.postMessage({ id, sum: file.hash.digest('hex') })
    } catch (error) {
      port.postMessage({ id, failed: String(error) })
    }
  })
}

const text = `(${work})({
  port: require('node:worker_threads').parentPort,
  createHash: require('node:crypto').createHash,
  readSync: require('node:fs').readSync,
})`

interface Waiter {
  resolve(sum: string): void
  reject(error: unknown): void
}

/** A thread that hashes, from the first file on; `close` ends it. */
export function startHasher(): Hasher {
  let thread: Worker | undefined
  const waiting = new Map<number, Waiter>()
  const failed = new Map<number, unknown>()
  let ids = 0
  let lost: unknown

  function fail(id: number, error: unknown): void {
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (waiter) waiter.reject(error)
    else failed.set(id, error)
  }

  function lose(error: unknown): void {
    lost ??= error
    for (const id of [...waiting.keys()]) fail(id, error)
  }

  function start(): Worker {
    const worker = new Worker(text, { eval: true, env: {}, execArgv: [] })
    worker.on('message', ({ id, sum, failed: why }: Said) => {
      if (sum === undefined) return fail(id, new QuotebookError('FILE', `a file can not be hashed: ${why}`))
      waiting.get(id)?.resolve(sum)
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
      return {
        upTo: (to) => worker.postMessage({ id, fd, to } satisfies Order),
        end: (to) =>
          new Promise((resolve, reject) => {
            const error = lost ?? failed.get(id)
            if (error) return reject(error)
            waiting.set(id, { resolve, reject })
            worker.postMessage({ id, fd, to, last: 'sum' } satisfies Order)
          }),
        cancel: () => worker.postMessage({ id, fd, to: 0, last: 'drop' } satisfies Order),
      }
    },
    async close() {
      await thread?.terminate()
    },
  }
}
