/** Work under way and how many wait for it. */
interface Job<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  callers: number
}

/**
 * Identical requests in flight are one: callers with the same key get the same result, the same object. The work is aborted
 * only when every caller has gone away; a caller whose signal aborts gets its own reason at once.
 */
export class Share<T> {
  readonly #jobs = new Map<string, Job<T>>()

  run(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const job = this.#jobs.get(key) ?? this.#begin(key, work)
    job.callers += 1
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal?.reason)
        this.#leave(key, job, signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      const stay = (): void => signal?.removeEventListener('abort', leave)
      job.result.then(resolve, reject).then(stay)
    })
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Job<T> {
    const stop = new AbortController()
    const job: Job<T> = { result: (async () => work(stop.signal))(), stop, callers: 0 }
    const end = (): void => this.#forget(key, job)
    this.#jobs.set(key, job)
    job.result.then(end, end)
    return job
  }

  #leave(key: string, job: Job<T>, reason: unknown): void {
    job.callers -= 1
    if (job.callers > 0) return
    this.#forget(key, job)
    job.stop.abort(reason)
  }

  #forget(key: string, job: Job<T>): void {
    if (this.#jobs.get(key) === job) this.#jobs.delete(key)
  }
}
