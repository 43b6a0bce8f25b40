import { chances } from '../../helper/chance.js'

/** Chance that is the same on every run of a seed. */
export class Chance {
  /** A number from 0 up to 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = chances(seed)
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
