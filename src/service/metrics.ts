import { codes } from '../contract/error.js'
import { type AccessEntry, operationLabel, type Route, routes } from './access-log.js'

/** What only the server can count, read when the metrics are. */
export interface Gauges {
  /** Requests being answered. */
  readonly inFlight?: () => number
  /** Bytes of answers and columns that are held in memory. */
  readonly heldBytes?: () => number
  /** Times that the archive was found in a new state. */
  readonly archiveChanges?: () => number
}

export interface Metrics {
  /** Counts a request that was answered, in half a microsecond. */
  observe(entry: AccessEntry): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  /** Of `text`. */
  readonly contentType: string
}

/** Seconds: from an answer out of memory to one that a client would rather not wait for. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const businessCodes: ReadonlySet<number> = new Set(Object.values(codes))

/** A number as a label: none but those of the contract and of HTTP, so that labels stay few. */
function codeLabel(code: number | undefined): string {
  if (code === undefined) return ''
  return businessCodes.has(code) || (Number.isInteger(code) && code >= 100 && code < 600) ? String(code) : 'other'
}

/** What a counter can add: nothing for what is no amount. */
function amount(value: number | undefined): number {
  return value !== undefined && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0
}

/** What was counted for one combination of labels and not yet handed on, and where it goes. */
interface Tally {
  requests: number
  bytes: number
  rows: number
  seconds(value: number): void
  flush(): void
}

/**
 * Metrics of a service in a registry of its own, with those of the process: `quotebook_*` and `process_*`, `nodejs_*`.
 * Labels are route, operation, HTTP status, business code and reason of a refusal; no key, no caller, no param.
 */
export async function createMetrics(gauges: Gauges = {}): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const asked = ['route', 'apiname'] as const
  const requests = new Counter({
    name: 'quotebook_requests_total',
    help: 'Requests answered, by HTTP status and business code.',
    labelNames: [...asked, 'status', 'code'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'quotebook_request_duration_seconds',
    help: 'From the head of a request to the moment at which its answer was handed to the connection.',
    labelNames: asked,
    buckets,
    registers,
  })
  const bytes = new Counter({
    name: 'quotebook_sent_bytes_total',
    help: 'Bytes of answer bodies as sent.',
    labelNames: asked,
    registers,
  })
  const rows = new Counter({
    name: 'quotebook_sent_rows_total',
    help: 'Rows of answers.',
    labelNames: ['apiname'] as const,
    registers,
  })
  const refusals = new Counter({
    name: 'quotebook_refusals_total',
    help: 'Requests that a key did not open: forbidden (unknown, expired, plan too small), or too many.',
    labelNames: ['reason'] as const,
    registers,
  })
  const reasons = { forbidden: refusals.labels('forbidden'), tooMany: refusals.labels('too_many') }
  for (const reason of Object.values(reasons)) reason.inc(0)

  const gauge = (name: string, help: string, read: (() => number) | undefined): void => {
    if (!read) return
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  gauge('quotebook_requests_in_flight', 'Requests being answered.', gauges.inFlight)
  gauge('quotebook_held_bytes', 'Bytes of answers and columns held in memory.', gauges.heldBytes)
  const { archiveChanges } = gauges
  if (archiveChanges) {
    new Counter({
      name: 'quotebook_archive_changes_total',
      help: 'Times that the archive was found in a new state.',
      registers,
      collect() {
        this.reset()
        this.inc(archiveChanges())
      },
    })
  }

  const tallies = new Map<string, Tally>()
  const tallyOf = (route: Route, apiname: string, status: string, code: string): Tally => {
    const one = requests.labels(route, apiname, status, code)
    const sent = bytes.labels(route, apiname)
    const found = apiname === '' ? undefined : rows.labels(apiname)
    const took = seconds.labels(route, apiname)
    const reason = code === '403' || status === '403' ? 'forbidden' : status === '429' ? 'tooMany' : undefined
    const tally: Tally = {
      requests: 0,
      bytes: 0,
      rows: 0,
      seconds: (value) => took.observe(value),
      flush: () => {
        one.inc(tally.requests)
        sent.inc(tally.bytes)
        found?.inc(tally.rows)
        if (reason) reasons[reason].inc(tally.requests)
        tally.requests = tally.bytes = tally.rows = 0
      },
    }
    return tally
  }

  const observe = (entry: AccessEntry): void => {
    const route = routes.includes(entry.route) ? entry.route : 'other'
    const apiname = entry.apiname === undefined ? '' : operationLabel(entry.apiname)
    const [status, code] = [codeLabel(entry.status), codeLabel(entry.code)]
    const key = `${route} ${apiname} ${status} ${code}`
    let tally = tallies.get(key)
    if (!tally) {
      tally = tallyOf(route, apiname, status, code)
      tallies.set(key, tally)
    }
    tally.requests++
    tally.bytes += amount(entry.bytes)
    tally.rows += amount(entry.rows)
    tally.seconds(amount(entry.milliseconds) / 1000)
  }
  const text = (): Promise<string> => {
    for (const tally of tallies.values()) tally.flush()
    return registry.metrics()
  }
  return { observe, text, contentType: registry.contentType }
}
