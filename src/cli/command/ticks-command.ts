import { Command, Option } from 'commander'
import { sampleDir } from '../../connect.js'
import { QuotebookError } from '../../contract/error.js'
import { isClickHouseAddress } from '../../data/clickhouse/clickhouse-address.js'
import { fetchYear } from '../../data/ticks/fetch/fetch-year.js'
import type { TickReadOptions, TickReadProgress } from '../../data/ticks/read/tick-request.js'
import { type ShareKind, shareKinds } from '../../data/ticks/share/open-share.js'
import type { TickCheckCounts } from '../../data/ticks/verify/tick-checks.js'
import { type TickCheck, verifyTicks } from '../../data/ticks/verify/verify-ticks.js'
import { columnNames, strings, toObjects } from '../../frame/read-columns.js'
import { provenance } from '../../frame/table/provenance.js'
import { help, say } from '../chosen-language.js'
import { date, wholeAtLeast, withOutput } from '../command-options.js'
import { numbered } from '../count-words.js'
import { fetchedLine } from '../fetch-ticks.js'
import { untilInterrupted } from '../interrupt.js'
import { alsoCalled, byPlace } from '../other-words.js'
import { emit, formatFor, log, type OutputOptions, out, shortSum, textGrid } from '../output.js'
import { fetchBars, withBar } from '../progress-bar.js'
import { sharePassword } from '../prompt.js'
import { archivePlace, openSource, type SourceOptions, withMarket, withSource } from '../source-option.js'

interface FetchOptions extends SourceOptions {
  readonly year: number
  readonly archive: string
  readonly share?: string
  readonly kind?: ShareKind
  readonly user?: string
  readonly parallel: number
}

async function fetchTicks({
  year,
  archive: place,
  share,
  kind,
  user,
  parallel,
  ...options
}: FetchOptions): Promise<void> {
  const signal = untilInterrupted(say('fetch interrupted'))
  const password = share === undefined ? undefined : await sharePassword(share)
  const market = share === undefined ? await openSource(options) : undefined
  const dest = archivePlace(place)
  const bars = fetchBars(year, dest.name)
  const onWait = (milliseconds: number): void =>
    log(say('files are prepared', { year, seconds: Math.ceil(milliseconds / 1000) }))
  try {
    const asked = { year, dest, share, kind, user, password, parallel, onProgress: bars.update, onWait, signal }
    const fetched = await fetchYear(market?.source, asked)
    bars.stop()
    for (const note of fetched.notes) log(`${year}: ${note}`)
    log(fetchedLine(fetched))
  } finally {
    bars.stop()
    await market?.close()
  }
}

/** `quotebook ticks fetch`. */
function ticksFetchCommand(): Command {
  const command = new Command('fetch')
    .description(help('ticks fetch'))
    .requiredOption('--year <year>', help('ticks fetch --year'), wholeAtLeast(1))
    .option('--archive <dir>', help('ticks fetch --dest'), 'auction_ticks')
    .addOption(new Option('--share <link>', help('ticks fetch --share')).env('QUOTEBOOK_SHARE'))
    .addOption(new Option('--kind <kind>', help('ticks fetch --kind')).choices(shareKinds))
    .option('--user <name>', help('ticks fetch --user'))
    .option('--parallel <n>', help('ticks fetch --parallel'), wholeAtLeast(1), 4)
  return alsoCalled(withSource(command), 'archive', 'dest')
    .addHelpText(
      'after',
      `\n${help('Example')}\n  quotebook ticks fetch --year 2026 --source https://quotes.example.com`,
    )
    .action(fetchTicks)
}

interface ReadOptions extends SourceOptions, OutputOptions {
  readonly from?: string
  readonly to?: string
  readonly symbols?: string
  readonly columns?: string
  readonly threads?: number
}

