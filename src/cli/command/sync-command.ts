import { Command } from 'commander'
import { checkAll } from '../../checks/all-checks.js'
import { connect } from '../../connect.js'
import { daysBetween } from '../../contract/day-list.js'
import { loadable, loadTables, tablesToCheck } from '../../load/load-tables.js'
import type { SyncedDataset, SyncOptions, SyncResult } from '../../sync/sync.js'
import { help, say } from '../chosen-language.js'
import { date } from '../command-options.js'
import { inLanguage } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { log, out, textGrid } from '../output.js'
import { bar, timeText } from '../progress-bar.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'

interface Options extends SourceOptions {
  readonly archive: string
  readonly datasets?: readonly string[]
  readonly from?: string
  readonly themes?: readonly string[]
  readonly dryRun?: true
}

/** Words separated by commas. */
function words(text: string): string[] {
  return text.split(',').flatMap((word) => word.trim() || [])
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
  out(`${textGrid(planColumns, rows)}\n`)
  const isPaced = perSecond !== undefined && Number.isFinite(perSecond)
  const time = isPaced ? say('due time', { time: timeText(planned / perSecond), pace: perSecond }) : ''
  log(`${say('due total', { requests: planned, from, latest })}${time}`)
}

const longest = 3

function dayWords(days: readonly string[]): string {
  const shown = days.slice(0, longest).join(', ')
  return days.length > longest ? say('days and more', { days: shown, more: days.length - longest }) : shown
}

/** What every check says of the days that came, in one line. It changes no exit code: the rows are what the source gives. */
async function verify(dir: string, datasets: readonly SyncedDataset[]): Promise<void> {
  const came = datasets.filter(({ rows }) => rows > 0)
  const days = [...new Set(came.flatMap(({ days }) => days))].sort()
  const [first, latest] = [days[0], days.at(-1)]
  if (first === undefined || latest === undefined) return
  const names = loadable.filter((name) => came.some(({ dataset }) => dataset === name))
  const market = await connect({ archive: dir })
  try {
    const all = daysBetween(first, latest)
    const results = checkAll(tablesToCheck(await loadTables(market, { first, latest, all }, names)))
    const runs = results.flatMap(({ check, runs }) => runs.map(({ result }) => ({ check, result })))
    const rows = runs.reduce((sum, { result }) => sum + result.rows, 0)
    const wrong = new Set(runs.flatMap(({ check, result }) => (result.ok ? [] : [check.name])))
    log(wrong.size === 0 ? say('sync checked', { rows }) : say('sync breaks', { rows, names: [...wrong].join(', ') }))
  } finally {
    await market.close()
  }
}

async function sync({ archive, datasets, from, themes, dryRun, ...given }: Options): Promise<void> {
  const market = await openSource(given)
  const progress = bar(say('bar sync'))
  const options: SyncOptions = {
    archive,
    datasets,
    from,
    themes,
    dryRun,
    signal: untilInterrupted(say('fetch interrupted')),
    onProgress: ({ done, of, what }) => progress.update(Math.min(done, of), of, what),
  }
  try {
    const result = await market.sync(options)
    progress.stop()
    if (dryRun) return showPlan(result, market.source.pace?.perSecond)
    for (const { dataset: name, missing, failed } of result.datasets) {
      if (missing.length > 0) log(say('sync lacks', { name, days: dayWords(missing) }))
      if (failed !== undefined) log(say('sync failed', { name, why: inLanguage(failed) }))
    }
    await verify(archive, result.datasets)
    const { from: start, latest, rows, requests, revisions } = result
    const changed = revisions > 0 ? say('sync revisions', { rows: revisions }) : ''
    log(`${say('synced', { dir: archive, from: start, latest, rows, requests })}${changed}`)
    if (!result.ok) process.exitCode = 1
  } finally {
    progress.stop()
    await market.close()
  }
}

export function syncCommand(): Command {
  const command = new Command('sync')
    .description(help('sync'))
    .requiredOption('--archive <dir>', help('sync --archive'))
    .option('--datasets <names>', help('sync --datasets'), words)
    .option('--from <date>', help('sync --from'), date)
    .option('--themes <ids>', help('sync --themes'), words)
    .option('--dry-run', help('sync --dry-run'))
  return withSource(command, false).action(sync)
}
