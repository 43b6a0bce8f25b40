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
  /** Counts a request that was answered. */
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
const allLabels = [...requestLabels, 'status', 'code'] as const

function createCollectors({ Counter, Histogram }: Prometheus, registers: Registry[]) {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const refused = 'Requests that a key did not open: forbidden (unknown, expired, plan too small), or too many.'
  const collectors = {
    requests: counter('quotebook_requests_total', 'Requests answered, by HTTP status and business code.', allLabels),
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

/** A figure that is read when the metrics are; a moment counts as seconds since 1970, and 0 is none. */
type Read = () => number | boolean | string | undefined | Promise<number | string | undefined>
/** Of several processes' figures the sum counts, or the largest. */
type Figure = readonly ['Counter' | 'Gauge', name: string, help: string, of: 'sum' | 'max', read: Read | undefined]

function createFigures(prometheus: Prometheus, registers: Registry[], figures: readonly Figure[]): void {
  for (const [kind, name, help, aggregator, read] of figures) {
    const collect = async (): Promise<void> => {
      const found = (await read?.()) ?? 0
      figure.reset()
      figure.inc(typeof found === 'string' ? Date.parse(found) / 1000 : Number(found))
    }
    const about = { name: `quotebook_${name}`, help, registers: read ? registers : [], aggregator, collect }
    const figure = kind === 'Gauge' ? new prometheus.Gauge(about) : new prometheus.Counter(about)
  }
}

/** How new each dataset is, and what of it a later answer had less of. */
function createFreshness({ Gauge }: Prometheus, registers: Registry[], read: () => Promise<Manifest>): void {
  const gauge = (name: string, help: string, of: (manifest: Manifest) => Iterable<readonly [string, number]>): void => {
    const collect = async (): Promise<void> => {
      made.reset()
      for (const [dataset, value] of of(await read())) made.set({ dataset }, value)
    }
    const made = new Gauge({ name, help, registers, labelNames: ['dataset'], aggregator: 'max', collect })
  }
  const day = 'Midnight, in Beijing, of the newest settled day that the archive has.'
  gauge('quotebook_newest_day_timestamp_seconds', day, (manifest) =>
    [...newestDays(manifest)].map(([name, one]) => [name, dayNumber(one) * 86_400 - 8 * 3600] as const),
  )
  const waiting = (manifest: Manifest) => [...waitingByDataset(manifest)]
  gauge('quotebook_waiting_days', 'Settled days that a later answer had less of.', (manifest) =>
    waiting(manifest).map(([name, { days }]) => [name, days.length] as const),
  )
  gauge('quotebook_waiting_rows', 'Rows and values that it lacked: they are kept.', (manifest) =>
    waiting(manifest).map(([name, { rows }]) => [name, rows] as const),
  )
}

// biome-ignore format: a table, one figure a line
const serverFigures = ({ inFlight, heldBytes, archiveChanges, limitsAway, keysFault }: Gauges): Figure[] => [
  ['Gauge', 'requests_in_flight', 'Requests being answered.', 'sum', inFlight],
  ['Gauge', 'held_bytes', 'Bytes of answers and columns held in memory.', 'sum', heldBytes],
  ['Gauge', 'limits_away', '1 while the Redis of --limits keeps no rates.', 'max', limitsAway],
  ['Gauge', 'keys_fault_timestamp_seconds', 'Since when the key file is wrong; 0 while it is not.', 'max', keysFault],
  ['Counter', 'archive_changes_total', 'Times that the archive was found in a new state.', 'max', archiveChanges],
]

/** Figures of the process that keeps an archive up to a source, as it last told them; 0 where there is nothing to tell. */
// biome-ignore format: a table, one figure a line
const followed: readonly (readonly [Figure[0], name: string, help: string, of: (told: FollowStatus) => number | string | undefined])[] = [
  ['Counter', 'runs_total', 'Runs of sync --follow.', ({ counts }) => counts.runs],
  ['Counter', 'failures_total', 'Runs of sync --follow of which something failed.', ({ counts }) => counts.failures],
  ['Counter', 'rows_total', 'Rows that sync --follow brought.', ({ counts }) => counts.rows],
  ['Counter', 'requests_total', 'Requests that sync --follow sent.', ({ counts }) => counts.requests],
  ['Gauge', 'last_run_timestamp_seconds', 'When the last run began that the source answered.', ({ last }) => last?.at],
  ['Gauge', 'next_run_timestamp_seconds', 'When the next run begins.', ({ next, ended }) => (ended ? undefined : next.at)],
  ['Gauge', 'unfollowed_timestamp_seconds', 'Since when nothing is brought.', (told) => unfollowed(told)?.since],
  ['Gauge', 'held_until_timestamp_seconds', 'Until when the source asked to wait.', ({ next }) => next.held?.until],
  ['Gauge', 'last_failure_timestamp_seconds', 'When something last failed.', ({ failure }) => failure?.at],
  ['Gauge', 'missing_days', 'Trading days that the source lacked in the last run.', ({ last }) => last?.missing],
  ['Gauge', 'late_datasets', 'Datasets whose batch of the day is not there yet.', ({ late }) => late.length],
]

function followFigures(status: () => Promise<FollowStatus | undefined>): Figure[] {
  return followed.map(([kind, name, help, of]) => {
    const read = async () => {
      const told = await status()
      return told && of(told)
    }
    return [kind, `sync_${name}`, help, 'max', read]
  })
}

/** What counts the answers with one combination of labels. */
function createCounts(
  { requests, seconds, bytes, rows, refusals }: ReturnType<typeof createCollectors>,
  [route, apiname, status, code]: readonly [route: Route, apiname: string, status: string, code: string],
) {
  const reason = code === '403' || status === '403' ? 'forbidden' : status === '429' ? 'too_many' : undefined
  return {
    requests: requests.labels(route, apiname, status, code),
    refusals: reason && refusals.labels(reason),
    bytes: bytes.labels(route, apiname),
    rows: apiname === '' ? undefined : rows.labels(apiname),
    seconds: seconds.labels(route, apiname),
  }
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
  const byLabels = new Map<string, ReturnType<typeof createCounts>>()
  const observe = ({ route, apiname: name, status, code, bytes, rows = 0, milliseconds }: AccessEntry): void => {
    const labels = [route, name === undefined ? '' : operationLabel(name), `${status}`, `${code ?? ''}`] as const
    const key = labels.join(' ')
    const counts = byLabels.get(key) ?? createCounts(collectors, labels)
    byLabels.set(key, counts)
    counts.requests.inc()
    counts.refusals?.inc()
    counts.bytes.inc(bytes)
    counts.rows?.inc(rows)
    counts.seconds.observe(milliseconds / 1000)
  }
  return {
    observe,
    text: () => registry.metrics(),
    counts: () => registry.getMetricsAsJSON(),
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
