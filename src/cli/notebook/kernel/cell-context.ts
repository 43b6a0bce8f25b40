import { promiseHooks } from 'node:v8'

type Callback = (...values: unknown[]) => void
type Timer = (callback: Callback, ...rest: unknown[]) => unknown

/** Is what it is given, so that a class that extends it can mark any object in a private field. */
class Given {
  constructor(one: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the point
    return one
  }
}

class Marked extends Given {
  #cell: number
  constructor(one: object, cell: number) {
    super(one)
    this.#cell = cell
  }
  static cellOf(one: object): number | undefined {
    return #cell in one ? one.#cell : undefined
  }
}

/**
 * Which cell the code that runs belongs to, through promises and timers. AsyncLocalStorage can't be used: with its hooks Node
 * aborts when code is terminated.
 */
export class CellContext {
  #here: number | undefined
  readonly #isEnded: (cell: number) => boolean
  readonly #failed: (cell: number, error: unknown) => void

  /**
   * @param isEnded whether the timers of a cell do no more
   * @param failed is told what the timer of a cell throws
   */
  constructor(isEnded: (cell: number) => boolean, failed: (cell: number, error: unknown) => void) {
    this.#isEnded = isEnded
    this.#failed = failed
    promiseHooks.createHook({
      init: (promise) => {
        if (this.#here !== undefined) new Marked(promise, this.#here)
      },
      before: (promise) => {
        this.#here = Marked.cellOf(promise)
      },
      after: () => {
        this.#here = undefined
      },
    })
    const timers = globalThis as unknown as Record<'setTimeout' | 'setInterval' | 'setImmediate', Timer>
    for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
      const set = timers[name]
      const own: Timer = (callback, ...rest) => set(this.#bound(callback), ...rest)
      timers[name] = Object.defineProperties(own, Object.getOwnPropertyDescriptors(set))
    }
  }

  get here(): number | undefined {
    return this.#here
  }

  cellOf(promise: object): number | undefined {
    return Marked.cellOf(promise)
  }

  run<T>(cell: number, work: () => T): T {
    this.#here = cell
    const result = work()
    this.leave()
    return result
  }

  /** After code that was terminated, which can't leave by itself. */
  leave(): void {
    this.#here = undefined
  }

  /** A callback in the cell that sets it, as a microtask: code of a timer itself can't be terminated. */
  #bound(callback: Callback): Callback {
    const cell = this.#here
    if (cell === undefined || typeof callback !== 'function') return callback
    return (...values) => {
      if (this.#isEnded(cell)) return
      Promise.resolve()
        .then(() => this.run(cell, () => callback(...values)))
        .catch((error: unknown) => this.#failed(cell, error))
    }
  }
}
