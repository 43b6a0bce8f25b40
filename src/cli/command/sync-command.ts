import type { Command } from 'commander'
import { archiveAt } from '../../connect.js'
import { daysBetween } from '../../contract/day-list.js'
import type { ArchiveStore } from '../../data/archive/store/archive-store.js'
import type { FollowRun } from '../../data/sync/follow.js'
import type { SyncAgain, SyncedDataset, SyncResult } from '../../data/sync/sync.js'
import { Market } from '../../market.js'
import { checkWorst } from '../../research/checks/all-checks.js'
import { loadable, loadTables, tablesToCheck } from '../../research/report/load/load-tables.js'
import { say } from '../chosen-language.js'
import { date, daysFromTo, listenAddress, sourceWord, verboseWord } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { inLanguage, whyOf } from '../error-text.js'
import { dayWords, TickFetch } from '../fetch-ticks.js'
import { onReload, untilInterrupted } from '../interrupt.js'
import { type Notify, notifier, notifyWord } from '../notify.js'
import { log, out, tell, textGrid } from '../output.js'
import { planEvening } from '../plan-evening.js'
import { bar, queryOn, withBar } from '../progress-bar.js'
import { aboutTime } from '../progress-line.js'
import { headIn } from '../readable-heads.js'
import { archivePlace, withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type Options = OptionsOf<typeof syncWords>

/** Words separated by commas. */
function words(text: string): string[] {
  return text.split(',').flatMap((word) => word.trim() || [])
}

/** `etf_minute:20260701..20260703,thememembers_jx`: datasets, with days where only some are meant. */
function datasetsAgain(text: string): SyncAgain[] {
  return words(text).map((word) => {
    const [dataset = '', days] = word.split(':')
    return { dataset, ...(days !== undefined && daysFromTo(days.replace(/^(\d{8})-(?=\d{8}$)/, '$1..'))) }
  })
}

const planColumns = ['dataset', 'from', 'to', 'days', 'again', 'requests']

function showPlan({ datasets, planned, from, latest }: SyncResult, perSecond: number | undefined): void {
  const rows = datasets.map(({ dataset, due, again, planned: requests }) => [
    dataset,
    due[0] ?? '',
    due.at(-1) ?? '',
    due.length,
    again.length,
    requests,
  ])
  out(`${textGrid(planColumns.map(headIn), rows)}\n`)
  const isPaced = perSecond !== undefined && Number.isFinite(perSecond)
  const time = isPaced
    ? say('; {time} at {pace} requests a second', { time: aboutTime(planned / perSecond), pace: perSecond })
    : say('; no pace is set: as fast as the source answers')
  log(`${say('{requests} requests, at least, from {from} to {latest}', { requests: planned, from, latest })}${time}`)
}

interface Checked {
  readonly rows: number
  /** Checks that some rows contradict. */
  readonly names: string
}

/** What every check says of the days that came; undefined where none did. */
async function verify(store: ArchiveStore, datasets: readonly SyncedDataset[]): Promise<Checked | undefined> {
  const came = datasets.filter(({ rows }) => rows > 0)
  // What was asked again and is as it was has been checked before.
  const fresh = ({ days, again, revisions }: SyncedDataset): readonly string[] =>
    revisions > 0 ? days : days.filter((day) => !again.includes(day))
  const days = [...new Set(came.flatMap(fresh))].sort()
  const [first, latest] = [days[0], days.at(-1)]
  if (first === undefined || latest === undefined) return undefined
  const names = loadable.filter((name) => came.some(({ dataset }) => dataset === name))
  const market = new Market(archiveAt(store, {}))
  try {
    const all = daysBetween(first, latest)
    const results = await checkWorst(tablesToCheck(await loadTables(market, { first, latest, all }, names)))
    const runs = results.flatMap(({ check, runs }) => runs.map(({ result }) => ({ check, result })))
    const rows = runs.reduce((sum, { result }) => sum + result.rows, 0)
    const wrong = new Set(runs.flatMap(({ check, result }) => (result.ok ? [] : [check.name])))
    return { rows, names: [...wrong].join(', ') }
  } finally {
    await market.ticks.close()
  }
}

const shortTime = (moment: string): string => moment.slice(0, 19).replace('T', ' ')

/** Runs in a row without an answer, or milliseconds until the next, from which on a person is told. */
const [mostSilent, longPause] = [4, 600_000]

/** One line for whoever reads the log of a process that runs for years. */
async function followLine(
  store: ArchiveStore,
  { at, datasets, result, failed, late, next }: FollowRun,
  notify: Notify,
): Promise<string> {
  const daysOf = (what: 'missing' | 'waiting'): string =>
    (result?.datasets ?? [])
      .flatMap((one) => (one[what].length > 0 ? `${one.dataset} ${dayWords(one[what], 3)}` : []))
      .join(say(', '))
  const [missing, waiting] = [daysOf('missing'), daysOf('waiting')]
  const wrong = await verify(store, result?.datasets ?? []).then(
    (checked) => checked?.names,
    (error) => whyOf(error),
  )
  const [lacks, waits, lates, breaks] = [
    missing === '' ? '' : say('missing: {days}', { days: missing }),
    waiting === '' ? '' : say('kept although a later answer had less, asked again: {days}', { days: waiting }),
    late.length > 0 ? say('not there yet: {names}', { names: late.join(say(', ')) }) : '',
    wrong ? say('some rows contradict {names}', { names: wrong }) : '',
  ]
  for (const text of [lacks, waits, lates]) if (text !== '') notify('late', text)
  if (breaks !== '') notify('check', breaks)
  const { held } = next
  const parts = [
    say('{names}: {rows} rows by {requests} requests', {
      names: datasets.join(','),
      rows: result?.rows ?? 0,
      requests: result?.requests ?? 0,
    }),
    lacks,
    waits,
    lates,
    breaks,
    failed === undefined ? '' : say('failed: {why}', { why: inLanguage(failed) }),
    result?.unkept === undefined
      ? ''
      : say('months could not be kept by code: {why}', { why: inLanguage(result.unkept) }),
    say('next {at} {names}', { at: shortTime(next.at), names: next.datasets.join(',') }) +
      (held ? say(' ({by} asks to wait until {until})', { by: held.by, until: shortTime(held.until) }) : ''),
  ]
  return `${shortTime(at)} ${parts.filter((part) => part !== '').join(say('; '))}`
}

async function follow(market: Market, options: Options): Promise<void> {
  const { archive, datasets, from, themes, metrics, ticks, plan: file, account } = options
  // Beside a process that serves the archive: it ends with that one.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
  const signal = untilInterrupted()
  // That one may have ended while this one began.
  if (process.connected === false) process.kill(process.pid, 'SIGTERM')
  const progress = bar(say('sync'))
  const asked = { archive, datasets, from, themes, signal, onProgress: queryOn(progress) }
  const files = ticks && new TickFetch(market.source, archive)
  const { notify, end } = notifier(options.notify, archive.name)
  const server = metrics && (await import('../../server/service/metrics-server.js')).serveMetrics(archive, ...metrics)
  try {
    if (server) tell('metrics: GET {url}/metrics', { url: (await server).url })
    tell('{dir} follows {name}; Ctrl-C ends it', { dir: archive.name, name: market.source.name })
    // Beside a process that serves an archive already, which is better old than away.
    let silent = 0
    const patient = process.env.QUOTEBOOK_PATIENT !== undefined
    for await (const run of market.follow({ ...asked, patient, owner: say('process {id}', { id: process.pid }) })) {
      progress.stop()
      log((await followLine(archive, run, notify)).replaceAll('\n', ' '))
      silent = run.result ? 0 : silent + 1
      const isLong = silent > 0 && Date.parse(run.next.at) - Date.parse(run.at) >= longPause
      if (silent >= mostSilent || isLong)
        notify('unfollowed', say('failed: {why}', { why: inLanguage(run.failed ?? '') }))
      const { at, result } = run
      for (const line of (result && (await files?.fetchAfter(at, result.from, result.latest, signal))) ?? []) log(line)
      if (!result?.rows || file === undefined || account === undefined || signal.aborted) continue
      const { lines, isPlanned } = await planEvening(file, account, archive.name)
      for (const line of lines) log(line)
      if (isPlanned) notify('order', lines.join('\n'))
    }
    tell('{dir} is followed no longer', { dir: archive.name })
  } catch (error) {
    if (!signal.aborted) notify('stopped', whyOf(error))
    throw error
  } finally {
    progress.stop()
    await end()
    await (await server)?.close()
  }
}

async function sync(options: Options): Promise<void> {
  onReload()
  if (options.metrics && !options.follow) throw wrongUse('--metrics requires --follow')
  if (options.dryRun && options.follow) throw wrongUse('--dry-run and --follow exclude each other')
  if (
    (options.plan === undefined) !== (options.account === undefined) ||
    (options.plan !== undefined && !options.follow)
  )
    throw wrongUse('--plan FILE and --account DIR go together, with --follow')
  if (options.again && options.follow) throw wrongUse('--again and --follow exclude each other')
  if (options.dryRun && options.ticks) throw wrongUse('--dry-run plans the datasets alone, without --ticks')
  if (!options.follow) return withMarket(options, (market) => syncOnce(market, options))
  return withMarket(options, (market) => follow(market, options))
}

async function syncOnce(market: Market, options: Options): Promise<void> {
  const { archive, datasets, from, themes, again, dryRun, ticks } = options
  const signal = untilInterrupted(
    dryRun ? undefined : say('interrupted; what has come stays, and the next run goes on from there'),
  )
  const result = await withBar(say('sync'), (progress) =>
    market.sync({ archive, datasets, from, themes, again, dryRun, signal, onProgress: queryOn(progress) }),
  )
  if (dryRun) return showPlan(result, market.source.pace?.perSecond)
  for (const { dataset: name, missing, waiting, failed } of result.datasets) {
    if (waiting.length > 0)
      tell('{name}: the last answer had less of {days} than before; what was there stays, and is asked for again', {
        name,
        days: dayWords(waiting, 3),
      })
    if (missing.length > 0) tell('{name}: the source has not all rows of {days}', { name, days: dayWords(missing, 3) })
    if (failed !== undefined) tell('{name} was not fetched: {why}', { name, why: inLanguage(failed) })
  }
  if (result.unkept !== undefined) tell('months could not be kept by code: {why}', { why: inLanguage(result.unkept) })
  const checked = await verify(archive, result.datasets)
  if (checked)
    tell(
      checked.names === ''
        ? 'checked {rows} rows of what came: no contradictions'
        : 'checked {rows} rows of what came: some contradict {names}',
      { ...checked },
    )
  const { from: start, latest, rows, requests, revisions } = result
  const changed = revisions > 0 ? say('; {rows} rows are others than before', { rows: revisions }) : ''
  log(
    `${say('{dir}: {from} to {latest}, {rows} rows by {requests} requests', { dir: archive.name, from: start, latest, rows, requests })}${changed}`,
  )
  const files = ticks && (await new TickFetch(market.source, archive).fetch(start, latest, signal))
  for (const line of files?.lines ?? []) log(line)
  if (!result.ok || files?.isWhole === false) process.exitCode = 1
}

// biome-ignore format: a table, one word a line
const syncWords = {
  sync: ['sync an archive with a source: missing days, and the latest day in its current state'],
  '--archive <dir>': ['archive to write; created if it does not exist', { parse: archivePlace, required: true }],
  '--datasets <names>': ['only these, separated by commas', words],
  '--from <date>': ['first day, YYYYMMDD (default: the first synced day, or 20 trading days)', date],
  '--themes <ids>': ['ids of themes in addition to those of the archive, separated by commas', words],
  '--again <names>': ['download settled data again: datasets separated by commas, with days as DATASET:FROM..TO or all of them; sector pools as they are now', datasetsAgain],
  '--ticks': ['also sync the auction-tick files of each year; with --follow every evening'],
  '--dry-run': ['only print the requests needed, and how long they take'],
  '--follow': ['keep running, at the times at which each dataset is updated; prints a line a run'],
  '--plan <file>': ['with --follow: plan with this strategy after each run with new rows, see quotebook plan'],
  '--account <dir>': ['of --plan: folder of the paper account; its page is plan.html'],
  '--metrics <address>': ['with --follow: PORT or HOST:PORT for GET /metrics (Prometheus)', listenAddress],
  ...notifyWord,
  ...sourceWord,
  ...verboseWord,
} as const satisfies CommandWords

export const syncCommand = (): Command => declare(syncWords).action(sync)
