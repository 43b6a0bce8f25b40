import { Command } from 'commander'
import { type CachedDays, cacheContents, dropCache } from '../../archive/cache/cache-contents.js'
import { copyArchive } from '../../archive/copy-archive.js'
import { type FileNote, importFiles } from '../../archive/import/import-files.js'
import { type ImportLimits, importLimits } from '../../archive/import/import-limits.js'
import type { ImportRemark } from '../../archive/import/import-remark.js'
import { type LostFile, repairArchive } from '../../archive/repair-archive.js'
import type { ArchiveStore } from '../../archive/store/archive-store.js'
import { archiveAt } from '../../connect.js'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { writeSample } from '../../sample/write-sample.js'
import { sizeText } from '../../ticks/fetch/disk-space.js'
import { help, say } from '../chosen-language.js'
import { daysFromTo, nameValuePair, wholeAtLeast } from '../command-options.js'
import { heldWords, numbered } from '../count-words.js'
import { untilInterrupted } from '../interrupt.js'
import { alsoCalled, byPlace } from '../other-words.js'
import { log, out, textGrid } from '../output.js'
import { bar, stepWord } from '../progress-bar.js'
import { archivePlace, archiveRead } from '../source-option.js'

const lossColumns = ['dataset', 'from', 'to', 'rows', 'why']

async function repair(given: string | undefined, { archive }: { readonly archive?: ArchiveStore }): Promise<void> {
  const store = byPlace(given, archive, 'archive', archivePlace)
  if (!store) throw new QuotebookError('USAGE', say('which archive'))
  const lost = await repairArchive(store)
  const { name: dir } = store
  if (lost.length === 0) {
    log(say('archive is sound', { dir }))
    return
  }
  out(
    `${textGrid(
      lossColumns,
      lost.map((one: LostFile) => [one.dataset, one.from, one.to, one.rows, one.why]),
    )}\n`,
  )
  const rows = lost.reduce((sum, one) => sum + one.rows, 0)
  log(say('rows are lost', { dir, rows, files: lost.length }))
  const revised = [...new Set(lost.filter((one) => one.revisions).map(({ dataset }) => dataset))]
  if (revised.length > 0) log(say('revisions are lost', { names: revised.join(', ') }))
  const voided = [...new Set(lost.filter((one) => one.voided).map(({ dataset }) => dataset))]
  if (voided.length > 0) log(say('cache is dropped', { names: voided.join(', ') }))
}

export function archiveCommand(): Command {
  return new Command('archive')
    .description(help('archive'))
    .addCommand(
      new Command('repair')
        .description(help('archive repair'))
        .argument('[dir]', help('archive repair dir'))
        .option('--archive <dir>', help('archive repair dir'), archivePlace)
        .action(repair),
    )
}

interface ImportOptions {
  readonly archive: ArchiveStore
  readonly set?: Record<string, string>
  readonly rename?: Record<string, string>
  readonly limit?: Record<string, string>
  readonly partial?: true
  readonly covers?: { from: string; to: string }
  readonly asked?: string
}

function remarkText(remark: ImportRemark): string {
  switch (remark.about) {
    case 'dates':
      return say('days respelled', { names: remark.columns.join(', ') })
    case 'codes':
      return say('codes respelled', { names: remark.columns.join(', ') })
    case 'encoding':
      return say('read as', { encoding: remark.encoding })
    case 'sheet': {
      const { sheet, others } = remark
      return others.length === 0
        ? say('sheet read', { sheet })
        : say('sheets left', { sheet, others: others.join(', ') })
    }
    case 'covered': {
      const { from, to, codes } = remark
      return codes === 'all' ? say('covers days', { from, to }) : say('covers codes', { from, to, codes })
    }
    case 'request':
      return say('from the request', {
        set: Object.entries(remark.set)
          .map((pair) => pair.join('='))
          .join(' '),
      })
  }
}

/** @throws QuotebookError USAGE for a limit that there is not, and for anything but a whole number */
function limitsIn(given: Readonly<Record<string, string>>): ImportLimits {
  const entries = Object.entries(given).map(([name, text]) => {
    if (!Object.hasOwn(importLimits, name)) throw unknownName('limit', name, Object.keys(importLimits), 'limit')
    return [name, wholeAtLeast(1)(text)]
  })
  return Object.fromEntries(entries)
}

function line({ file, rows, unchanged, ignored, absent, remarks = [] }: FileNote): string {
  if (unchanged) return say('file unchanged', { file })
  const kept = ignored.length > 0 ? say('not kept', { names: ignored.join(', ') }) : ''
  const lacking = absent.length > 0 ? say('not in the file', { names: absent.join(', ') }) : ''
  return `${say('rows', { name: file, rows })}${remarks.map(remarkText).join('')}${kept}${lacking}`
}

