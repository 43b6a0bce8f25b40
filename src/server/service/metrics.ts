import type { Counter, Gauge, MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { codes } from '../../contract/error.js'
import type { FollowStatus } from '../../data/archive/follow-status.js'
import { type AccessEntry, operationLabel, type Route, routes } from './access-log.js'
import type { WorkersStatus } from './workers/workers-status.js'

/** What only the server can count, read when the metrics are. */
export interface Gauges {
  /** Requests being answered. */
  readonly inFlight?: () => number
  /** Bytes of answers and columns that are held in memory. */
  readonly heldBytes?: () => number
  /** Times that the archive was found in a new state. */
  readonly archiveChanges?: () => number
  /** Whether rates of keys are not kept where all machines see them. */
  readonly limitsAway?: (() => boolean) | undefined
  /** What the process says that keeps the archive up to a source. */
  readonly followed?: (() => Promise<FollowStatus | undefined>) | undefined
}

/** What one process has counted, as it travels between processes. */
export type MetricCounts = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface Metrics {
  /** Counts a request that was answered, in half a microsecond. */
  observe(entry: AccessEntry): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  /** The same before it is written, to be added to that of other processes. */
  counts(): Promise<MetricCounts>
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

type Prometheus = typeof import('prom-client')

const requestLabels = ['route', 'apiname'] as const

function createCollectors({ Counter, Histogram }: Prometheus, registers: Registry[]) {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const refused = 'Requests that a key did not open: forbidden (unknown, expired, plan too small), or too many.'
  const collectors = {
    requests: counter('quotebook_requests_total', 'Requests answered, by HTTP status and business code.', [
      ...requestLabels,
      'status',
      'code',
    ]),
    seconds: new Histogram({
      name: 'quotebook_request_duration_seconds',
      help: 'From the head of a request to the moment at which its answer was handed to the connection.',
      labelNames: requestLabels,
      buckets,
      registers,
    }),
    bytes: counter('quotebook_sent_bytes_total', 'Bytes of answer bodies as sent.', requestLabels),
    rows: counter('quotebook_sent_rows_total', 'Rows of answers.', ['apiname']),
    refusals: counter('quotebook_refusals_total', refused, ['reason']),
  }
  for (const reason of ['forbidden', 'too_many']) collectors.refusals.labels(reason).inc(0)
  return collectors
}

/** A figure that is read when the metrics are. `most`: of several processes the largest counts, not the sum. */
interface Figure {
  readonly kind: 'Counter' | 'Gauge'
  readonly name: string
  readonly help: string
  readonly most?: boolean
  readonly read: (() => number | Promise<number>) | undefined
}

function createFigures(prometheus: Prometheus, registers: Registry[], figures: readonly Figure[]): void {
  for (const { kind, name, help, most, read } of figures) {
    if (!read) continue
    const about = { name: `quotebook_${name}`, help, registers, aggregator: most ? ('max' as const) : ('sum' as const) }
    if (kind === 'Gauge') {
      const gauge: Gauge = new prometheus.Gauge({ ...about, collect: async () => gauge.set(await read()) })
      continue
    }
    const collect = async (): Promise<void> => {
      const value = await read()
      counter.reset()
      counter.inc(amount(value))
    }
    const counter: Counter = new prometheus.Counter({ ...about, collect })
  }
}

function serverFigures({ inFlight, heldBytes, archiveChanges, limitsAway }: Gauges): Figure[] {
  const away = limitsAway && (() => Number(limitsAway()))
  const gauge = { kind: 'Gauge' } as const
  const changes = 'Times that the archive was found in a new state.'
  return [
    { ...gauge, name: 'requests_in_flight', help: 'Requests being answered.', read: inFlight },
    { ...gauge, name: 'held_bytes', help: 'Bytes of answers and columns held in memory.', read: heldBytes },
    {
      ...gauge,
      name: 'limits_away',
      help: '1 while the Redis of --limits keeps no rates.',
      read: away,
      most: true,
    },
    { kind: 'Counter', name: 'archive_changes_total', help: changes, read: archiveChanges, most: true },
  ]
}

type FollowFigure = readonly [name: string, help: string, of: (status: FollowStatus) => number | undefined]

const seconds = (moment: string | undefined): number => (moment === undefined ? 0 : Date.parse(moment) / 1000)

const followCounters: readonly FollowFigure[] = [
  ['runs_total', 'Runs of sync --follow.', ({ counts }) => counts.runs],
  ['failures_total', 'Runs of sync --follow of which something failed.', ({ counts }) => counts.failures],
  ['rows_total', 'Rows that sync --follow brought.', ({ counts }) => counts.rows],
  ['requests_total', 'Requests that sync --follow sent.', ({ counts }) => counts.requests],
]
const followGauges: readonly FollowFigure[] = [
  ['last_run_timestamp_seconds', 'When the last run began that the source answered.', ({ last }) => seconds(last?.at)],
  [
    'next_run_timestamp_seconds',
    'When the next run begins.',
    ({ next, ended }) => seconds(ended ? undefined : next.at),
  ],
  ['last_failure_timestamp_seconds', 'When something last failed.', ({ failure }) => seconds(failure?.at)],
  ['missing_days', 'Trading days that the source lacked in the last run.', ({ last }) => last?.missing],
  ['late_datasets', 'Datasets whose batch of the day is not there yet.', ({ late }) => late.length],
]

/** Figures of the process that keeps an archive up to a source, as it last told them; 0 where there is nothing to tell. */
function followFigures(status: () => Promise<FollowStatus | undefined>): Figure[] {
  const figures = (kind: Figure['kind'], all: readonly FollowFigure[]): Figure[] =>
    all.map(([name, help, of]) => {
      const read = async (): Promise<number> => {
        const told = await status()
        return (told && of(told)) ?? 0
      }
      return { kind, name: `sync_${name}`, help, most: true, read }
    })
  return [...figures('Counter', followCounters), ...figures('Gauge', followGauges)]
}

/** What was counted for one combination of labels and is not yet in its collectors. */
function createPending(
  { requests, seconds, bytes, rows, refusals }: ReturnType<typeof createCollectors>,
  [route, apiname, status, code]: readonly [route: Route, apiname: string, status: string, code: string],
) {
  const reason = code === '403' || status === '403' ? 'forbidden' : status === '429' ? 'too_many' : undefined
  const counters = {
    requests: [requests.labels(route, apiname, status, code), reason && refusals.labels(reason)],
    bytes: [bytes.labels(route, apiname)],
    rows: [apiname === '' ? undefined : rows.labels(apiname)],
  }
  const pending = { requests: 0, bytes: 0, rows: 0 }
  const flush = (): void => {
    for (const name of ['requests', 'bytes', 'rows'] as const) {
      for (const counter of counters[name]) if (counter) counter.inc(pending[name])
      pending[name] = 0
    }
  }
  return { pending, seconds: seconds.labels(route, apiname), flush }
}

/**
 * Metrics of a service in a registry of its own, with those of the process: `quotebook_*` and `process_*`, `nodejs_*`.
 * Labels are route, operation, HTTP status, business code and reason of a refusal; no key, no caller, no param.
 */
export async function createMetrics(gauges: Gauges = {}): Promise<Metrics> {
  const prometheus = await import('prom-client')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  const collectors = createCollectors(prometheus, [registry])
  const followed = gauges.followed ? followFigures(gauges.followed) : []
  createFigures(prometheus, [registry], [...serverFigures(gauges), ...followed])
  const byLabels = new Map<string, ReturnType<typeof createPending>>()

  const observe = (entry: AccessEntry): void => {
    const route = routes.includes(entry.route) ? entry.route : 'other'
    const apiname = entry.apiname === undefined ? '' : operationLabel(entry.apiname)
    const labels = [route, apiname, codeLabel(entry.status), codeLabel(entry.code)] as const
    const key = labels.join(' ')
    let counts = byLabels.get(key)
    if (!counts) {
      counts = createPending(collectors, labels)
      byLabels.set(key, counts)
    }
    counts.pending.requests++
    counts.pending.bytes += amount(entry.bytes)
    counts.pending.rows += amount(entry.rows)
    counts.seconds.observe(amount(entry.milliseconds) / 1000)
  }
  const flushed = (): Registry => {
    for (const { flush } of byLabels.values()) flush()
    return registry
  }
  return {
    observe,
    text: () => flushed().metrics(),
    counts: () => flushed().getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

/** Metrics of a process that keeps an archive up to a source: `quotebook_sync_*`, with those of the process. */
export async function createFollowMetrics(
  read: () => Promise<FollowStatus | undefined>,
): Promise<Pick<Metrics, 'text' | 'contentType'>> {
  const prometheus = await import('prom-client')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  createFigures(prometheus, [registry], followFigures(read))
  return { text: () => registry.metrics(), contentType: registry.contentType }
}

/** Metrics of several processes as those of one: sums, where a metric has no other rule. What counts up outlives its process. */
export class CountsOfAll {
  readonly #status: () => WorkersStatus
  readonly #known = new Map<number, MetricCounts>()
  readonly #waiting = new Map<number, () => void>()
  #gone: MetricCounts[] = []

  constructor(status: () => WorkersStatus) {
    this.#status = status
  }

  set(id: number, counts: MetricCounts): void {
    this.#known.set(id, counts)
    this.#waiting.get(id)?.()
  }

  /** Ends when a process has told what it counted, or is gone. */
  next(id: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  leave(id: number): void {
    const known = this.#known.get(id) ?? []
    const lasting = known.filter(({ type, aggregator }) => `${type}` !== 'gauge' && aggregator === 'sum')
    if (lasting.length > 0) this.#gone.push(lasting)
    this.#known.delete(id)
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }

  async text(): Promise<string> {
    const prometheus = await import('prom-client')
    const sum = (all: readonly MetricCounts[]): Registry => prometheus.AggregatorRegistry.aggregate([...all] as never)
    if (this.#gone.length > 1) this.#gone = [await sum(this.#gone).getMetricsAsJSON()]
    const registers = [new prometheus.Registry()]
    const { wanted, listening, restarts, deaths } = this.#status()
    new prometheus.Gauge({ name: 'quotebook_workers', help: 'Processes that answer.', registers }).set(listening)
    new prometheus.Gauge({ name: 'quotebook_workers_wanted', help: 'Processes that should.', registers }).set(wanted)
    const counter = (name: string, help: string, value: number): void =>
      new prometheus.Counter({ name: `quotebook_worker_${name}_total`, help, registers }).inc(value)
    counter('restarts', 'Processes that ended by themselves and were replaced.', restarts)
    counter('deaths', 'Processes that ended without having been told to.', deaths)
    const own = (await registers[0]?.getMetricsAsJSON()) ?? []
    return sum([...this.#known.values(), ...this.#gone, own]).metrics()
  }
}
