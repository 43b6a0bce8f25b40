import { join } from 'node:path'
import type { Command } from 'commander'
import { datasetOf, findDataset } from '../../contract/catalogue.js'
import { beijingTime } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { wordsIn } from '../../contract/say.js'
import { isFact } from '../../contract/sentence.js'
import type { Archive } from '../../data/archive/archive.js'
import { archiveStatus, type ScopeStatus, statusTable } from '../../data/archive/archive-status.js'
import { isLocked } from '../../data/archive/directory-lock.js'
import { readFollowStatus, unfollowed } from '../../data/archive/follow-status.js'
import { emptyManifest, isOutdated } from '../../data/archive/manifest.js'
import { rewriteCommand } from '../../data/archive/part-file.js'
import { wallTime } from '../../data/source/transport/clock.js'
import { strings } from '../../frame/read-columns.js'
import type { Market } from '../../market.js'
import { checkWorst } from '../../research/checks/all-checks.js'
import { type CheckState, checkSummary, stateIn } from '../../research/checks/check-summary.js'
import { checkable } from '../../research/report/load/load-tables.js'
import { language, say } from '../chosen-language.js'
import { outputWords, sourceWords } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { inLanguage } from '../error-text.js'
import { tellWord } from '../other-words.js'
import { emit, formatFor, isForReading, log, tell } from '../output.js'
import { withHeads } from '../readable-heads.js'
import { openSource } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'
import { lastDays } from './check-rows.js'

type StatusCommandOptions = OptionsOf<typeof words>

/** Days whose rows are checked. */
const checkedDays = 20

/** Datasets over the last days; none where nothing tells which days these are. */
async function daysToCheck(market: Market): Promise<Awaited<ReturnType<typeof lastDays>>> {
  try {
    return await lastDays(market, checkedDays, checkable())
  } catch (error) {
    if (error instanceof QuotebookError && isFact(error.words) && error.words.code === 'NO_DAILY_DATA') return {}
    throw error
  }
}

/** The worst that the checks of each dataset say. */
async function statesOf(market: Market): Promise<ReadonlyMap<string, string>> {
  const health = checkSummary(await checkWorst(await daysToCheck(market)))
  const states = strings(health, 'state')
  return new Map(strings(health, 'dataset').map((name, row) => [name ?? '', states[row] ?? '']))
}

/** The reasons in the words of the reader, where a person reads them. */
function worded(all: readonly ScopeStatus[]): readonly ScopeStatus[] {
  return all.map((one) => ({ ...one, why: one.why && inLanguage(one.why) }))
}

/** What the process says that keeps an archive up to its source, if there ever was one. */
async function logFollow(dir: string): Promise<void> {
  const status = await readFollowStatus(dir)
  if (!status) return
  const moment = (at = ''): string => (at === '' ? '-' : at.slice(0, 19).replace('T', ' '))
  const [last, next, since] = [moment(status.last?.at), moment(status.next.at), moment(status.since)]
  const {
    failure,
    late,
    next: { held },
  } = status
  const lack = unfollowed(status)
  const isOn = await isLocked(join(dir, '.sync'))
  const parts = [
    isOn && !status.ended
      ? say('followed since {since}; last run {last}; next {next}', { since, last, next })
      : say('not followed now; last run {last}', { last }),
    late.length > 0 ? say('; not there yet: {names}', { names: late.join(', ') }) : '',
    held ? say('; {by} asks to wait until {until}', { by: held.by, until: moment(held.until) }) : '',
    lack
      ? say('; ') + say('not kept up since {since}: {why}', { since: moment(lack.since), why: inLanguage(lack.why) })
      : '',
    failure && !lack ? say('; last failure {at}: {why}', { at: moment(failure.at), why: inLanguage(failure.why) }) : '',
  ]
  log(parts.join(''))
}

/** Datasets whose days nobody has stated to be complete. */
function sayUntold(all: readonly ScopeStatus[]): void {
  const untold = all.filter(({ covered, missing }) => covered === null && missing !== null)
  if (untold.length > 0)
    tell(
      'no count under covered: nobody said which days of {names} are complete, as a sync or import --covers does; days with rows count as there',
      { names: [...new Set(untold.map(({ dataset }) => dataset))].join(', ') },
    )
}

/** What another version wrote, and how it is written anew. */
async function sayOlder(archive: Archive): Promise<void> {
  const { datasets, format } = await archive.manifest()
  const older = Object.entries(datasets).filter(([name, entry]) => isOutdated(datasetOf(name), entry))
  if (older.length > 0 || format !== emptyManifest.format)
    tell('another version wrote {names}: {command}', {
      names: older.map(([name]) => name).join(', ') || archive.name,
      command: rewriteCommand(archive.store.name),
    })
}

async function status(dir: string | undefined, options: StatusCommandOptions): Promise<void> {
  formatFor(options)
  const { from, dueBy: due, check } = options
  if (dir !== undefined) tellWord('DIR', '--source DIR')
  const dueBy = due === 'now' ? beijingTime(wallTime()) : due
  const market = await openSource(dir === undefined ? options : { ...options, source: dir })
  const { archive } = market
  if (!archive) throw wrongUse('status is of an archive; {name} is a service over HTTP', { name: market.source.name })
  const all = await archive.read((snapshot) => archiveStatus(snapshot, { from, dueBy }))
  const states = check && (await statesOf(market))
  const isRead = isForReading(options)
  const words = new Map([...(states ?? [])].map(([name, state]) => [name, stateIn(state as CheckState, language)]))
  const table = isRead && language === 'zh' ? statusTable(worded(all), states && words) : statusTable(all, states)
  await emit(isRead ? withHeads(table) : table, options)
  sayUntold(all)
  const lacking = all.filter(({ missing }) => (missing ?? 0) > 0)
  const days = lacking.reduce((sum, { missing }) => sum + (missing ?? 0), 0)
  const names = [...new Set(lacking.map(({ dataset }) => dataset))].join(', ')
  tell(
    days === 0 ? '{dir}: nothing that was due is missing' : '{dir}: {days} days that were due are missing, of {names}',
    { dir: wordsIn(archive.name, language), days, names },
  )
  const isAbsent = ({ days, covered, rows, last_sync: asked }: ScopeStatus): boolean =>
    days === 0 && rows === 0 && covered === null && asked === null
  const absent = all.filter(isAbsent)
  const [none, of] = [absent, all].map((some) => [...new Set(some.map(({ dataset }) => dataset))]) as [
    string[],
    string[],
  ]
  if (none.length > 0)
    tell('{count} of {of} datasets are not there yet: {names}', {
      count: none.length,
      of: of.length,
      names: none.join(', '),
    })
  await sayOlder(archive)
  await logFollow(archive.store.workFolder)
  const isUnread = all.some((one) => one.days === null && findDataset(one.dataset))
  if (days > 0 || none.length > 0 || isUnread || [...(states?.values() ?? [])].includes('contradicted'))
    process.exitCode = 1
}

// biome-ignore format: a table, one word a line
const words = {
  status: ['report the state of an archive: days, coverage, data that are due and missing'],
  '[dir]': ['the same as --source'],
  ...outputWords,
  ...sourceWords,
  '--from <date>': ['first day (default: the first day of each dataset)'],
  '--due-by <time>': ['date or time by which days are due, or now (default: the latest day of the archive)'],
  '--check': ['also run every check over the last days, and report the state of each dataset'],
} as const satisfies CommandWords

export const statusCommand = (): Command => declare(words).action(status)
