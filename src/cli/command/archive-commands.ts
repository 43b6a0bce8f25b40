import { Command } from 'commander'
import { type CachedDays, cacheContents, dropCache } from '../../archive/cache/cache-contents.js'
import { type FileNote, importFiles } from '../../archive/import/import-files.js'
import { type LostFile, repairArchive } from '../../archive/repair-archive.js'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { writeSample } from '../../sample/write-sample.js'
import { nameValuePair, wholeAtLeast } from '../command-options.js'
import { untilInterrupted } from '../interrupt.js'
import { log, out, textGrid } from '../output.js'
import { bar } from '../progress-bar.js'

const lossColumns = ['dataset', 'from', 'to', 'rows', 'why']

async function repair(dir: string): Promise<void> {
  const lost = await repairArchive(dir)
  if (lost.length === 0) {
    log(`${dir}: every file that its manifest names is there and sound`)
    return
  }
  out(
    `${textGrid(
      lossColumns,
      lost.map((one: LostFile) => [one.dataset, one.from, one.to, one.rows, one.why]),
    )}\n`,
  )
  const rows = lost.reduce((sum, one) => sum + one.rows, 0)
  log(`${dir}: ${rows} rows of ${lost.length} files are lost; the archive names them no more. Import these days again`)
  const voided = [...new Set(lost.filter((one) => one.voided).map(({ dataset }) => dataset))]
  if (voided.length > 0) log(`dropped with it, to be asked for again: all that the cache kept of ${voided.join(', ')}`)
}

export function archiveCommand(): Command {
  return new Command('archive')
    .description('look after an archive')
    .addCommand(
      new Command('repair')
        .description('report the days lost to missing or damaged files, and remove them from the manifest')
        .argument('<dir>', 'directory of the archive')
        .action(repair),
    )
}

interface ImportOptions {
  readonly archive: string
  readonly set?: Record<string, string>
  readonly rename?: Record<string, string>
  readonly partial?: true
}

function line({ file, rows, ignored, absent }: FileNote): string {
  const kept = ignored.length > 0 ? `; not kept, because the contract has no such column: ${ignored.join(', ')}` : ''
  const lacking = absent.length > 0 ? `; not in the file: ${absent.join(', ')}` : ''
  return `${file}: ${rows} rows${kept}${lacking}`
}

async function importInto(
  name: string,
  files: string[],
  { archive, set, rename, partial }: ImportOptions,
): Promise<void> {
  const result = await importFiles(archive, datasetOf(name), files, {
    ...(set ? { set } : {}),
    ...(rename ? { rename } : {}),
    ...(partial ? { partial } : {}),
    signal: untilInterrupted(),
    onFile: (file) => log(line(file)),
  })
  for (const file of result.replaced ?? [])
    log(`${file} was missing or damaged: the rows of the files stand in its place`)
  const news = result.changed === 0 ? 'all of it was there already' : `${result.changed} files of the archive changed`
  log(`${name}: ${result.rows} rows of ${result.files} files; ${news}`)
}

export function importCommand(): Command {
  return new Command('import')
    .description('saved replies (whole envelopes), CSV or Parquet into an archive: all files, or on an error none')
    .argument('<name>', 'dataset')
    .argument('<files...>', 'files to merge')
    .requiredOption('--archive <dir>', 'archive to write; made when it is not there')
    .option('--set <name=value>', 'a column that the files do not hold, for all of them (repeatable)', nameValuePair)
    .option('--rename <name=column>', "a column of the files under the contract's name (repeatable)", nameValuePair)
    .option('--partial', 'take replies that were cut at a row cap or a page; the archive then says so')
    .action(importInto)
}

interface CacheOptions {
  readonly drop?: true | string
}

const cacheColumns = ['dataset', 'scope', 'symbols', 'from', 'to', 'days', 'rows', 'bytes']

function listed(kept: readonly CachedDays[]): string {
  const rows = kept.map(({ dataset, scope, symbols, from, to, days, rows: count, bytes }) => [
    dataset,
    scope,
    symbols,
    from,
    to,
    days,
    count,
    bytes,
  ])
  return `${textGrid(cacheColumns, rows)}\n`
}

function counted(kept: readonly CachedDays[]): string {
  const rows = kept.reduce((sum, one) => sum + one.rows, 0)
  return rows === 1 ? '1 row' : `${rows} rows`
}

async function cache(given: string | undefined, { drop }: CacheOptions): Promise<void> {
  const dir = given ?? process.env.QUOTEBOOK_CACHE
  if (!dir) throw new QuotebookError('USAGE', 'which cache? Name its directory, or set QUOTEBOOK_CACHE')
  if (drop !== undefined) {
    const dropped = await dropCache(dir, drop === true ? {} : { dataset: drop })
    log(`${dir}: dropped ${counted(dropped)}${drop === true ? '' : ` of ${drop}`}`)
    return
  }
  const kept = await cacheContents(dir)
  if (kept.length > 0) out(listed(kept))
  else log(`${dir} keeps no answers of a service`)
}

export function cacheCommand(): Command {
  return new Command('cache')
    .description('list what a cache of a service holds (see --cache), or remove it')
    .argument('[dir]', 'directory of the cache; QUOTEBOOK_CACHE when absent')
    .option('--drop [dataset]', 'drop all that it keeps, or one dataset: the next query asks the service again')
    .action(cache)
}

interface SampleCommandOptions {
  readonly out: string
  readonly seed: number
  readonly days: number
  readonly symbols: number
}

async function sample({ out, seed, days, symbols }: SampleCommandOptions): Promise<void> {
  const progress = bar('sample')
  try {
    const { rows, files } = await writeSample(
      out,
      { seed, days, symbols },
      (done, of, what) => progress.update(done, of, what),
      untilInterrupted(),
    )
    progress.stop()
    log(`${out}: a synthetic archive of ${rows} rows in ${files} files (seed ${seed})`)
  } finally {
    progress.stop()
  }
}

export function sampleCommand(): Command {
  return new Command('sample')
    .description('the synthetic archive, any size; the same seed gives the same bytes')
    .requiredOption('--out <dir>', 'new or empty directory')
    .option('--seed <n>', 'whole number', wholeAtLeast(0), 20260706)
    .option('--days <n>', 'trading days, back from 2026-07-29; the calendar begins in 2022', wholeAtLeast(1), 60)
    .option('--symbols <n>', 'ETFs, up to 2000; twice as many bonds, four times as many stocks', wholeAtLeast(1), 10)
    .action(sample)
}
