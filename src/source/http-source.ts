import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'
import { beijingDay, beijingTime } from '../contract/date.js'
import type { Identity } from './answer/identity.js'
import { errorWithoutKey } from './answer/secret.js'
import { Asker } from './ask.js'
import { type Beside, beside } from './beside.js'
import { reworded, SourceError } from './error.js'
import { type Intent, intentOf } from './intent.js'
import { type Explained, explain } from './plan/explain.js'
import { Shown } from './proof/shown.js'
import { Run } from './run.js'
import type { QueryOptions, Source } from './source.js'
import { tableOf } from './table.js'
import { Tally } from './tally.js'
import type { Answer, GetOptions, Streamed, StreamOptions } from './transport/http.js'
import { type HttpSourceOptions, type Wired, wire } from './wire.js'

/** The service behind its addresses: `POST {base}/api`. Every answer is whole, or is refused, or says that it is not whole. */
export class HttpSource implements Source {
  readonly name: string
  readonly #asker: Asker
  readonly #wired: Wired
  readonly #beside: Beside
  readonly #shown = new Map<string, Shown>()

  constructor(options: HttpSourceOptions) {
    this.#wired = wire(options)
    this.name = this.#wired.name
    this.#asker = new Asker(this.#wired)
    this.#beside = beside(this.#wired)
  }

  /**
   * @throws ParamsError before anything is sent; SourceError, TruncatedError for what the service does not answer;
   * ContractError for rows that break the contract; the signal's reason
   */
  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const intent = this.#intent(dataset, params, options)
    const { clock, time } = this.#wired
    const [began, at] = [clock.now(), beijingTime(time())]
    const tally = new Tally()
    try {
      const gathered = await new Run(intent, options, this.#asker, tally, this.#shownOf(dataset)).gather()
      const call = tally.call(at, clock.now() - began)
      return tableOf(intent, gathered, this.name, call, options.allowTruncated === true)
    } catch (error) {
      const safe = errorWithoutKey(error, this.#wired.key)
      // Made anew here, an error has the caller's lines in its stack.
      throw safe instanceof SourceError ? reworded(safe, safe.message) : safe
    }
  }

  async explain(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Explained> {
    return explain(dataset, this.#intent(dataset, params, options).plan)
  }

  /** What the replies so far agree on; undefined before the first, and where none of them told. */
  async identity(): Promise<Identity | undefined> {
    const { identity } = this.#asker
    return identity && Object.values(identity).some((told) => told !== undefined) ? identity : undefined
  }

  /** @throws as `Beside` does */
  get(address: string, options?: GetOptions): Promise<Answer> {
    return this.#beside.get(address, options)
  }

  /** @throws as `Beside` does */
  open(address: string, options?: StreamOptions): Promise<Streamed> {
    return this.#beside.open(address, options)
  }

  close(): Promise<void> {
    return this.#wired.http.close()
  }

  /** What the replies of an operation have shown so far. */
  #shownOf({ name }: Dataset): Shown {
    const shown = this.#shown.get(name) ?? new Shown()
    this.#shown.set(name, shown)
    return shown
  }

  #intent(dataset: Dataset, params: unknown, options: QueryOptions): Intent {
    return intentOf(dataset, params, options, beijingDay(this.#wired.time()))
  }
}
