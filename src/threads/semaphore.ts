import { setMaxListeners } from 'node:events'

/** Lets so many pieces of work run at once; others wait their turn, in the order in which they came. */
export interface Semaphore {
  /** @throws what the work throws; the error that closed it, for who waits then or comes later; the reason of a signal while it waits */
  run<T>(work: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T>
  /** What is under way goes on; nothing more begins. */
  close(error: unknown): void
}

interface Waiting {
  start(): void
  reject(error: unknown): void
}

export function semaphore(count: number): Semaphore {
  const waiting: Waiting[] = []
  let free = count
  let closed: { readonly error: unknown } | undefined

  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(signal?.reason)
      }
      const settle = (end: () => void): void => {
        signal?.removeEventListener('abort', abort)
        end()
      }
      const entry = { start: () => settle(resolve), reject: (error: unknown) => settle(() => reject(error)) }
      waiting.push(entry)
      if (!signal) return
      // Many may wait on one signal; Node warns from the eleventh on.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', abort, { once: true })
    })

  return {
    async run(work, signal) {
      if (closed) throw closed.error
      signal?.throwIfAborted()
      if (free > 0) free--
      else await turn(signal)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next.start()
        else free++
      }
    },
    close(error) {
      closed ??= { error }
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}
