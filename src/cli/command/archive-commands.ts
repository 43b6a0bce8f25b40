import { Command } from 'commander'
import { archiveAt } from '../../connect.js'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { copyArchive } from '../../data/archive/copy-archive.js'
import { cacheContents, dropCache } from '../../data/archive/coverage/cache-contents.js'
import { type FileNote, importFiles } from '../../data/archive/import/import-files.js'
import { type ImportLimits, importLimits } from '../../data/archive/import/import-limits.js'
import type { ImportRemark } from '../../data/archive/import/spelling.js'
import { repairArchive } from '../../data/archive/repair-archive.js'
import type { ArchiveStore } from '../../data/archive/store/archive-store.js'
import { sizeText } from '../../data/ticks/fetch/disk-space.js'
import { help, say } from '../chosen-language.js'
import { daysFromTo, nameValuePair, wholeAtLeast } from '../command-options.js'
import { heldWords, numbered } from '../count-words.js'
import { untilInterrupted } from '../interrupt.js'
import { alsoCalled, byPlace } from '../other-words.js'
import { gridOf, log, out } from '../output.js'
import { bar, stepsOn, withBar } from '../progress-bar.js'
import { archivePlace, archiveRead } from '../source-option.js'
import { writeSample } from '../write-sample.js'

const lossColumns = ['dataset', 'from', 'to', 'rows', 'why'] as const

async function repair(given: string | undefined, { archive }: { readonly archive?: ArchiveStore }): Promise<void> {
  const store = byPlace(given, archive, 'archive', archivePlace)
  if (!store) throw new QuotebookError('USAGE', say('which archive'))
  const lost = await repairArchive(store)
  const { name: dir } = store
  if (lost.length === 0) {
    log(say('archive is sound', { dir }))
    return
  }
  out(gridOf(lossColumns, lost))
  const rows = lost.reduce((sum, one) => sum + one.rows, 0)
  log(say('rows are lost', { dir, rows, files: lost.length }))
  const datasetsWith = (is: 'revisions' | 'voided'): string =>
    [...new Set(lost.flatMap((one) => (one[is] ? one.dataset : [])))].join(', ')
  const [revised, voided] = [datasetsWith('revisions'), datasetsWith('voided')]
  if (revised !== '') log(say('revisions are lost', { names: revised }))
  if (voided !== '') log(say('cache is dropped', { names: voided }))
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

async function importInto(name: string, files: string[], { archive, limit, ...given }: ImportOptions): Promise<void> {
  const progress = bar('import')
  const notes: string[] = []
  const result = await importFiles(archive, datasetOf(name), files, {
    ...given,
    ...(limit && { limits: limitsIn(limit) }),
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

async function copy({ source: from, archive: to }: Record<'source' | 'archive', ArchiveStore>): Promise<void> {
  const { files, bytes, kept, state } = await withBar(say('bar copy'), (progress) =>
    copyArchive(from, to, {
      signal: untilInterrupted(),
      onProgress: ({ done, of, what }) => progress.update(done, of, what),
    }),
  )
  log(say('copied', { from: from.name, to: to.name, files, size: sizeText(bytes), kept, state }))
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

const cacheColumns = ['dataset', 'scope', 'symbols', 'from', 'to', 'days', 'rows', 'bytes'] as const

async function cache(given: string | undefined, { drop }: CacheOptions): Promise<void> {
  const dir = given ?? process.env.QUOTEBOOK_CACHE
  if (!dir) throw new QuotebookError('USAGE', say('which cache'))
  if (drop !== undefined) {
    const dropped = await dropCache(dir, drop === true ? {} : { dataset: drop })
    const rows = numbered(
      dropped.reduce((sum, one) => sum + one.rows, 0),
      'row',
    )
    log(drop === true ? say('dropped', { dir, rows }) : say('dropped one', { dir, rows, dataset: drop }))
    return
  }
  const kept = await cacheContents(dir)
  if (kept.length > 0) out(gridOf(cacheColumns, kept))
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
  await withBar(say('bar sample'), (progress) =>
    writeSample(out, { seed, days, symbols, hostile: hostile === true }, stepsOn(progress), untilInterrupted()),
  )
  log(say('sample is written', { out, held: heldWords(await archiveAt(archivePlace(out), {}).manifest()), seed }))
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
