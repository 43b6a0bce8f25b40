import type { Call } from '../table/provenance.js'

/** What answering one request took. */
export interface RequestCost {
  readonly requests: number
  readonly bytes: number
  readonly node: string
}

/** Counts what a query takes, for its provenance. */
export class QueryStats {
  readonly #nodes = new Set<string>()
  #requests = 0
  #answers = 0
  #bytes = 0
  splits = 0
  probes = 0

  add({ requests, bytes, node }: RequestCost): void {
    this.#answers++
    this.#requests += requests
    this.#bytes += bytes
    this.#nodes.add(node)
  }

  call(at: string, milliseconds: number): Call {
    return {
      requests: this.#requests,
      splits: this.splits,
      probes: this.probes,
      retries: this.#requests - this.#answers,
      nodes: [...this.#nodes].sort(),
      bytes: this.#bytes,
      milliseconds: Math.round(milliseconds),
      at,
    }
  }
}
