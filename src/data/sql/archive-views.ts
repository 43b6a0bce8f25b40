import { resolve } from 'node:path'
import { allNames, datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { columnTypeOf } from '../../frame/table/arrow.js'
import { checkedFooter } from '../../frame/table/parquet-file/pages.js'
import type { ColumnType } from '../../frame/table/values.js'
import { fileStamp, rememberVerified, wasVerified } from '../archive/file-access.js'
import type { Manifest } from '../archive/manifest-entries.js'
import { currentParts, LostFileError, readVerified } from '../archive/part-file.js'
import { literal, quoted } from './duckdb.js'

/** The auction ticks of an archive, as SQL names them. */
export const ticksName = 'ticks'

/** Names that stand for what an archive holds as files. */
export function fileDatasets(): readonly string[] {
  return [...allNames().filter((name) => name !== 'file_download'), ticksName]
}

interface Held {
  readonly file: string
  readonly sha256: string
}

const typeOfForm: Record<ColumnType, string> = {
  float: 'double',
  int: 'integer',
  boolean: 'boolean',
  dictionary: 'varchar',
  string: 'varchar',
  list: 'varchar[]',
}

function typedNulls(dataset: Dataset): string {
  const columns = Object.entries({ ...dataset.columns, ...dataset.stored })
  const cells = columns.map(([name, { kind }]) => `null::${typeOfForm[columnTypeOf(kind)]} as ${quoted(name)}`)
  return `select ${cells.join(', ')} where false`
}

function reading(dir: string, files: readonly Held[], rest = ''): string {
  return `read_parquet([${files.map(({ file }) => literal(resolve(dir, file))).join(', ')}]${rest}, hive_partitioning = false)`
}

/** The files behind a name, ascending by partition. */
function filesOf(manifest: Manifest, dir: string, name: string): readonly Held[] {
  if (name === ticksName) return manifest.ticks
  return currentParts(dir, datasetOf(name), manifest.datasets[name]?.parts ?? [])
}

function viewOf(manifest: Manifest, dir: string, name: string): string {
  const files = filesOf(manifest, dir, name)
  const view = `create view main.${quoted(name)} as`
  if (name === ticksName) {
    if (files.length === 0) throw new QuotebookError('FILE', sentence`${dir} has no auction ticks`)
    return `${view} select * from ${reading(dir, files, ', union_by_name = true, binary_as_string = true')}`
  }
  const dataset = datasetOf(name)
  if (files.length === 0) return `${view} ${typedNulls(dataset)}`
  const columns = Object.keys({ ...dataset.columns, ...dataset.stored })
  return `${view} select ${columns.map(quoted).join(', ')} from ${reading(dir, files)}`
}

/** Files of an archive that DuckDB may read, each compared with its checksum. */
interface Holding {
  readonly files: readonly string[]
  readonly statements: readonly string[]
  /** Asks for the names of columns that are text in some files and numbers in others: a view would make text of all. */
  readonly mixed: string | undefined
  /** Whether the files are still those that were checked. */
  unchanged(): Promise<boolean>
}

function mixedIn({ ticks }: Manifest, dir: string): string {
  const files = ticks.map(({ file }) => literal(resolve(dir, file))).join(', ')
  return `select name from parquet_schema([${files}]) where type is not null
    group by name having count(distinct type = 'BYTE_ARRAY') > 1 order by name`
}

/**
 * The names of an archive's state as views over its Parquet files: every row that is stored, with the stored columns.
 * @throws QuotebookError ARCHIVE when a file is not what was written
 */
export async function archiveViews(manifest: Manifest, dir: string, names: readonly string[]): Promise<Holding> {
  const stamps = new Map<string, string>()
  for (const { file, sha256 } of names.flatMap((name) => filesOf(manifest, dir, name))) {
    const path = resolve(dir, file)
    try {
      const stamp = await fileStamp(path)
      stamps.set(path, stamp)
      if (wasVerified(path, stamp, sha256)) continue
      const bytes = await readVerified(dir, file, sha256)
      // DuckDB believes a footer that counts fewer rows than the pages hold.
      await checkedFooter(bytes, path, { bytes: Number.POSITIVE_INFINITY })
      rememberVerified(path, stamp, sha256)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      throw new LostFileError(dir, sentence`${path} is missing`, cause)
    }
  }
  return {
    files: [...stamps.keys()],
    statements: names.map((name) => viewOf(manifest, dir, name)),
    mixed: names.includes(ticksName) ? mixedIn(manifest, dir) : undefined,
    unchanged: async () => {
      for (const [path, stamp] of stamps) if ((await fileStamp(path).catch(() => '')) !== stamp) return false
      return true
    },
  }
}
