import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { archiveAt } from '../../connect.js'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { suspectLines } from '../../contract/row-laws.js'
import { type TextEncoding, textEncodings } from '../../contract/text-encodings.js'
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
import { heldWords, numbered } from '../count-words.js'
import { declare } from '../declare-command.js'
import { declareNamed } from '../declared-datasets.js'
import { untilInterrupted } from '../interrupt.js'
import { byPlace } from '../other-words.js'
import { gridOf, log, out } from '../output.js'
import { presetText } from '../preset-text.js'
import { bar, queryOn, stepsOn, withBar } from '../progress-bar.js'
import { archivePlace, archiveRead } from '../source-option.js'
import { writeSample } from '../write-sample.js'

const lossColumns = ['dataset', 'from', 'to', 'rows', 'why'] as const

interface RepairCommandOptions {
  readonly archive?: ArchiveStore
  readonly rewrite?: true
}

async function repair(given: string | undefined, { archive, rewrite }: RepairCommandOptions): Promise<void> {
  const store = byPlace(given, archive, 'archive', archivePlace)
  if (!store) throw new QuotebookError('USAGE', say('which archive'))
  let isRewritten = false
  const onRewritten = ({ dataset: name, files, rows }: RewrittenDataset): void => {
    isRewritten = true
    log(say('dataset is rewritten', { name, files, rows }))
  }
  const lost = await repairArchive(store, { rewrite: rewrite === true, onRewritten })
  const { name: dir } = store
  if (lost.length === 0 && isRewritten) return
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

// biome-ignore format: a table, one word a line
export const repairCommand = (): Command => declare({
  repair: ['report the days lost to missing or damaged files, and remove them from the manifest', '报告因文件缺失或损坏而丢失的日期，并从清单中移除'],
  '[dir]': ['the archive: a directory or clickhouse://…', '归档：目录或 clickhouse://…'],
  '--archive <dir>': ['the archive: a directory or clickhouse://…', '归档：目录或 clickhouse://…', archivePlace],
  '--rewrite': ['also rewrite rows that another version wrote under another contract, by the names of their columns', '同时把其他版本按另一版接口规范写成的数据按列名改写为现行规范'],
}).action(repair)

// biome-ignore format: a table, one word a line
export const archiveCommand = (): Command => declare({
  archive: ['look after an archive', '维护归档'],
}, repairCommand())

interface ImportOptions {
  readonly archive: ArchiveStore
  readonly set?: Record<string, string>
  readonly rename?: Record<string, string>
  readonly limit?: Record<string, string>
  readonly partial?: true
  readonly encoding?: TextEncoding
  readonly covers?: { from: string; to: string }
  readonly asked?: string
}

const encodingNames = { GB18030: 'GB18030 (GBK)', 'UTF-16': 'UTF-16' } as const

function remarkText(remark: ImportRemark): string {
  switch (remark.about) {
    case 'preset':
      return presetText(remark)
    case 'heads':
      return say(remark.second === 'names' ? 'heads in two rows' : 'units in the second row')
    case 'dates':
      return say('days respelled', { names: remark.columns.join(', ') })
    case 'codes': {
      const { column, from, to } = remark
      return say('code of a column', { column, from: from.trim(), to })
    }
    case 'encoding':
      return say(remark.isBoth ? 'read as likelier' : 'read as', { encoding: encodingNames[remark.encoding] })
    case 'separator':
      return say(`separated by ${remark.separator}`)
    case 'footer': {
      const { notes, emptyRows: rows } = remark
      return `${notes.length > 0 ? say('notes left', { notes: notes.map(printable).join(' / ') }) : ''}${rows > 0 ? say('empty rows left', { rows }) : ''}`
    }
    case 'index':
      return say('index left')
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
    case 'suspect':
      return suspectLines(remark.suspect, language)
        .map((line) => say('suspect rows', { line: printable(line) }))
        .join('')
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
  await declareNamed(name, [...(archive.dir === undefined ? [] : [archive.dir]), '.'])
  const progress = bar(say('bar import'), sizeText)
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
  for (const file of result.replaced ?? []) log(say('is replaced', { file }))
  const { changed, rows, files: count } = result
  const news = changed === 0 ? say('imported before') : say('imported anew', { files: changed })
  log(`${say('imported', { name, rows, files: count })}${news}`)
}

// biome-ignore format: a table, one word a line
export const importCommand = (): Command => declare({
  import: ['import files into an archive, all of them or on an error none: saved replies (complete envelopes) and arrays of rows in JSON, CSV (UTF-8, UTF-16, GBK or GB18030; separated by commas, tabs or semicolons), Excel (.xlsx), Parquet, Arrow, 通达信; tables of Tushare and AKShare are known by their columns', '把文件导入归档，出错则全部不导入：JSON（保存的完整应答，或对象数组）、CSV（UTF-8、UTF-16、GBK 或 GB18030；以逗号、制表符或分号分隔）、Excel（.xlsx）、Parquet、Arrow、通达信；按列名识别 Tushare 与 AKShare 的表'],
  '<name>': ['dataset', '数据集'],
  '<files...>': ['files to merge', '要并入的文件'],
  '--archive <dir>': ['archive to write; made when it is not there', '要写入的归档；不存在时新建', { parse: archivePlace, required: true }],
  '--set <name=value>': ['a column that the files do not hold, for all of them (repeatable)', '文件中没有的列，对所有文件取同一值（可重复）', nameValuePair],
  '--rename <name=column>': ["a column of the files under the contract's name (repeatable)", '把文件中的列改为接口规范的列名（可重复）', nameValuePair],
  '--encoding <encoding>': ['of CSV and JSON; without it as their words tell, or an error if they do not', 'CSV 与 JSON 的编码；默认按其中的文字判断，无法判断则报错', { choices: textEncodings }],
  '--limit <name=value>': ['how much of a file is read: rows, columns, bytes or cell, such as rows=50000000 (repeatable)', '单个文件的读取上限：rows、columns、bytes 或 cell，例如 rows=50000000（可重复）', nameValuePair],
  '--partial': ['take replies that were cut at a row cap or a page; the archive then says so', '接受因行数上限或分页而被截断的应答；归档会注明'],
  '--covers <from..to>': ['days of which all rows are there after the import, also where a day has none', '导入后数据齐全的日期范围，包括本来就没有数据的日子', daysFromTo],
  '--asked <time>': ['when the files were asked for, such as 2026-07-29T20:00+08:00', '文件的查询时间，例如 2026-07-29T20:00+08:00'],
}).action(importInto)

async function copy({ source: from, archive: to }: Record<'source' | 'archive', ArchiveStore>): Promise<void> {
  const { files, bytes, kept, state } = await withBar(say('bar copy'), (progress) =>
    copyArchive(from, to, {
      signal: untilInterrupted(),
      onProgress: queryOn(progress),
    }),
  )
  log(say('copied', { from: from.name, to: to.name, files, size: sizeText(bytes), kept, state }))
}

// biome-ignore format: a table, one word a line
export const copyCommand = (): Command => declare({
  copy: ['copy an archive to another place, checked by its checksums: all of it in one step', '把归档复制到另一处，按校验和核对，一步完成'],
  '--source <dir>': ['directory or clickhouse:// address of the archive', '归档目录或 clickhouse:// 地址', { parse: archiveRead, required: true }],
  '--archive <dir>': ['where it goes: empty, or an earlier state of it', '目标位置：须为空，或为该归档的较早状态', { parse: archivePlace, required: true }],
  '--from <dir>': ['', '', { means: 'source' }],
  '--to <dir>': ['', '', { means: 'archive' }],
}).action(copy)

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

// biome-ignore format: a table, one word a line
export const cacheCommand = (): Command => declare({
  cache: ['list what a cache of a service holds (see --cache), or remove it', '列出或删除服务缓存（见 --cache）'],
  '[dir]': ['directory of the cache; QUOTEBOOK_CACHE when absent', '缓存目录；默认取 QUOTEBOOK_CACHE'],
  '--drop [dataset]': ['drop all that it keeps, or one dataset: the next query asks the service again', '删除全部缓存或某一数据集：下次查询将重新请求服务'],
}).action(cache)

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

// biome-ignore format: a table, one word a line
export const sampleCommand = (): Command => declare({
  sample: ['the synthetic archive, any size; the same seed gives the same bytes', '生成合成数据的归档，大小任意；随机种子相同则逐字节相同'],
  '--archive <dir>': ['new or empty directory', '新建的目录或空目录', { required: true }],
  '--seed <n>': ['whole number', '整数', { parse: wholeAtLeast(0), usual: 20260706 }],
  '--days <n>': ['trading days, back from 2026-07-29; the calendar begins in 2022', '交易日数，自 2026-07-29 往前数；交易日历始于 2022 年', { parse: wholeAtLeast(1), usual: 60 }],
  '--symbols <n>': ['ETFs, up to 2000; twice as many bonds, four times as many stocks', 'ETF 只数，最多 2000；可转债为其两倍，股票为其四倍', { parse: wholeAtLeast(1), usual: 10 }],
  '--hostile': ['mix markup, formulas and odd characters into the texts, for tests of whatever shows them', '在文本中混入网页标记、公式与特殊字符，用于测试显示这些文本的程序'],
  '--out <dir>': ['', '', { means: 'archive' }],
}).action(sample)
