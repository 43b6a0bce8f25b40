import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { dayNumber } from '../../contract/date.js'
import { type FollowStatus, unfollowed } from '../../data/archive/follow-status.js'
import type { Manifest } from '../../data/archive/manifest-entries.js'
import { newestDays, waitingByDataset } from '../../data/archive/newest-days.js'
import { type AccessEntry, operationLabel, type Route } from './access-log.js'

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
  /** Since when keys read before are in force, because the key file is wrong; Beijing time. */
  readonly keysFault?: (() => string | undefined) | undefined
  /** What the archive holds: how new each dataset is, and what of it waits. */
  readonly manifest?: (() => Promise<Manifest>) | undefined
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

type Prometheus = typeof import('#prometheus')

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

type Read = () => number | undefined | Promise<number | undefined>
/** A figure that is read when the metrics are. Of several processes' figures the sum counts, or the largest. */
type Figure = readonly ['Counter' | 'Gauge', name: string, help: string, of: 'sum' | 'max', read: Read | undefined]

function createFigures({ Counter, Gauge }: Prometheus, registers: Registry[], figures: readonly Figure[]): void {
  for (const [kind, name, help, aggregator, read] of figures) {
    if (!read) continue
    const about = { name: `quotebook_${name}`, help, registers, aggregator }
    const value = async (): Promise<number> => (await read()) ?? 0
    if (kind === 'Gauge') {
      const gauge = new Gauge({ ...about, collect: async (): Promise<void> => gauge.set(await value()) })
      continue
    }
    const collect = async (): Promise<void> => {
      const found = await value()
      counter.reset()
      counter.inc(found)
    }
    const counter = new Counter({ ...about, collect })
  }
}

/** Seconds since 1970; 0 for none. */
function epoch(moment = '1970-01-01'): number {
  return Date.parse(moment) / 1000
}

/** A figure of each dataset, by its name. */
function createDatasetGauge(
  { Gauge }: Prometheus,
  registers: Registry[],
  about: { readonly name: string; readonly help: string },
  read: () => Promise<Iterable<readonly [dataset: string, value: number]>>,
): void {
  const collect = async (): Promise<void> => {
    gauge.reset()
    for (const [dataset, value] of await read()) gauge.set({ dataset }, value)
  }
  const gauge = new Gauge({ ...about, registers, labelNames: ['dataset'], aggregator: 'max', collect })
}

/** How new each dataset is, and what of it a later answer had less of. */
function createFreshness(prometheus: Prometheus, registers: Registry[], read: () => Promise<Manifest>): void {
  const gauge = (name: string, help: string, of: (manifest: Manifest) => Iterable<readonly [string, number]>): void =>
    createDatasetGauge(prometheus, registers, { name, help }, async () => of(await read()))
  const day = 'Midnight, in Beijing, of the newest settled day that the archive has.'
  gauge('quotebook_newest_day_timestamp_seconds', day, (manifest) =>
    [...newestDays(manifest)].map(([name, one]) => [name, dayNumber(one) * 86_400 - 8 * 3600] as const),
  )
  const ofWaiting = (of: (one: { readonly days: string[]; readonly rows: number }) => number) => (manifest: Manifest) =>
    [...waitingByDataset(manifest)].map(([name, one]) => [name, of(one)] as const)
  gauge(
    'quotebook_waiting_days',
    'Settled days that a later answer had less of.',
    ofWaiting(({ days }) => days.length),
  )
  gauge(
    'quotebook_waiting_rows',
    'Rows and values that it lacked: they are kept.',
    ofWaiting(({ rows }) => rows),
  )
}

function serverFigures({ inFlight, heldBytes, archiveChanges, limitsAway, keysFault }: Gauges): Figure[] {
  const away = limitsAway && (() => Number(limitsAway()))
  const fault = keysFault && (() => epoch(keysFault()))
  return [
    ['Gauge', 'requests_in_flight', 'Requests being answered.', 'sum', inFlight],
    ['Gauge', 'held_bytes', 'Bytes of answers and columns held in memory.', 'sum', heldBytes],
    ['Gauge', 'limits_away', '1 while the Redis of --limits keeps no rates.', 'max', away],
    ['Gauge', 'keys_fault_timestamp_seconds', 'Since when the key file is wrong; 0 while it is not.', 'max', fault],
    ['Counter', 'archive_changes_total', 'Times that the archive was found in a new state.', 'max', archiveChanges],
  ]
}

