import { Command, Option } from 'commander'
import { calendarYears } from '../../contract/calendar.js'
import { QuotebookError } from '../../contract/error.js'
import { namesOf, objectsOf, texts } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { filesText, sizeText } from '../../ticks/fetch/disk-space.js'
import type { FetchResult } from '../../ticks/fetch/fetch-into-archive.js'
import { fetchYear } from '../../ticks/fetch/fetch-year.js'
import type { TickReadOptions, TickReadProgress } from '../../ticks/read/tick-request.js'
import { type ShareKind, shareKinds } from '../../ticks/share/open-share.js'
import type { CheckSummary } from '../../ticks/verify/tick-checks.js'
import { type TickCheck, verifyTicks } from '../../ticks/verify/verify-ticks.js'
import { date, formatOption, wholeAtLeast } from '../command-options.js'
import { untilInterrupted } from '../interrupt.js'
import { emit, type Format, formatFor, log, out, textGrid } from '../output.js'
import { bar, fetchBars } from '../progress-bar.js'
import { sharePassword } from '../prompt.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'

interface FetchOptions extends SourceOptions {
  readonly year: number
  readonly dest: string
  readonly share?: string
  readonly kind?: ShareKind
  readonly user?: string
  readonly parallel: number
}

const interrupted = 'interrupted; what has come stays, and the next run goes on from there'

function days(list: readonly string[]): string {
  return list.length > 10 ? `${list.slice(0, 10).join(', ')} and ${list.length - 10} more` : list.join(', ')
}

/** What was done, in one line. */
function line({ year, files, bytes, fetched, replaced, complete, from, to, missingDays }: FetchResult): string {
  const parts = [
    `${fetched} fetched${replaced > 0 ? `, ${replaced} of them because they had changed` : ''}`,
    ...(complete > 0 ? [`${complete} were there`] : []),
  ]
  const isKnown = year >= calendarYears[0] && year <= calendarYears[1]
  const span = `from ${from} to ${to}`
  const whole = missingDays.length > 0 ? `${span}, where these trading days have no file: ${days(missingDays)}` : span
  return `${year}: ${filesText(files)}, ${sizeText(bytes)}: ${parts.join(', ')}; ${isKnown && missingDays.length === 0 ? 'complete ' : ''}${whole}`
}

async function fetchTicks({ year, dest, share, kind, user, parallel, ...options }: FetchOptions): Promise<void> {
  const signal = untilInterrupted(interrupted)
  const password = share === undefined ? undefined : await sharePassword(share)
  const market = share === undefined ? await openSource(options) : undefined
  const bars = fetchBars(year, dest)
  const onWait = (milliseconds: number): void =>
    log(`${year}: the service is preparing the files; asking again in ${Math.ceil(milliseconds / 1000)} s`)
  try {
    const asked = { year, dest, share, kind, user, password, parallel, onProgress: bars.update, onWait, signal }
    const fetched = await fetchYear(market?.source, asked)
    bars.stop()
    for (const note of fetched.notes) log(`${year}: ${note}`)
    log(line(fetched))
  } finally {
    bars.stop()
    await market?.close()
  }
}

/** `quotebook ticks fetch`. */
function ticksFetchCommand(): Command {
  const command = new Command('fetch')
    .description('a year of auction-tick files into an archive: what is missing or has changed, each file proven')
    .requiredOption('--year <year>', 'year of the files, from 2022', wholeAtLeast(1))
    .option('--dest <dir>', 'archive that they go into; made when it is not there', 'auction_ticks')
    .addOption(
      new Option(
        '--share <link>',
        'a link or a folder, in the place of what the source hands out; its password comes from QUOTEBOOK_SHARE_PASSWORD or a prompt',
      ).env('QUOTEBOOK_SHARE'),
    )
    .addOption(new Option('--kind <kind>', 'what is behind --share; without it the link decides').choices(shareKinds))
    .option('--user <name>', "user that the password of --share is sent with (default: 'quotebook')")
    .option('--parallel <n>', 'files at once, up to 16', wholeAtLeast(1), 4)
  return withSource(command)
    .addHelpText('after', '\nExample:\n  quotebook ticks fetch --year 2026 --source https://quotes.example.com')
    .action(fetchTicks)
}

interface ReadOptions extends SourceOptions {
  readonly from?: string
  readonly to?: string
  readonly symbols?: string
  readonly columns?: string
  readonly threads?: number
  readonly format?: Format
  readonly out?: string
}

