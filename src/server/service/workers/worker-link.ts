import cluster from 'node:cluster'
import type { LimitOf } from '../keys/key-ring.js'
import type { MetricCounts, Metrics, WorkersStatus } from '../metrics.js'

/** What a worker tells or asks the process that started it; `n` numbers what is to be answered. */
export type FromWorker =
  | { readonly kind: 'take'; readonly n: number; readonly id: string; readonly rate: number }
  | { readonly kind: 'all counts'; readonly n: number }
  | { readonly kind: 'counts'; readonly counts: MetricCounts }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'cancel'; readonly call: string }

/** What a worker is told. */
export type FromPrimary =
  | { readonly kind: 'answer'; readonly n: number; readonly value: number | string }
  | { readonly kind: 'counts' }
  | { readonly kind: 'status'; readonly status: WorkersStatus }
  | { readonly kind: 'cancel'; readonly call: string }
  /** `isGentle`: others answer already, so that connections that wait may wait on. */
  | { readonly kind: 'end'; readonly isGentle: boolean }

type Asking = Extract<FromWorker, { readonly n: number }>
type Unnumbered<T> = T extends Asking ? Omit<T, 'n'> : never

/** What ties a worker to the process that started it, and by that to the other workers. When that process is gone, Node ends this one. */
export class WorkerLink {
  /** Number of this worker: no other of the service has had it. */
  readonly id = cluster.worker?.id ?? 0
  /** Ends when the worker is told to. */
  readonly ended: Promise<{ readonly isGentle: boolean }>
  status: WorkersStatus | undefined
  /** Ends a call of an agent that runs here. */
  onCancel: ((call: string) => void) | undefined
  #count: Metrics['counts'] | undefined
  readonly #asked = new Map<number, (value: never) => void>()
  #outgoing: FromWorker[] = []
  #asks = 0

  constructor() {
    this.ended = new Promise((end) => {
      cluster.worker?.on('message', (messages: readonly FromPrimary[]) => {
        for (const message of messages) {
          if (message.kind === 'end') end(message)
          else this.#take(message)
        }
      })
    })
  }

  /** Limits that the process which started the workers keeps for all of them. */
  readonly limitOf: LimitOf = (id, rate) => ({ take: () => this.#ask<number>({ kind: 'take', id, rate }) })

  readonly cancelElsewhere = (call: string): void => this.#post({ kind: 'cancel', call })

  log(text: string): void {
    this.#post({ kind: 'log', text })
  }

  /** The metrics of this process, whose text is that of all workers. */
  shared(own: Metrics): Metrics {
    this.#count = () => own.counts()
    return { ...own, text: () => this.#ask<string>({ kind: 'all counts' }) }
  }

  /** Hands over what has been counted, and lets go: nothing else keeps this process then. */
  async close(): Promise<void> {
    if (this.#count) this.#outgoing.push({ kind: 'counts', counts: await this.#count() })
    await this.#flush()
    cluster.worker?.disconnect()
  }

  #take(message: Exclude<FromPrimary, { readonly kind: 'end' }>): void {
    if (message.kind === 'status') this.status = message.status
    else if (message.kind === 'cancel') this.onCancel?.(message.call)
    else if (message.kind === 'answer') {
      this.#asked.get(message.n)?.(message.value as never)
      this.#asked.delete(message.n)
    } else void this.#count?.().then((counts) => this.#post({ kind: 'counts', counts }))
  }

  #ask<T>(question: Unnumbered<Asking>): Promise<T> {
    const n = ++this.#asks
    return new Promise((resolve) => {
      this.#asked.set(n, resolve)
      this.#post({ ...question, n } as Asking)
    })
  }

  /** What is said in one turn of the event loop goes as one message. */
  #post(message: FromWorker): void {
    if (this.#outgoing.push(message) === 1) setImmediate(() => void this.#flush())
  }

  #flush(): Promise<void> {
    const messages = this.#outgoing
    this.#outgoing = []
    // Node ends this process when the other one is gone.
    return new Promise((done) => cluster.worker?.send(messages as never, () => done()) ?? done())
  }
}