/** Figures of the process that keeps an archive up to a source, as it last told them; 0 where there is nothing to tell. */
function followFigures(status: () => Promise<FollowStatus | undefined>): Figure[] {
  const told =
    (of: (told: FollowStatus) => number | undefined): Read =>
    async () => {
      const found = await status()
      return found && of(found)
    }
  const moment = (of: (told: FollowStatus) => string | undefined): Read => told((found) => epoch(of(found)))
  const all: readonly (readonly [Figure[0], name: string, help: string, read: Read])[] = [
    ['Counter', 'runs_total', 'Runs of sync --follow.', told(({ counts }) => counts.runs)],
    [
      'Counter',
      'failures_total',
      'Runs of sync --follow of which something failed.',
      told(({ counts }) => counts.failures),
    ],
    ['Counter', 'rows_total', 'Rows that sync --follow brought.', told(({ counts }) => counts.rows)],
    ['Counter', 'requests_total', 'Requests that sync --follow sent.', told(({ counts }) => counts.requests)],
    [
      'Gauge',
      'last_run_timestamp_seconds',
      'When the last run began that the source answered.',
      moment(({ last }) => last?.at),
    ],
    [
      'Gauge',
      'next_run_timestamp_seconds',
      'When the next run begins.',
      moment(({ next, ended }) => (ended ? undefined : next.at)),
    ],
    [
      'Gauge',
      'unfollowed_timestamp_seconds',
      'Since when nothing is brought.',
      moment((told) => unfollowed(told)?.since),
    ],
    [
      'Gauge',
      'held_until_timestamp_seconds',
      'Until when the source asked to wait.',
      moment((told) => told.next.held?.until),
    ],
    ['Gauge', 'last_failure_timestamp_seconds', 'When something last failed.', moment(({ failure }) => failure?.at)],
    [
      'Gauge',
      'missing_days',
      'Trading days that the source lacked in the last run.',
      told(({ last }) => last?.missing),
    ],
    ['Gauge', 'late_datasets', 'Datasets whose batch of the day is not there yet.', told(({ late }) => late.length)],
  ]
  return all.map(([kind, name, help, read]) => [kind, `sync_${name}`, help, 'max', read])
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
  const prometheus = await import('#prometheus')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  const collectors = createCollectors(prometheus, [registry])
  const followed = gauges.followed ? followFigures(gauges.followed) : []
  createFigures(prometheus, [registry], [...serverFigures(gauges), ...followed])
  if (gauges.manifest) createFreshness(prometheus, [registry], gauges.manifest)
  const byLabels = new Map<string, ReturnType<typeof createPending>>()

  const observe = ({ route, apiname: name, status, code, bytes, rows = 0, milliseconds }: AccessEntry): void => {
    const apiname = name === undefined ? '' : operationLabel(name)
    const labels = [route, apiname, `${status}`, `${code ?? ''}`] as const
    const key = labels.join(' ')
    let counts = byLabels.get(key)
    if (!counts) {
      counts = createPending(collectors, labels)
      byLabels.set(key, counts)
    }
    counts.pending.requests++
    counts.pending.bytes += bytes
    counts.pending.rows += rows
    counts.seconds.observe(milliseconds / 1000)
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
  manifest: () => Promise<Manifest>,
): Promise<Pick<Metrics, 'text' | 'contentType'>> {
  const prometheus = await import('#prometheus')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  createFigures(prometheus, [registry], followFigures(read))
  createFreshness(prometheus, [registry], manifest)
  return { text: () => registry.metrics(), contentType: registry.contentType }
}

/** How many processes answer. */
export interface WorkersStatus {
  readonly wanted: number
  /** Those that listen; while one is being replaced, one more. */
  readonly listening: number
  /** Times that one ended by itself and another took its place. */
  readonly restarts: number
  /** Times that one ended without having been told to, also while another was about to take its place. */
  readonly deaths: number
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
    const prometheus = await import('#prometheus')
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
