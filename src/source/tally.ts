import { dateOf } from '../contract/date.js'
import type { Call } from '../frame/provenance.js'

/** What answering one request took. */
export interface Cost {
  readonly requests: number
  readonly bytes: number
  readonly node: string
}

const dayLength = 86_400_000

/** A point in time as Beijing writes it, ISO 8601 with its offset. */
export function beijingTime(epoch: number): string {
  const local = epoch + 8 * 3_600_000
  const date = dateOf(Math.floor(local / dayLength))
  const clock = new Date(local).toISOString().slice(11, 19)
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${clock}+08:00`
}

/** Counts what a query takes, for its provenance. */
export class Tally {
  readonly #nodes = new Set<string>()
  #requests = 0
  #answers = 0
  #bytes = 0
  splits = 0

  add({ requests, bytes, node }: Cost): void {
    this.#answers++
    this.#requests += requests
    this.#bytes += bytes
    this.#nodes.add(node)
  }

  call(at: string, milliseconds: number): Call {
    return {
      requests: this.#requests,
      splits: this.splits,
      retries: this.#requests - this.#answers,
      nodes: [...this.#nodes].sort(),
      bytes: this.#bytes,
      milliseconds: Math.round(milliseconds),
      at,
    }
  }
}
