/** Chance that is the same on every run of a seed. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000
  }

  /** A whole number below a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.next() * times < 1
  }

  of<T>(list: ArrayLike<T>): T {
    return list[this.below(list.length)] as T
  }

  shuffled<T>(list: readonly T[]): T[] {
    const out = [...list]
    for (let last = out.length - 1; last > 0; last--) {
      const other = this.below(last + 1)
      ;[out[last], out[other]] = [out[other] as T, out[last] as T]
    }
    return out
  }
}
