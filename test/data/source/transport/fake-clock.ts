import type { Clock } from '../../../../src/data/source/transport/clock.js'

interface Sleeper {
  readonly at: number
  wake(): void
}

export interface FakeClock extends Clock {
  /** Lets so many milliseconds pass: whoever sleeps wakes at its time, and does all it can before the next. */
  pass(milliseconds: number): Promise<void>
  /** Lets time pass until nobody sleeps. */
  drain(): Promise<void>
  /** How many sleep. */
  readonly sleepers: number
  /** How long every sleep was to be. */
  readonly slept: readonly number[]
}

/** Until everything that waits for nothing but promises has been done. */
export function calm(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A clock that stands still until it is told; `chances` are drawn in turn, again and again. */
export function fakeClock(chances: readonly number[] = [0.5]): FakeClock {
  const asleep = new Set<Sleeper>()
  const slept: number[] = []
  let now = 1000
  let drawn = 0
  const first = (): Sleeper | undefined => [...asleep].sort((a, b) => a.at - b.at)[0]
  async function wakeUntil(end: number): Promise<void> {
    await calm()
    for (let next = first(); next && next.at <= end; next = first()) {
      now = Math.max(now, next.at)
      next.wake()
      await calm()
    }
  }
  return {
    now: () => now,
    chance: () => chances[drawn++ % chances.length] ?? 0,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        slept.push(milliseconds)
        const stop = (): void => {
          asleep.delete(sleeper)
          reject(signal?.reason)
        }
        const wake = (): void => {
          asleep.delete(sleeper)
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        const sleeper: Sleeper = { at: now + milliseconds, wake }
        asleep.add(sleeper)
        signal?.addEventListener('abort', stop, { once: true })
      }),
    async pass(milliseconds) {
      const end = now + milliseconds
      await wakeUntil(end)
      now = end
    },
    drain: () => wakeUntil(Infinity),
    get sleepers() {
      return asleep.size
    },
    slept,
  }
}
