/** Room for some pieces of work at once; others wait their turn. */
export interface Semaphore {
  /** @throws what the work throws; the error that closed the lanes, for who waits then or comes later */
  run<T>(work: () => Promise<T>): Promise<T>
  /** What is under way goes on; nothing more begins. */
  close(error: unknown): void
}

interface Waiting {
  go(): void
  stop(error: unknown): void
}

export function semaphore(count: number): Semaphore {
  const waiting: Waiting[] = []
  let free = count
  let closed: { readonly error: unknown } | undefined

  async function enter(): Promise<void> {
    if (closed) throw closed.error
    if (free > 0) free--
    else await new Promise<void>((go, stop) => waiting.push({ go, stop }))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next.go()
    else free++
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    close(error) {
      closed ??= { error }
      for (const { stop } of waiting.splice(0)) stop(error)
    },
  }
}
