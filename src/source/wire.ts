import { QuotebookError } from '../contract/error.js'
import { maskKeyInError } from './answer/secret.js'
import type { ExtraColumn, RequesterOptions, RequestLog } from './ask.js'
import { checkNames, checkNumber } from './check-options.js'
import { apiTarget } from './transport/address.js'
import { type Clock, realClock, wallTime } from './transport/clock.js'
import { type Deadlines, defaultDeadlines, HttpClient } from './transport/http.js'
import { type NodeAddresses, nodeAddresses, nodeOrder } from './transport/node-order.js'
import { NodePool } from './transport/nodes.js'
import { type PaceLimits, RateLimiter } from './transport/pace.js'
import { defaultRetry, type RetryPolicy } from './transport/retry.js'

/** How fast a service is asked. */
export interface PaceOptions extends Partial<PaceLimits> {
  /** Limits of single operations, beside the common ones. */
  readonly operations?: Readonly<Record<string, Partial<PaceLimits>>> | undefined
}

export interface HttpSourceOptions {
  /** Base addresses without `/api`, the preferred first; or by the names of the contract, for its order of each operation. */
  readonly nodes: NodeAddresses
  /** The caller's key. It goes into the bodies of requests and nowhere else. */
  readonly apikey: string
  /** Default: 5 requests a second, bursts of 10, 4 at once; without a limit to the rate for a node on this machine. */
  readonly pace?: PaceOptions | undefined
  /** Milliseconds. Default: connect 10,000, headers 30,000, body 30,000 between two pieces, call 120,000. */
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

export interface Connection extends RequesterOptions {
  readonly name: string
  readonly time: () => number
}

/** Kind to a service whose limits are not known: half of what its heavy users are granted. */
const kind: PaceLimits = { perSecond: 5, burst: 10, concurrent: 4 }
/** One's own service bears all that one has, a few requests at a time. */
const own: PaceLimits = { perSecond: Number.POSITIVE_INFINITY, burst: 1000, concurrent: 4 }

/** Making a share is work for the service: it is asked once in a while. */
const heavy: Readonly<Record<string, Partial<PaceLimits>>> = {
  file_download: { perSecond: 1, burst: 2, concurrent: 1 },
}

function checkKey(apikey: unknown): string {
  if (typeof apikey === 'string' && apikey.trim() !== '') return apikey
  throw new QuotebookError('USAGE', 'nodes need an apikey: the key of your account at the service')
}

function checkOptions({ pace, retry, deadlines, maxBytes }: HttpSourceOptions): void {
  checkNames('pace', pace ?? {}, ['perSecond', 'burst', 'concurrent', 'operations'])
  checkNames('retry', retry ?? {}, Object.keys(defaultRetry))
  checkNames('deadlines', deadlines ?? {}, Object.keys(defaultDeadlines))
  for (const [name, value] of Object.entries(retry ?? {})) {
    checkNumber(`retry: ${name}`, value, name === 'attempts' ? 1 : 0)
  }
  checkNumber('maxBytes', maxBytes, 1)
}

/** The parts of a source, put together. @throws QuotebookError USAGE for addresses or a key that are none */
export function wire(options: HttpSourceOptions): Connection {
  const key = checkKey(options.apikey)
  try {
    return wired(options, key)
  } catch (error) {
    throw maskKeyInError(error, key)
  }
}

function wired(options: HttpSourceOptions, key: string): Connection {
  checkOptions(options)
  const { pace: { operations, ...limits } = {}, deadlines, maxBytes, clock = realClock } = options
  const addresses = nodeAddresses(options.nodes)
  const isOwn = addresses.every((address) => apiTarget(address).isLocal)
  const common = { ...(isOwn ? own : kind), ...limits }
  return {
    name: addresses.join(', '),
    key,
    http: new HttpClient({ deadlines, maxBytes, connections: Math.max(1, Math.min(256, common.concurrent)) }),
    order: nodeOrder(options.nodes),
    nodes: new NodePool({ clock }),
    pace: new RateLimiter(common, { ...(isOwn ? {} : heavy), ...operations }, clock),
    retry: { ...defaultRetry, ...options.retry },
    clock,
    time: options.time ?? wallTime,
    onRequest: options.onRequest,
    onExtraColumn: options.onExtraColumn,
  }
}
