import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { beijingDay, beijingTime } from '../../contract/date.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { answerTable } from './answer-table.js'
import { checkNumber } from './check-options.js'
import { ObservedSizes } from './completeness/reply-sizes.js'
import type { UnsentCloses } from './completeness/unsent-closes.js'
import { fetchQuery } from './fetch-query.js'
import { type LinkedFiles, linkedFiles } from './linked-files.js'
import { explainPlan, type PlannedQuery, planQuery } from './plan/query-plan.js'
import { QueryRequests } from './query-requests.js'
import type { ArchiveIdentity } from './reply/archive-identity.js'
import { maskKeyInError } from './reply/mask-key.js'
import { type ExtraColumn, Requester, type RequestLog, type ServiceParts } from './requester.js'
import { type Explanation, type QueryOptions, queryKinds, type Source } from './source.js'
import { rewordError, SourceError } from './source-error.js'
import { type Clock, realClock, wallTime } from './transport/clock.js'
import { type Deadlines, type GetOptions, HttpClient, type StreamOptions } from './transport/http-client.js'
import type { HttpResponse, HttpStream } from './transport/http-stream.js'
import { defaultRetry, type RetryPolicy } from './transport/middleware.js'
import { apiTarget, type NodeAddresses, nodeAddresses, nodeOrder } from './transport/node-address.js'
import { NodePool } from './transport/node-pool.js'
import { type PaceLimits, RateLimiter } from './transport/rate-limiter.js'

/** The service behind its addresses: `POST {base}/api`. Every answer is whole, or is refused, or says that it is not whole. */
export class HttpSource implements Source {
  readonly name: string
  readonly pace: PaceLimits
  readonly #requester: Requester
  readonly #connection: ServiceParts
  readonly #files: LinkedFiles
  readonly #sizes = new Map<string, ObservedSizes>()

  /** @throws QuotebookError USAGE for addresses or a key that are none */
  constructor(options: HttpSourceOptions) {
    const key = checkKey(options.apikey)
    try {
      this.#connection = assemble(options, key)
    } catch (error) {
      throw maskKeyInError(error, key)
    }
    this.name = this.#connection.name
    this.pace = this.#connection.pace
    this.#requester = new Requester(this.#connection)
    this.#files = linkedFiles(this.#connection)
  }

