import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QuotebookError } from '../contract/error.js'
import { version } from '../contract/version.js'
import { takeLock } from '../data/archive/directory-lock.js'
import { makeFolder, sha256, writeFileAtomically } from '../data/archive/file-access.js'
import type { BacktestOptions } from '../research/backtest/backtest-options.js'
import type { PaperRun } from '../research/backtest/paper-account.js'
import type { RunWords } from '../research/report/tear-sheet/sheet-input.js'
import { say } from './chosen-language.js'

/** What days of a paper account are run with. */
export interface PaperSetup {
  readonly file: string
  /** Of the strategy's text and of what it imports by relative paths. */
  readonly sha256: string
  readonly params: Readonly<Record<string, unknown>>
  readonly options: BacktestOptions
  /** sha256 of all trading rules, of an account from when its days did not hold those in force. */
  readonly rules?: string
  /** Words of the account as they were typed, under which later evenings go on. */
  readonly words?: RunWords
}

/** A day as it was written, once. */
export interface PaperFileDay extends PaperRun {
  /** sha256 of the file of the day before; of `account.json` on the first. */
  readonly before: string
  /** When it was written, Beijing time, and by which version. */
  readonly at: string
  readonly version: string
  readonly source: { readonly name: string; readonly state?: string | undefined }
  /** The moment whose knowledge its rows are of; null: what was known when it was written. */
  readonly asOf: string | null
  /** By class, sha256 of the trading rules in force from the first day with this setup to this day. */
  readonly rules?: Readonly<Record<string, string>>
  /** Another setup from this day on. */
  readonly fromToday?: PaperSetup
}

/** The folder of a paper account: `account.json`, and a file for each day that names the one before. */
export interface PaperFolder {
  /** First day; undefined where nothing was written yet. */
  readonly start: string | undefined
  /** With what a day, by its place, was run; undefined where nothing was written yet. */
  setupOf(place: number): PaperSetup | undefined
  readonly days: readonly PaperFileDay[]
  begin(start: string, setup: PaperSetup): Promise<void>
  add(day: Omit<PaperFileDay, 'before' | 'version'>): Promise<void>
}

function parsed<T>(path: string): { readonly value: T; readonly sum: string } {
  const bytes = readFileSync(path)
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as T, sum: sha256(bytes) }
  } catch (cause) {
    throw new QuotebookError(
      'FILE',
      say('{file} was changed after it was written, or the day before it is missing: the account is not gone on with', {
        file: path,
      }),
      { cause },
    )
  }
}

/** Reads a folder. @throws QuotebookError FILE for a day that was changed, or whose day before is missing */
export function readPaper(dir: string): PaperFolder {
  const file = join(dir, 'account.json')
  const about = existsSync(file) ? parsed<{ readonly start: string; readonly setup: PaperSetup }>(file) : undefined
  const folder = join(dir, 'days')
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d{8}\.json$/.test(name))
        .sort()
    : []
  let [last, first, start] = [about?.sum ?? '', about?.value.setup, about?.value.start]
  const days = names.map((name) => {
    const { value, sum } = parsed<PaperFileDay>(join(folder, name))
    if (value.before !== last || `${value.day}.json` !== name)
      throw new QuotebookError(
        'FILE',
        say(
          '{file} was changed after it was written, or the day before it is missing: the account is not gone on with',
          { file: join(folder, name) },
        ),
      )
    last = sum
    return value
  })
  const write = async (path: string, value: object): Promise<string> => {
    const whole = `${JSON.stringify(value, null, 1)}\n`
    await writeFileAtomically(path, whole)
    last = sha256(whole)
    return whole
  }
  return {
    get start() {
      return start
    },
    setupOf: (place) => days.slice(0, place + 1).findLast(({ fromToday }) => fromToday)?.fromToday ?? first,
    days,
    begin: async (day, setup) => {
      await write(file, { form: 1, start: day, setup })
      first = setup
      start = day
    },
    add: async (day) => {
      const whole = await write(join(folder, `${day.day}.json`), { before: last, version, ...day })
      days.push(JSON.parse(whole) as PaperFileDay)
    },
  }
}

/** Works on a paper account that no other process has meanwhile. @throws QuotebookError ARCHIVE_BUSY */
export async function withPaper<T>(dir: string, work: (folder: PaperFolder) => Promise<T>): Promise<T> {
  await makeFolder(dir)
  const lock = await takeLock(join(dir, '.lock'), 10_000)
  if (!lock) throw new QuotebookError('ARCHIVE_BUSY', say('another process is at the account {dir}', { dir }))
  try {
    return await work(readPaper(dir))
  } finally {
    await lock.release()
  }
}
