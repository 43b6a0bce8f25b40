import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'
import { beijingDay, beijingTime } from '../contract/date.js'
import type { ArchiveIdentity } from './answer/identity.js'
import { maskKeyInError } from './answer/secret.js'
import { Requester } from './ask.js'
import { type LinkedFiles, linkedFiles } from './beside.js'
import { rewordError, SourceError } from './error.js'
import { type PlannedQuery, planQuery } from './intent.js'
import { type Explanation, explainPlan } from './plan/explain.js'
import { ObservedSizes } from './proof/shown.js'
import { QueryRun } from './run.js'
import type { QueryOptions, Source } from './source.js'
import { answerTable } from './table.js'
import { QueryStats } from './tally.js'
import type { GetOptions, HttpResponse, HttpStream, StreamOptions } from './transport/http.js'
import { type Connection, type HttpSourceOptions, wire } from './wire.js'

/** The service behind its addresses: `POST {base}/api`. Every answer is whole, or is refused, or says that it is not whole. */
export class HttpSource implements Source {
  readonly name: string
  readonly #asker: Requester
  readonly #wired: Connection
  readonly #beside: LinkedFiles
  readonly #shown = new Map<string, ObservedSizes>()

  constructor(options: HttpSourceOptions) {
    this.#wired = wire(options)
    this.name = this.#wired.name
    this.#asker = new Requester(this.#wired)
    this.#beside = linkedFiles(this.#wired)
  }

  /**
   * @throws ParamsError before anything is sent; SourceError, TruncatedError for what the service does not answer;
   * ContractError for rows that break the contract; the signal's reason
   */
  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const intent = this.#intent(dataset, params, options)
    const { clock, time } = this.#wired
    const [began, at] = [clock.now(), beijingTime(time())]
    const tally = new QueryStats()
    try {
      const gathered = await new QueryRun(intent, options, this.#asker, tally, this.#shownOf(dataset)).fetch()
      const call = tally.call(at, clock.now() - began)
      return answerTable(intent, gathered, this.name, call, options.allowTruncated === true)
    } catch (error) {
      const safe = maskKeyInError(error, this.#wired.key)
      // Made anew here, an error has the caller's lines in its stack.
      throw safe instanceof SourceError ? rewordError(safe, safe.message) : safe
    }
  }

  async explain(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Explanation> {
    return explainPlan(dataset, this.#intent(dataset, params, options).plan)
  }

  /** What the replies so far agree on; undefined before the first, and where none of them told. */
  async identity(): Promise<ArchiveIdentity | undefined> {
    const { identity } = this.#asker
    return identity && Object.values(identity).some((told) => told !== undefined) ? identity : undefined
  }

  /** @throws as `Beside` does */
  get(address: string, options?: GetOptions): Promise<HttpResponse> {
    return this.#beside.get(address, options)
  }

  /** @throws as `Beside` does */
  open(address: string, options?: StreamOptions): Promise<HttpStream> {
    return this.#beside.open(address, options)
  }

  close(): Promise<void> {
    return this.#wired.http.close()
  }

  /** What the replies of an operation have shown so far. */
  #shownOf({ name }: Dataset): ObservedSizes {
    const shown = this.#shown.get(name) ?? new ObservedSizes()
    this.#shown.set(name, shown)
    return shown
  }

  #intent(dataset: Dataset, params: unknown, options: QueryOptions): PlannedQuery {
    return planQuery(dataset, params, options, beijingDay(this.#wired.time()))
  }
}