  /**
   * @throws ParamsError before anything is sent; SourceError, TruncatedError for what the service does not answer;
   * ContractError for rows that break the contract; the signal's reason
   */
  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const planned = this.#plan(dataset, params, options)
    const { clock, time } = this.#connection
    const [began, at] = [clock.now(), beijingTime(time())]
    try {
      const requests = new QueryRequests(planned, options, this.#requester, this.#sizesOf(dataset))
      const replies = await fetchQuery(requests)
      return answerTable(requests, replies, this.name, requests.call(at, clock.now() - began))
    } catch (error) {
      const safe = maskKeyInError(error, this.#connection.key)
      // Made anew here, an error has the caller's lines in its stack.
      throw safe instanceof SourceError ? rewordError(safe, messageOf(safe)) : safe
    }
  }

  async explain(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Explanation> {
    return explainPlan(dataset, this.#plan(dataset, params, options).plan)
  }

  /** What the replies so far agree on; undefined before the first, and where none of them says. */
  async identity(): Promise<ArchiveIdentity | undefined> {
    const { identity } = this.#requester
    return identity && Object.values(identity).some((value) => value !== undefined) ? identity : undefined
  }

  /** @throws as `LinkedFiles` does */
  get(address: string, options?: GetOptions): Promise<HttpResponse> {
    return this.#files.get(address, options)
  }

  /** @throws as `LinkedFiles` does */
  open(address: string, options?: StreamOptions): Promise<HttpStream> {
    return this.#files.open(address, options)
  }

  close(): Promise<void> {
    return this.#connection.http.close()
  }

  unsent(dataset: Dataset): UnsentCloses {
    return this.#sizesOf(dataset).unsent
  }

  /** How large the replies of an operation were so far. */
  #sizesOf({ name }: Dataset): ObservedSizes {
    const sizes = this.#sizes.get(name) ?? new ObservedSizes()
    this.#sizes.set(name, sizes)
    return sizes
  }

  #plan(dataset: Dataset, params: unknown, options: QueryOptions): PlannedQuery {
    checkOptions(options, queryKinds, sentence`a query`)
    return planQuery(dataset, params, options, beijingDay(this.#connection.time()))
  }
}

/** How fast a service is asked. */
export interface PaceOptions extends Partial<PaceLimits> {
  /** Limits of single operations, beside the common ones. */
  readonly operations?: Readonly<Record<string, Partial<PaceLimits>>> | undefined
}

/** Options of a service over HTTP: addresses, key, pace, deadlines and retries. */
export interface HttpSourceOptions {
  /** Base addresses without `/api`, the preferred first; or by the names of the contract, for its order of each operation. */
  readonly nodes: NodeAddresses
  /** The caller's key. It goes into the bodies of requests and nowhere else. */
  readonly apikey: string
  /** Default: 5 requests a second, bursts of 10, 4 at once; without a limit to the rate for a node on this machine. */
  readonly pace?: PaceOptions | undefined
  /** Milliseconds. Default: connect 10,000, headers 30,000, body 30,000 between two chunks, call 120,000. */
  readonly deadlines?: Partial<Deadlines> | undefined
  /** Default: 8 attempts within 60,000 ms, waits of up to 250 ms × 2^n, never longer than 10,000 ms. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** Bytes of a decompressed reply. Default 256 MiB. */
  readonly maxBytes?: number | undefined
  /** Called after every attempt. */
  readonly onRequest?: ((log: RequestLog) => void) | undefined
  /** Called once for each column that comes and is not in the contract. */
  readonly onExtraColumn?: ((extra: ExtraColumn) => void) | undefined
  readonly clock?: Clock | undefined
  /** Milliseconds since 1970, for the times in provenance and the expected end of open ranges. */
  readonly time?: (() => number) | undefined
}

/** Kind to a service whose limits are not known: half of what its heavy users are granted. */
const vendorPace: PaceLimits = { perSecond: 5, burst: 10, concurrent: 4 }
/** One's own service bears all that one has, a few requests at a time. */
const own: PaceLimits = { perSecond: Number.POSITIVE_INFINITY, burst: 1000, concurrent: 4 }

/** Making a share is work for the service: it is asked once in a while. */
const heavy: Readonly<Record<string, Partial<PaceLimits>>> = {
  file_download: { perSecond: 1, burst: 2, concurrent: 1 },
}

function checkKey(apikey: unknown): string {
  if (typeof apikey === 'string' && apikey.trim() !== '') return apikey
  throw new QuotebookError(
    'USAGE',
    sentence`nodes need an apikey: the key of your account at the service, which commands and notebooks take from QUOTEBOOK_APIKEY`,
  )
}

const pace = { perSecond: 'a number', burst: 'a number', concurrent: 'a number' } as const

/** The options of a service, by name. */
export const serviceOptions: OptionKinds<HttpSourceOptions> = {
  nodes: 'any',
  apikey: 'any',
  pace: 'any',
  deadlines: 'any',
  retry: 'any',
  maxBytes: 'any',
  onRequest: 'a function',
  onExtraColumn: 'a function',
  clock: 'an object',
  time: 'a function',
}

function checkService(options: HttpSourceOptions): void {
  const { pace: given = {}, retry, deadlines = {}, maxBytes } = checkOptions(options, serviceOptions, 'HttpSource')
  checkOptions(given, { ...pace, operations: 'an object' }, 'pace')
  for (const [name, own] of Object.entries(given.operations ?? {})) checkOptions(own, pace, sentence`pace of ${name}`)
  checkOptions(retry ?? {}, { budgetMs: 'any', baseMs: 'any', capMs: 'any', attempts: 'any' }, 'retry')
  checkOptions(deadlines, { connect: 'any', headers: 'any', body: 'any', call: 'any' }, 'deadlines')
  for (const [name, value] of Object.entries(retry ?? {})) {
    checkNumber(`retry: ${name}`, value, name === 'attempts' ? 1 : 0)
  }
  checkNumber('maxBytes', maxBytes, 1)
}

function assemble(options: HttpSourceOptions, key: string): ServiceParts {
  checkService(options)
  const { pace: { operations, ...limits } = {}, deadlines, maxBytes, clock = realClock } = options
  const addresses = nodeAddresses(options.nodes)
  const isOwn = addresses.every((address) => apiTarget(address).isLocal)
  const common = { ...(isOwn ? own : vendorPace), ...limits }
  return {
    name: addresses.join(', '),
    pace: common,
    key,
    http: new HttpClient({ deadlines, maxBytes, connections: Math.max(1, Math.min(256, common.concurrent)) }),
    order: nodeOrder(options.nodes),
    nodes: new NodePool(clock),
    limiter: new RateLimiter(common, { ...(isOwn ? {} : heavy), ...operations }, clock),
    retry: { ...defaultRetry, ...options.retry },
    clock,
    time: options.time ?? wallTime,
    onRequest: options.onRequest,
    onExtraColumn: options.onExtraColumn,
  }
}
