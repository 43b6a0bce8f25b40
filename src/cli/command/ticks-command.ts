import type { Command } from 'commander'
import { sampleDir } from '../../connect.js'
import { fact } from '../../contract/sentence.js'
import { isClickHouseAddress } from '../../data/clickhouse/clickhouse-address.js'
import { fetchYear } from '../../data/ticks/fetch/fetch-year.js'
import type { TickReadOptions, TickReadProgress } from '../../data/ticks/read/tick-request.js'
import { shareKinds } from '../../data/ticks/share/share-kinds.js'
import type { TickCheckCounts } from '../../data/ticks/verify/tick-checks.js'
import { type TickCheck, verifyTicks } from '../../data/ticks/verify/verify-ticks.js'
import { columnNames, strings, toObjects } from '../../frame/read-columns.js'
import { provenance } from '../../frame/table/provenance.js'
import { say } from '../chosen-language.js'
import { date, outputWords, sourceWords, wholeAtLeast } from '../command-options.js'
import { numbered } from '../count-words.js'
import { type CommandWords, declare, example, type OptionsOf } from '../declare-command.js'
import { inLanguage } from '../error-text.js'
import { fetchedLine } from '../fetch-ticks.js'
import { untilInterrupted } from '../interrupt.js'
import { byPlace } from '../other-words.js'
import { emit, formatFor, log, out, shortSum, tell, textGrid } from '../output.js'
import { fetchBars, withBar } from '../progress-bar.js'
import { sharePassword } from '../prompt.js'
import { headIn } from '../readable-heads.js'
import { archivePlace, openSource, withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type FetchOptions = OptionsOf<typeof fetchWords>

async function fetchTicks({
  year,
  archive: place,
  share,
  kind,
  user,
  parallel,
  ...options
}: FetchOptions): Promise<void> {
  const signal = untilInterrupted(say('interrupted; what has come stays, and the next run goes on from there'))
  const password = share === undefined ? undefined : await sharePassword(share)
  const market = share === undefined ? await openSource(options) : undefined
  const dest = archivePlace(place)
  const bars = fetchBars(year, dest.name)
  const onWait = (milliseconds: number): void =>
    tell('{year}: the service is preparing the files; asking again in {seconds} s', {
      year,
      seconds: Math.ceil(milliseconds / 1000),
    })
  try {
    const asked = { year, dest, share, kind, user, password, parallel, onProgress: bars.update, onWait, signal }
    const fetched = await fetchYear(market?.source, asked)
    bars.stop()
    for (const note of fetched.notes) log(`${year}${say(': ')}${inLanguage(note)}`)
    log(fetchedLine(fetched))
  } finally {
    bars.stop()
    await market?.close()
  }
}

// biome-ignore format: a table, one word a line
const fetchWords = {
  fetch: ['download a year of auction-tick files into an archive: missing and changed files, each verified'],
  '--year <year>': ['year of the files, from 2022', { parse: wholeAtLeast(1), required: true }],
  '--archive <dir>': ['archive to write; created if it does not exist', { usual: 'auction_ticks' }],
  '--share <link>': ['a link or a folder, instead of the link from the source; its password comes from QUOTEBOOK_SHARE_PASSWORD or a prompt', { env: 'QUOTEBOOK_SHARE' }],
  '--kind <kind>': ['kind of --share (default: by its link)', { choices: shareKinds }],
  '--user <name>': ["user that the password of --share is sent with (default: 'quotebook')"],
  '--parallel <n>': ['files at once, up to 16', { parse: wholeAtLeast(1), usual: 4 }],
  ...sourceWords,
  '--dest <dir>': ['', { means: 'archive' }],
} as const satisfies CommandWords

const fetchCommand = (): Command => declare(fetchWords).addHelpText('after', fetchExample).action(fetchTicks)

const fetchExample = example('quotebook ticks fetch --year 2026 --source https://quotes.example.com')

type ReadOptions = OptionsOf<typeof readWords>

function names(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

function asked(days: readonly string[], { from, to, symbols, columns, threads }: ReadOptions): TickReadOptions {
  if (days.length === 0 && from === undefined && to === undefined)
    throw wrongUse('say which days: quotebook ticks read 20260729, or --from 20260701 --to 20260729')
  const some = { symbols: names(symbols), columns: names(columns), threads, signal: untilInterrupted() }
  return { ...(days.length > 0 && { days }), from, to, ...some }
}

async function read(days: readonly string[], options: ReadOptions): Promise<void> {
  formatFor(options)
  const wish = asked(days, options)
  await withMarket(options, async (market) => {
    const table = await withBar(say('ticks'), (progress) => {
      const onProgress = ({ done, of, day }: TickReadProgress): void => {
        if (of > 1) progress.update(done, of, day)
      }
      return market.ticks.read({ ...wish, onProgress })
    })
    await emit(table, options)
    const about = provenance(table)
    if (about && !about.complete) tell('not known to be complete: the share does not tell the length of its files')
    const missing = about?.without?.symbols ?? []
    if (missing.length > 0) tell('no rows of {names}', { names: missing.join(', ') })
  })
}

// biome-ignore format: a table, one word a line
const readWords = {
  read: ['read ticks of some days, symbols and columns'],
  '[days...]': ['days: 20260727, 2026-07-27 or 2026/7/27'],
  '--from <date>': ['first day, instead of a list of days', date],
  '--to <date>': ['last day', date],
  '--symbols <codes>': ['codes, with or without suffix, names or pinyin initials, separated by commas'],
  '--columns <names>': ['columns wanted, separated by commas'],
  '--threads <number>': ['threads that read several days', wholeAtLeast(1)],
  ...outputWords,
  ...sourceWords,
} as const satisfies CommandWords

const readCommand = (): Command => declare(readWords).addHelpText('after', readExample).action(read)

const readExample = example(
  'quotebook ticks read 20260729 --symbols 300750 --columns time,m_price,auc_vol --source auction_ticks',
)

type VerifyOptions = OptionsOf<typeof verifyWords>

/** What each check of auction-tick files says. */
function unmadeLine({ check, about, made, notMade, why }: TickCheckCounts): readonly unknown[] {
  const [first = '', ...more] = why
  const others = numbered(more.length, 'other reason')
  const reason = inLanguage(first)
  const said = more.length > 0 ? say('{first}; and {others}', { first: reason, others }) : reason
  return [check, say(about), made, notMade, said]
}

const severityIn = (severity: string): string =>
  say(severity === 'fault' ? fact('SEVERITY', 'fault') : fact('SEVERITY', 'note'))

/** All findings in lines that nothing is cut from, but the checksums. */
function findingLines(table: TickCheck['table']): string {
  const rows = toObjects(table).map((row) =>
    Object.values({ ...row, severity: severityIn(String(row['severity'])) }).map((cell) =>
      typeof cell === 'string' ? shortSum(inLanguage(cell)) : cell,
    ),
  )
  return `${textGrid(columnNames(table).map(headIn), rows, 1000)}\n`
}

function summary({ dir, files, rows, from, to, faults, notes, checks, table }: TickCheck): string {
  const span = from === to ? from : say('{min} to {max}', { min: from ?? '', max: to ?? '' })
  const lines = [`${dir}${say(': ')}${[numbered(files, 'file'), numbered(rows, 'row'), span].join(say(', '))}`]
  const unmade = checks.filter(({ notMade }) => notMade > 0)
  if (unmade.length > 0) {
    lines.push(say('not checked, or not of all files:'))
    lines.push(textGrid(['check', 'that', 'made', 'not', 'because'].map(headIn), unmade.map(unmadeLine)))
  }
  const open = checks.some(({ check, made, notMade }) => check === 'sha256' && made === 0 && notMade > 0)
  const sums = checks.some(({ check, notMade }) => check === 'crc' && notMade > 0)
  if (open && sums) lines.push(say('without checksums a changed number inside a page can not be seen'))
  lines.push(
    faults + notes === 0
      ? say('nothing is wrong')
      : [numbered(faults, 'fault'), numbered(notes, 'note')].join(say(', ')),
  )
  if (strings(table, 'check').some((check) => check === 'size' || check === 'sha256'))
    lines.push(
      say('a file that is not what the manifest says: delete it, and quotebook ticks fetch downloads it again'),
    )
  return lines.join('\n')
}

async function verify(given: string | undefined, options: VerifyOptions): Promise<void> {
  const { threads, source } = options
  formatFor(options)
  const named = byPlace(given, source, 'source', (text) => text)
  const dir = named === 'sample' ? sampleDir : named
  if (dir && isClickHouseAddress(dir))
    throw wrongUse(
      'ticks verify reads files; quotebook archive repair --archive {dir} checks those of ClickHouse by their checksums',
      { dir: archivePlace(dir).name },
    )
  const signal = untilInterrupted()
  const found = await withBar(say('verify'), (progress) => {
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

// biome-ignore format: a table, one word a line
const verifyWords = {
  verify: ['verify that every file is complete, of its day and as in the manifest; exit code 1 if something is wrong'],
  '[dir]': ['an archive, or a folder of YYYYMMDD_aucde.parquet files (default: auction_ticks)'],
  '--source <dir>': ['an archive, or a folder of YYYYMMDD_aucde.parquet files (default: auction_ticks)'],
  '--threads <n>': ['files read at the same time (default: one a core, four at most)', wholeAtLeast(1)],
  ...outputWords,
  '--out <file>': ['write the findings to a file instead of stdout'],
} as const satisfies CommandWords

const verifyCommand = (): Command => declare(verifyWords).action(verify)

/** `quotebook ticks`. */
// biome-ignore format: a table, one word a line
export const ticksCommand = (): Command => declare({
  ticks: ['download, verify and read the auction-tick files of a year'],
}, fetchCommand(), verifyCommand(), readCommand())