function names(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

function asked(days: readonly string[], { from, to, symbols, columns, threads }: ReadOptions): TickReadOptions {
  if (days.length === 0 && from === undefined && to === undefined) {
    throw new QuotebookError('USAGE', say('which days'))
  }
  const some = { symbols: names(symbols), columns: names(columns), threads, signal: untilInterrupted() }
  return { ...(days.length > 0 && { days }), from, to, ...some }
}

async function read(days: readonly string[], options: ReadOptions): Promise<void> {
  formatFor(options)
  const wish = asked(days, options)
  await withMarket(options, async (market) => {
    const table = await withBar(say('bar ticks'), (progress) => {
      const onProgress = ({ done, of, day }: TickReadProgress): void => {
        if (of > 1) progress.update(done, of, say('step days', { day }))
      }
      return market.ticks.read({ ...wish, onProgress })
    })
    await emit(table, options)
    const about = provenance(table)
    if (about && !about.complete) log(say('ticks not whole'))
    const missing = about?.without?.symbols ?? []
    if (missing.length > 0) log(say('no rows of', { names: missing.join(', ') }))
  })
}

/** `quotebook ticks read`. */
function ticksReadCommand(): Command {
  const reading = new Command('read')
    .description(help('ticks read'))
    .argument('[days...]', help('ticks read days'))
    .option('--from <date>', help('ticks read --from'), date)
    .option('--to <date>', help('query --to'), date)
    .option('--symbols <codes>', help('ticks read --symbols'))
    .option('--columns <names>', help('ticks read --columns'))
    .option('--threads <number>', help('ticks read --threads'), wholeAtLeast(1))
  return withSource(withOutput(reading))
    .addHelpText(
      'after',
      `\n${help('Example')}\n  quotebook ticks read 20260729 --symbols 300750 --columns time,m_price,auc_vol --source auction_ticks`,
    )
    .action(read)
}

interface VerifyOptions extends OutputOptions {
  readonly source?: string
  readonly threads?: number
}

function unmadeLine({ check, about, made, notMade, why }: TickCheckCounts): readonly unknown[] {
  const [first = '', ...more] = why
  const others = numbered(more.length, 'other reason')
  return [check, about, made, notMade, more.length > 0 ? say('and others', { first, others }) : first]
}

/** All findings in lines that nothing is cut from, but the checksums. */
function findingLines(table: TickCheck['table']): string {
  const rows = toObjects(table).map((row) =>
    Object.values(row).map((cell) => (typeof cell === 'string' ? shortSum(cell) : cell)),
  )
  return `${textGrid(columnNames(table), rows, 1000)}\n`
}

function summary({ dir, files, rows, from, to, faults, notes, checks, table }: TickCheck): string {
  const span = from === to ? from : say('min to max', { min: from ?? '', max: to ?? '' })
  const lines = [`${dir}: ${numbered(files, 'file')}, ${numbered(rows, 'row')}, ${span}`]
  const unmade = checks.filter(({ notMade }) => notMade > 0)
  if (unmade.length > 0) {
    lines.push(say('not made'))
    lines.push(textGrid(['check', 'that', 'made', 'not', 'because'], unmade.map(unmadeLine)))
  }
  const open = checks.some(({ check, made, notMade }) => check === 'sha256' && made === 0 && notMade > 0)
  const sums = checks.some(({ check, notMade }) => check === 'crc' && notMade > 0)
  if (open && sums) lines.push(say('without sums'))
  lines.push(
    faults + notes === 0 ? say('nothing is wrong') : `${numbered(faults, 'fault')}, ${numbered(notes, 'note')}`,
  )
  if (strings(table, 'check').some((check) => check === 'size' || check === 'sha256')) lines.push(say('how to mend'))
  return lines.join('\n')
}

async function verify(given: string | undefined, options: VerifyOptions): Promise<void> {
  const { threads, source } = options
  formatFor(options)
  const named = byPlace(given, source, 'source', (text) => text)
  const dir = named === 'sample' ? sampleDir : named
  if (dir && isClickHouseAddress(dir)) {
    throw new QuotebookError('USAGE', say('verify reads files', { dir: archivePlace(dir).name }))
  }
  const signal = untilInterrupted()
  const found = await withBar(say('bar verify'), (progress) => {
    const onProgress = ({ done, files, day }: { done: number; files: number; day: string }): void =>
      progress.update(done, files, day)
    return verifyTicks(dir ?? 'auction_ticks', { signal, onProgress, ...(threads && { threads }) })
  })
  const isTable = formatFor(options) === 'table' && options.out === undefined
  if (isTable && found.table.numRows > 0) out(findingLines(found.table))
  if (!isTable) await emit(found.table, options)
  log(summary(found))
  if (!found.ok) process.exitCode = 1
}

function ticksVerifyCommand(): Command {
  const command = new Command('verify')
    .description(help('ticks verify'))
    .argument('[dir]', help('ticks verify dir'))
    .option('--source <dir>', help('ticks verify dir'))
    .option('--threads <n>', help('ticks verify --threads'), wholeAtLeast(1))
  return withOutput(command, help('ticks verify --out')).action(verify)
}

/** `quotebook ticks`. */
export function ticksCommand(): Command {
  return new Command('ticks')
    .description(help('ticks'))
    .addCommand(ticksFetchCommand())
    .addCommand(ticksVerifyCommand())
    .addCommand(ticksReadCommand())
}
