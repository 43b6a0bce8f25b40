/** Time and chance, as waiting needs them; no result depends on either. Tests bring their own. */
export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Ends after so many milliseconds, or with the signal's reason as soon as it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal | undefined): Promise<void>
  /** A number from 0 up to 1. */
  chance(): number
}

/** 24 days: a timer that is set for longer rings at once. */
const longest = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => performance.now(),
  chance: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const ring = (): void => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const timer = setTimeout(ring, Math.min(milliseconds, longest))
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** How long to wait after so many failures: twice as long each time, up to the longest. */
export function waitAfter(failures: number, shortest: number, longest: number): number {
  return Math.min(longest, shortest * 2 ** failures)
}

/** Milliseconds since 1970: for saying when something was asked. */
export function wallTime(): number {
  return Date.now()
}
