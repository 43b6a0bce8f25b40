import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { archiveAt } from '../../connect.js'
import { datasetOf } from '../../contract/catalogue.js'
import { unknownName } from '../../contract/nearest.js'
import { suspectLines } from '../../contract/row-laws.js'
import { textEncodings } from '../../contract/text-encodings.js'
import { copyArchive } from '../../data/archive/copy-archive.js'
import { cacheContents, dropCache } from '../../data/archive/coverage/cache-contents.js'
import { type FileNote, importFiles } from '../../data/archive/import/import-files.js'
import { type ImportLimits, importLimits } from '../../data/archive/import/import-limits.js'
import type { ImportRemark } from '../../data/archive/import/spelling.js'
import { type RewrittenDataset, repairArchive } from '../../data/archive/repair-archive.js'
import type { ArchiveStore } from '../../data/archive/store/archive-store.js'
import { sizeText } from '../../data/ticks/fetch/disk-space.js'
import { printable } from '../../frame/show/cell-text.js'
import { language, say } from '../chosen-language.js'
import { daysFromTo, nameValuePair, wholeAtLeast } from '../command-options.js'
import { heldWords, numbered, pairsText } from '../count-words.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { declareNamed } from '../declared-datasets.js'
import { inLanguage } from '../error-text.js'
import { untilInterrupted } from '../interrupt.js'
import { byPlace } from '../other-words.js'
import { gridOf, log, out, tell } from '../output.js'
import { presetText } from '../preset-text.js'
import { bar, queryOn, stepsOn, withBar } from '../progress-bar.js'
import { archivePlace, archiveRead } from '../source-option.js'
import { writeSample } from '../write-sample.js'
import { wrongUse } from '../wrong-use.js'

const lossColumns = ['dataset', 'from', 'to', 'rows', 'why'] as const

type RepairCommandOptions = OptionsOf<typeof repairWords>

async function repair(given: string | undefined, { archive, rewrite }: RepairCommandOptions): Promise<void> {
  const store = byPlace(given, archive, 'archive', archivePlace)
  if (!store) throw wrongUse('which archive? Give --archive DIR')
  const rewritten: RewrittenDataset[] = []
  const onRewritten = (one: RewrittenDataset) => rewritten.push(one)
  const found = await withBar(say('repair'), (progress) =>
    repairArchive(store, { rewrite: rewrite === true, onProgress: stepsOn(progress), onRewritten }),
  )
  for (const { dataset: name, files, rows, months } of rewritten) {
    if (files > 0) tell('{name}: {rows} rows of {files} files are rewritten', { name, files, rows })
    if (months > 0) tell('{name}: {months} months are kept by code too', { name, months })
  }
  const lost = found.filter(({ held }) => held !== 'copy' && held !== 'restored')
  for (const { dataset, why, held } of found) {
    if (held === 'copy') tell('{dataset}: {why}; its rows are there by day', { dataset, why: inLanguage(why) })
    if (held === 'restored')
      tell('{dataset}: {why}; it is whole again, from its month by code', { dataset, why: inLanguage(why) })
  }
  const { name: dir } = store
  if (lost.length === 0 && rewritten.length + found.length > 0) return
  if (lost.length === 0) {
    tell('{dir}: every file that its manifest names is there and sound', { dir })
    return
  }
  out(gridOf(lossColumns, lost))
  const rows = lost.reduce((sum, one) => sum + one.rows, 0)
  tell('{dir}: {rows} rows of {files} files are lost; the archive names them no more. Import these days again', {
    dir,
    rows,
    files: lost.length,
  })
  const datasetsOf = (held: 'revisions' | 'cached'): string =>
    [...new Set(lost.flatMap((one) => (one.held === held ? one.dataset : [])))].join(', ')
  const [revised, voided] = [datasetsOf('revisions'), datasetsOf('cached')]
  if (revised !== '')
    tell('of the days of these files of {names} nobody can tell any more what was known when', { names: revised })
  if (voided !== '')
    tell('dropped with it, to be asked for again: all that the cache kept of {names}, and its revisions', {
      names: voided,
    })
}

// biome-ignore format: a table, one word a line
const repairWords = {
  repair: ['report the days lost to missing or damaged files, and remove them from the manifest'],
  '[dir]': ['the archive: a directory or clickhouse://…'],
  '--archive <dir>': ['the archive: a directory or clickhouse://…', archivePlace],
  '--rewrite': ['also rewrite what other versions wrote: rows under another contract, by the names of their columns, and large files, for speed; and make the months by code that are not there'],
} as const satisfies CommandWords

export const repairCommand = (): Command => declare(repairWords).action(repair)

