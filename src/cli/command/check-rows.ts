import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Table } from 'apache-arrow'
import { inferredNote } from '../../contract/calendar.js'
import { allNames, type DatasetName, datasetOf, findDataset } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { archiveStatus } from '../../data/archive/archive-status.js'
import { inFile, readFileColumns } from '../../data/archive/import/file-columns.js'
import { readBytes } from '../../data/archive/import/import-limits.js'
import { isOutdated } from '../../data/archive/manifest.js'
import { toTable } from '../../frame/table/arrow.js'
import { fromCsv } from '../../frame/table/csv.js'
import { fromParquet } from '../../frame/table/parquet.js'
import { provenance } from '../../frame/table/provenance.js'
import { decodeText } from '../../frame/table/text-encoding.js'
import type { Market } from '../../market.js'
import type { CheckTables } from '../../research/checks/check.js'
import { latestTradingDays, loadTables, tablesToCheck } from '../../research/report/load/load-tables.js'
import { say } from '../chosen-language.js'
import { nameValuePair, outputWords, sourceWords, wholeAtLeast } from '../command-options.js'
import type { CommandWords, OptionsOf } from '../declare-command.js'
import { inLanguage, whyOf } from '../error-text.js'
import { dayWords } from '../fetch-ticks.js'
import { log, tell } from '../output.js'
import { paramWords } from '../param-words.js'
import { withBar } from '../progress-bar.js'
import { openSource } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

// biome-ignore format: a table, one word a line
export const rowWords = {
  ...outputWords,
  ...sourceWords,
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
export const checkedWords = {
  '[params...]': ['query conditions, as the vendor spells them; codes, names or pinyin initials: symbols=123124,云帆转债 (default: the latest rows)'],
  '--params <json>': paramWords['--params <json>'],
  '--file <file>': ['your own CSV, Parquet file or saved reply'],
  '--rename <name=column>': ["a column of the file under the contract's name (repeatable)", nameValuePair],
  ...rowWords,
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
export const latestWords = {
  '--days <n>': ['instead of the latest: trading days up to it', wholeAtLeast(1)],
} as const satisfies CommandWords

/** Options of every check. */
export type CheckOptions = OptionsOf<typeof checkedWords>

/** The rows of a file of the user's own, with whatever columns it has. */
export async function fromFile(path: string, name: string, rename?: Record<string, string>): Promise<Table> {
  const dataset = datasetOf(name)
  const { columns } = await readFileColumns(path, await readBytes(path), dataset, { rename })
  return toTable(columns, { ...dataset.columns, ...dataset.stored })
}

export function notBoth({ file, params }: CheckOptions): void {
  if (file !== undefined && params) throw wrongUse('give --file or params, not both')
}

/** Rows of one dataset: of a file, or as the source answers. */
export async function rowsToCheck(
  name: string,
  options: CheckOptions,
  params?: Record<string, unknown>,
): Promise<Table> {
  notBoth(options)
  if (options.file !== undefined) return fromFile(options.file, name, options.rename)
  const market = await openSource(options)
  return market.query(name, options.params ?? params)
}

function datasetNamed(name: string): DatasetName {
  if (findDataset(name)) return name as DatasetName
  const near = nearest(name, allNames())
  throw new QuotebookError(
    'USAGE',
    near
      ? say("--with: there is no dataset '{name}'; did you mean '{near}'?", { name, near })
      : say("--with: there is no dataset '{name}'", { name }),
  )
}

/** Adds tables of files named `DATASET=FILE` to others. */
export async function withFiles(
  tables: CheckTables<Table>,
  files: readonly (readonly [string, string])[],
): Promise<CheckTables<Table>> {
  const all: { [N in DatasetName]?: readonly Table[] | undefined } = { ...tables }
  for (const [dataset, file] of files) {
    const name = datasetNamed(dataset)
    all[name] = [...(all[name] ?? []), await fromFile(file, name)]
  }
  return all
}

/** Datasets that an archive has under another contract and can not read; each is named. */
async function unreadIn({ archive }: Market): Promise<ReadonlySet<string>> {
  const { datasets = {} } = (await archive?.manifest()) ?? {}
  const isOlder = Object.entries(datasets).some(([name, entry]) => isOutdated(datasetOf(name), entry))
  const all = (isOlder && (await archive?.read((snapshot) => archiveStatus(snapshot)))) || []
  const unread = all.filter(({ days, dataset }) => days === null && findDataset(dataset))
  for (const { why } of unread) if (why) log(inLanguage(why))
  if (unread.length > 0) process.exitCode = 1
  return new Set(unread.map(({ dataset }) => dataset))
}

/** Datasets of a source over its last days, with a bar on a terminal. */
export async function lastDays(
  market: Market,
  count: number,
  names: readonly DatasetName[],
): Promise<CheckTables<Table>> {
  const without = await unreadIn(market)
  const read = names.filter((name) => !without.has(name))
  const days = await latestTradingDays(market, count, { own: true, without })
  const inferred = inferredNote(days.inferred ?? [])
  if (inferred !== undefined) log(inLanguage(inferred))
  return withBar(say('check'), async (progress) => {
    const onStep = (done: number, name: string): void => progress.update(done, read.length, name)
    const tables = tablesToCheck(await loadTables(market, days, read, onStep))
    for (const [name, own = []] of Object.entries(tables)) {
      const waiting = [...new Set(own.flatMap((table) => provenance(table)?.waiting ?? []))].sort()
      if (waiting.length > 0)
        tell('{name}: the last answer had less of {days} than before; what was there stays, and is asked for again', {
          name,
          days: dayWords(waiting, 3),
        })
    }
    return tables
  })
}

/** A file of the user's own, CSV or Parquet, with whatever columns it has; codes and dates stay text. */
export async function readQuotesFile(path: string): Promise<Table> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new QuotebookError('FILE', say('{file}: can not be read: {why}', { file: path, why: whyOf(cause) }), {
      cause,
    })
  })
  if (extname(path).toLowerCase() === '.parquet') return fromParquet(bytes, basename(path))
  try {
    return fromCsv(decodeText(bytes, basename(path)).bytes, { encoding: 'utf8' })
  } catch (cause) {
    throw inFile(basename(path), undefined, cause)
  }
}