async function importInto(
  name: string,
  files: string[],
  { archive, set, rename, limit, partial, covers, asked }: ImportOptions,
): Promise<void> {
  const progress = bar('import')
  const notes: string[] = []
  const result = await importFiles(archive, datasetOf(name), files, {
    ...(set ? { set } : {}),
    ...(rename ? { rename } : {}),
    ...(limit ? { limits: limitsIn(limit) } : {}),
    ...(partial ? { partial } : {}),
    ...(covers ? { covers } : {}),
    ...(asked ? { asked } : {}),
    signal: untilInterrupted(),
    onFile: (file) => (process.stderr.isTTY ? notes.push(line(file)) : log(line(file))),
    onProgress: (done, file) => progress.update(Math.round(100 * done), 100, `% ${file}`),
  }).finally(() => {
    progress.stop()
    for (const note of notes) log(note)
  })
  for (const file of result.replaced ?? []) log(say('is replaced', { file }))
  const { changed, rows, files: count } = result
  const news = changed === 0 ? say('imported before') : say('imported anew', { files: changed })
  log(`${say('imported', { name, rows, files: count })}${news}`)
}

export function importCommand(): Command {
  return new Command('import')
    .description(help('import'))
    .argument('<name>', help('name'))
    .argument('<files...>', help('import files'))
    .requiredOption('--archive <dir>', help('import --archive'), archivePlace)
    .option('--set <name=value>', help('import --set'), nameValuePair)
    .option('--rename <name=column>', help('import --rename'), nameValuePair)
    .option('--limit <name=value>', help('import --limit'), nameValuePair)
    .option('--partial', help('import --partial'))
    .option('--covers <from..to>', help('import --covers'), daysFromTo)
    .option('--asked <time>', help('import --asked'))
    .action(importInto)
}

interface CopyCommandOptions {
  readonly source: ArchiveStore
  readonly archive: ArchiveStore
}

async function copy({ source: from, archive: to }: CopyCommandOptions): Promise<void> {
  const progress = bar(say('bar copy'))
  try {
    const { files, bytes, kept, state } = await copyArchive(from, to, {
      signal: untilInterrupted(),
      onProgress: ({ done, of, what }) => progress.update(done, of, what),
    })
    progress.stop()
    log(say('copied', { from: from.name, to: to.name, files, size: sizeText(bytes), kept, state }))
  } finally {
    progress.stop()
  }
}

export function copyCommand(): Command {
  const command = new Command('copy')
    .description(help('copy'))
    .requiredOption('--source <dir>', help('copy --from'), archiveRead)
    .requiredOption('--archive <dir>', help('copy --to'), archivePlace)
  return alsoCalled(alsoCalled(command, 'source', 'from'), 'archive', 'to').action(copy)
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
  return numbered(rows, 'row')
}

async function cache(given: string | undefined, { drop }: CacheOptions): Promise<void> {
  const dir = given ?? process.env.QUOTEBOOK_CACHE
  if (!dir) throw new QuotebookError('USAGE', say('which cache'))
  if (drop !== undefined) {
    const dropped = await dropCache(dir, drop === true ? {} : { dataset: drop })
    const rows = counted(dropped)
    log(drop === true ? say('dropped', { dir, rows }) : say('dropped one', { dir, rows, dataset: drop }))
    return
  }
  const kept = await cacheContents(dir)
  if (kept.length > 0) out(listed(kept))
  else log(say('cache is empty', { dir }))
}

export function cacheCommand(): Command {
  return new Command('cache')
    .description(help('cache'))
    .argument('[dir]', help('cache dir'))
    .option('--drop [dataset]', help('cache --drop'))
    .action(cache)
}

interface SampleCommandOptions {
  readonly archive: string
  readonly seed: number
  readonly days: number
  readonly symbols: number
  readonly hostile?: true
}

async function sample({ archive: out, seed, days, symbols, hostile }: SampleCommandOptions): Promise<void> {
  const progress = bar(say('bar sample'))
  try {
    await writeSample(
      out,
      { seed, days, symbols, hostile: hostile === true },
      (done, of, what) => progress.update(done, of, stepWord(what)),
      untilInterrupted(),
    )
    progress.stop()
    log(say('sample is written', { out, held: heldWords(await archiveAt(archivePlace(out), {}).manifest()), seed }))
  } finally {
    progress.stop()
  }
}

export function sampleCommand(): Command {
  const command = new Command('sample')
    .description(help('sample'))
    .requiredOption('--archive <dir>', help('sample --out'))
    .option('--seed <n>', help('sample --seed'), wholeAtLeast(0), 20260706)
    .option('--days <n>', help('sample --days'), wholeAtLeast(1), 60)
    .option('--symbols <n>', help('sample --symbols'), wholeAtLeast(1), 10)
    .option('--hostile', help('sample --hostile'))
  return alsoCalled(command, 'archive', 'out').action(sample)
}