function names(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

function asked(days: readonly string[], { from, to, symbols, columns, threads }: ReadOptions): TickReadOptions {
  if (days.length === 0 && from === undefined && to === undefined) {
    throw new QuotebookError('USAGE', 'say which days: quotebook ticks read 20260729, or --from 20260701 --to 20260729')
  }
  return {
    ...(days.length > 0 ? { days } : {}),
    from,
    to,
    symbols: names(symbols),
    columns: names(columns),
    threads,
    signal: untilInterrupted(),
  }
}

async function read(days: readonly string[], options: ReadOptions): Promise<void> {
  formatFor(options.format, options.out)
  const wish = asked(days, options)
  const market = await openSource(options)
  const progress = bar('ticks')
  try {
    const onProgress = ({ done, of, day }: TickReadProgress): void => {
      if (of > 1) progress.update(done, of, `days, ${day}`)
    }
    const table = await market.ticks.read({ ...wish, onProgress })
    progress.stop()
    await emit(table, options.format, options.out)
    const about = provenance(table)
    if (about && !about.complete) log('not known to be whole: the share does not tell the length of its files')
    const missing = about?.without?.symbols ?? []
    if (missing.length > 0) log(`no rows of ${missing.join(', ')}`)
  } finally {
    progress.stop()
    await market.close()
  }
}

/** `quotebook ticks read`. */
function ticksReadCommand(): Command {
  const command = new Command('read')
    .description('ticks of some days, symbols and columns')
    .argument('[days...]', 'days, YYYYMMDD')
    .option('--from <date>', 'first day, in the place of a list of days', date)
    .option('--to <date>', 'last day', date)
    .option('--symbols <codes>', 'codes, with or without suffix, separated by commas')
    .option('--columns <names>', 'columns wanted, separated by commas')
    .option('--threads <number>', 'threads that read, where there are several days', wholeAtLeast(1))
    .addOption(formatOption())
    .option('--out <file>', 'write to a file instead of stdout')
  return withSource(command)
    .addHelpText(
      'after',
      '\nExample:\n  quotebook ticks read 20260729 --symbols 300750 --columns time,m_price,auc_vol --source auction_ticks',
    )
    .action(read)
}

interface VerifyOptions {
  readonly format?: Format
  readonly out?: string
  readonly threads?: number
}

function unmadeLine({ check, about, made, notMade, why }: CheckSummary): readonly unknown[] {
  const [first = '', ...more] = why
  return [check, about, made, notMade, more.length > 0 ? `${first}; and ${word(more.length, 'other reason')}` : first]
}

const word = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

const mending = 'a file that is not what the manifest says: delete it, and quotebook ticks fetch brings it again'

/** All findings in lines that nothing is cut from, but the checksums. */
function findingLines(table: TickCheck['table']): string {
  const rows = objectsOf(table).map((row) => Object.values(row).map(shortSum))
  return `${textGrid(namesOf(table), rows, 1000)}\n`
}

const shortSum = (cell: unknown): unknown =>
  typeof cell === 'string' ? cell.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…') : cell

function summary({ dir, files, rows, from, to, faults, notes, checks, table }: TickCheck): string {
  const span = from === to ? from : `${from} to ${to}`
  const lines = [`${dir}: ${word(files, 'file')}, ${word(rows, 'row')}, ${span}`]
  const unmade = checks.filter(({ notMade }) => notMade > 0)
  if (unmade.length > 0) {
    lines.push('not checked, or not of all files:')
    lines.push(textGrid(['check', 'that', 'made', 'not', 'because'], unmade.map(unmadeLine)))
  }
  const open = checks.some(({ check, made, notMade }) => check === 'sha256' && made === 0 && notMade > 0)
  const sums = checks.some(({ check, notMade }) => check === 'crc' && notMade > 0)
  if (open && sums) lines.push('without checksums a changed number inside a page can not be seen')
  lines.push(faults + notes === 0 ? 'nothing is wrong' : `${word(faults, 'fault')}, ${word(notes, 'note')}`)
  if (texts(table, 'check').some((check) => check === 'size' || check === 'sha256')) lines.push(mending)
  return lines.join('\n')
}

async function verify(dir: string | undefined, { format, out: file, threads }: VerifyOptions): Promise<void> {
  formatFor(format, file)
  const signal = untilInterrupted()
  const progress = bar('verify')
  const onProgress = ({ done, files, day }: { done: number; files: number; day: string }): void =>
    progress.update(done, files, day)
  let found: TickCheck
  try {
    found = await verifyTicks(dir ?? 'auction_ticks', { signal, onProgress, ...(threads ? { threads } : {}) })
  } finally {
    progress.stop()
  }
  const isTable = formatFor(format, file) === 'table' && file === undefined
  if (isTable && found.table.numRows > 0) out(findingLines(found.table))
  if (!isTable) await emit(found.table, format, file)
  log(summary(found))
  if (!found.ok) process.exitCode = 1
}

function ticksVerifyCommand(): Command {
  return new Command('verify')
    .description('is every file whole, of its day, and what the manifest says? exit code 1 when something is wrong')
    .argument('[dir]', 'an archive, or a folder of YYYYMMDD_aucde.parquet files (default: auction_ticks)')
    .option('--threads <n>', 'files read at the same time (default: one a core, four at most)', wholeAtLeast(1))
    .addOption(formatOption())
    .option('--out <file>', 'write the findings to a file instead of stdout')
    .action(verify)
}

/** `quotebook ticks`. */
export function ticksCommand(): Command {
  return new Command('ticks')
    .description('the auction-tick files of a year: fetch, verify, read')
    .addCommand(ticksFetchCommand())
    .addCommand(ticksVerifyCommand())
    .addCommand(ticksReadCommand())
}