// biome-ignore format: a table, one word a line
export const archiveCommand = (): Command => declare({
  archive: ['maintain an archive'],
}, repairCommand())

type ImportOptions = OptionsOf<typeof importWords>

const encodingNames = { GB18030: 'GB18030 (GBK)', 'UTF-16': 'UTF-16' } as const

function remarkText(remark: ImportRemark): string {
  switch (remark.about) {
    case 'preset':
      return presetText(remark)
    case 'heads':
      return say(remark.second === 'names' ? '; names from its first two rows' : '; units from its second row')
    case 'dates':
      return say('; days read as YYYYMMDD in {names}', { names: remark.columns.join(', ') })
    case 'codes': {
      const { column, from, to } = remark
      return say('; {column}: {from} → {to}', { column, from: from.trim(), to })
    }
    case 'encoding':
      return say(
        remark.isBoth
          ? '; read as {encoding}, in which its words are words, though it is valid UTF-8 too (--encoding utf8)'
          : '; not UTF-8, read as {encoding}',
        { encoding: encodingNames[remark.encoding] },
      )
    case 'separator':
      return say(remark.separator === 'tab' ? '; separated by tabs' : '; separated by semicolons')
    case 'footer': {
      const { notes, emptyRows: rows } = remark
      return `${notes.length > 0 ? say('; without its last lines {notes}', { notes: notes.map(printable).join(' / ') }) : ''}${rows > 0 ? say('; without {rows} empty rows at its end', { rows }) : ''}`
    }
    case 'index':
      return say('; without its first column, an index that has no name')
    case 'sheet': {
      const { sheet, others } = remark
      const one = others.length === 0 ? '; of the sheet {sheet}' : '; of the sheet {sheet}, not {others}'
      return say(one, { sheet, others: others.join(', ') })
    }
    case 'covered': {
      const { from, to, codes } = remark
      const whom = codes === 'all' ? '; covers {from} to {to}' : '; covers {codes} codes from {from} to {to}'
      return say(whom, { from, to, codes })
    }
    case 'suspect':
      return suspectLines(remark.suspect, language)
        .map((line) => say('; {line}', { line: printable(line) }))
        .join('')
    case 'request':
      return say('; from the request kept with it: {set}', { set: pairsText(remark.set) })
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
  if (unchanged) return say('{file}: unchanged since it was imported, and its rows are there; skipped', { file })
  const kept =
    ignored.length > 0
      ? say('; not kept, because the contract has no such column: {names}', { names: ignored.join(', ') })
      : ''
  const lacking = absent.length > 0 ? say('; not in the file: {names}', { names: absent.join(', ') }) : ''
  return `${say('{name}: {rows} rows', { name: file, rows })}${remarks.map(remarkText).join('')}${kept}${lacking}`
}

async function importInto(name: string, files: string[], { archive, limit, ...given }: ImportOptions): Promise<void> {
  await declareNamed(name, [...(archive.dir === undefined ? [] : [archive.dir]), '.'])
  const progress = bar(say('import'), sizeText)
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  const notes: string[] = []
  const result = await importFiles(archive, datasetOf(name), files, {
    ...given,
    ...(limit && { limits: limitsIn(limit) }),
    signal: untilInterrupted(),
    onFile: (file) => (process.stderr.isTTY ? notes.push(line(file)) : log(line(file))),
    onProgress: (done, file) => progress.update(Math.round(done * bytes), bytes, file),
  }).finally(() => {
    progress.stop()
    for (const note of notes) log(note)
  })
  for (const file of result.replaced ?? [])
    tell('{file} was missing or damaged: the rows of the files stand in its place', { file })
  const { changed, rows, files: count } = result
  const news =
    changed === 0 ? say('all of it was there already') : say('{files} files of the archive changed', { files: changed })
  log(`${say('{name}: {rows} rows of {files} files; ', { name, rows, files: count })}${news}`)
  if (result.months)
    tell('one code is read faster from months by code: archive repair --rewrite --archive {dir} makes {months}', {
      dir: archive.name,
      months: result.months,
    })
}

// biome-ignore format: a table, one word a line
const importWords = {
  import: ['import files into an archive, all of them or on an error none: saved replies (complete envelopes) and arrays of rows in JSON, CSV (UTF-8, UTF-16, GBK or GB18030; separated by commas, tabs or semicolons), Excel (.xlsx), Parquet, Arrow, 通达信; tables of Tushare and AKShare are known by their columns'],
  '<name>': ['dataset'],
  '<files...>': ['files to merge'],
  '--archive <dir>': ['archive to write; created if it does not exist', { parse: archivePlace, required: true }],
  '--set <name=value>': ['a column that the files lack, with one value for all of them (repeatable)', nameValuePair],
  '--rename <name=column>': ["a column of the files under the contract's name (repeatable)", nameValuePair],
  '--encoding <encoding>': ['encoding of CSV and JSON (default: detected from their words, or an error)', { choices: textEncodings }],
  '--limit <name=value>': ['limit on what is read from a file: rows, columns, bytes or cell, for example rows=50000000 (repeatable)', nameValuePair],
  '--partial': ['accept replies truncated at a row cap or a page; the archive records this'],
  '--covers <from..to>': ['days that are complete after the import, even if a day has no rows', daysFromTo],
  '--asked <time>': ['when the files were downloaded, for example 2026-07-29T20:00+08:00'],
} as const satisfies CommandWords

export const importCommand = (): Command => declare(importWords).action(importInto)

async function copy({ source: from, archive: to }: Record<'source' | 'archive', ArchiveStore>): Promise<void> {
  const { files, bytes, kept, state } = await withBar(say('copy'), (progress) =>
    copyArchive(from, to, {
      signal: untilInterrupted(),
      onProgress: queryOn(progress),
    }),
  )
  tell('{to}: {files} files copied ({size}), {kept} were there; state {state}, as {from}', {
    from: from.name,
    to: to.name,
    files,
    size: sizeText(bytes),
    kept,
    state,
  })
}

// biome-ignore format: a table, one word a line
export const copyCommand = (): Command => declare({
  copy: ['copy an archive to another place, checked by its checksums: all of it in one step'],
  '--source <dir>': ['directory or clickhouse:// address of the archive', { parse: archiveRead, required: true }],
  '--archive <dir>': ['destination: empty, or an earlier state of the archive', { parse: archivePlace, required: true }],
  '--from <dir>': ['', { means: 'source' }],
  '--to <dir>': ['', { means: 'archive' }],
}).action(copy)

type CacheOptions = OptionsOf<typeof cacheWords>

const cacheColumns = ['dataset', 'scope', 'symbols', 'from', 'to', 'days', 'rows', 'bytes'] as const

async function cache(given: string | undefined, { drop }: CacheOptions): Promise<void> {
  const dir = given ?? process.env.QUOTEBOOK_CACHE
  if (!dir) throw wrongUse('which cache? Name its directory, or set QUOTEBOOK_CACHE')
  if (drop !== undefined) {
    const dropped = await dropCache(dir, drop === true ? {} : { dataset: drop })
    const sum = dropped.reduce((rows, one) => rows + one.rows, 0)
    const what = drop === true ? '{dir}: dropped {rows}' : '{dir}: dropped {rows} of {dataset}'
    return tell(what, { dir, rows: numbered(sum, 'row'), dataset: drop })
  }
  const kept = await cacheContents(dir)
  if (kept.length > 0) out(gridOf(cacheColumns, kept))
  else tell('{dir} keeps no answers of a service', { dir })
}

// biome-ignore format: a table, one word a line
const cacheWords = {
  cache: ['list the content of a service cache (see --cache), or remove it'],
  '[dir]': ['directory of the cache (default: QUOTEBOOK_CACHE)'],
  '--drop [dataset]': ['remove everything, or one dataset: the next query asks the service again'],
} as const satisfies CommandWords

export const cacheCommand = (): Command => declare(cacheWords).action(cache)

type SampleCommandOptions = OptionsOf<typeof sampleWords>

async function sample({ archive: out, seed, days, symbols, hostile }: SampleCommandOptions): Promise<void> {
  await withBar(say('sample'), (progress) =>
    writeSample(out, { seed, days, symbols, hostile: hostile === true }, stepsOn(progress), untilInterrupted()),
  )
  tell('{out}: a synthetic archive of {held} (seed {seed})', {
    out,
    held: heldWords(await archiveAt(archivePlace(out), {}).manifest()),
    seed,
  })
}

// biome-ignore format: a table, one word a line
const sampleWords = {
  sample: ['write the synthetic archive in any size; the same seed gives the same bytes'],
  '--archive <dir>': ['new or empty directory', { required: true }],
  '--seed <n>': ['whole number', { parse: wholeAtLeast(0), usual: 20260706 }],
  '--days <n>': ['trading days, back from 2026-07-29; the calendar begins in 2022', { parse: wholeAtLeast(1), usual: 60 }],
  '--symbols <n>': ['ETFs, up to 2000; twice as many bonds, four times as many stocks', { parse: wholeAtLeast(1), usual: 10 }],
  '--hostile': ['mix markup, formulas and odd characters into the texts, for tests of whatever shows them'],
  '--out <dir>': ['', { means: 'archive' }],
} as const satisfies CommandWords

export const sampleCommand = (): Command => declare(sampleWords).action(sample)
