import type { Table } from 'apache-arrow'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { asTable } from '../../frame/as-table.js'
import type { Data } from '../../frame/data.js'
import { columnsOf } from '../../frame/read-columns.js'
import { toTable } from '../../frame/table/arrow.js'
import { type Provenance, provenance, provenanceMetadata, weakestProof } from '../../frame/table/provenance.js'
import { concatRows, type RecordColumns } from '../../frame/table/values.js'
import { joinSlices, wholeSlice } from '../archive/answer/row-slices.js'
import type { Archive } from '../archive/archive.js'
import type { Manifest } from '../archive/manifest-entries.js'
import { noArchive } from '../archive/store/archive-store.js'
import { archiveViews, fileDatasets, ticksName } from './archive-views.js'
import { runEngineQuery } from './engine-query.js'
import { type EngineView, engineView } from './engine-views.js'
import { runQuery, type SqlParams } from './run-query.js'

/** Options of `sql` and `market.sql`. */
export interface SqlOptions {
  /** Arrow tables and DataFrames under the names that the text gives them. One hides a dataset of the same name. */
  readonly tables?: Readonly<Record<string, Data>> | undefined
  /** Values of `$1`, `?` (an array) or `$name` (an object). */
  readonly params?: SqlParams | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * What the query may take in memory: '2GB', '512MiB' or a number of bytes; what has no room there goes to a folder that is
   * removed, up to four times as much. The rows of the result may take as much again. What a function makes while it
   * computes one value, as `repeat` does, is not counted. Default a quarter of the machine's memory, at most 4 GiB.
   */
  readonly memory?: string | number | undefined
}

function wrong(message: Words): QuotebookError {
  return new QuotebookError('USAGE', message)
}

/** SQL tells names apart without regard to case. */
function sameName(names: readonly string[]): string | undefined {
  const plain = names.map((name) => name.toLowerCase())
  return names.find((_, i) => plain.indexOf(plain[i] as string) !== i)
}

function checked(text: string, options: SqlOptions): ReadonlyMap<string, Table> {
  if (typeof text !== 'string') throw wrong(sentence`sql takes its text first: sql(text, { tables })`)
  const kinds = { tables: 'an object', params: 'an array or an object', signal: 'an object', memory: 'any' } as const
  const { tables = {} } = checkOptions(options, kinds, 'sql')
  const given = new Map(Object.entries(tables).map(([name, data]) => [name, asTable(data)]))
  const twice = sameName([...given.keys()])
  if (twice !== undefined) throw wrong(sentence`two tables are named '${twice}': SQL does not tell capitals apart`)
  for (const [name, table] of given) checkNames(name, table)
  return given
}

function checkNames(name: string, { schema }: Table): void {
  const columns = schema.fields.map((field) => String(field.name))
  if (name === '' || columns.includes('')) throw wrong(sentence`SQL knows no empty name: table '${name}' has one`)
  if (columns.length === 0) throw wrong(sentence`table '${name}' has no columns`)
  const twice = sameName(columns)
  if (twice !== undefined)
    throw wrong(sentence`table '${name}' has two columns '${twice}': SQL does not tell capitals apart`)
}

function isNamed(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name}(?!\\w)`, 'i').test(text)
}

type Whole = Pick<Provenance, 'complete' | 'proof' | 'note'>

/**
 * Proven whole is only what was made of nothing but what is proven whole. Of an archive that is every row of its present
 * state: which days it was never given, a query can't tell.
 */
function wholeOf(tables: ReadonlyMap<string, Table>, partial: readonly string[], note?: Words): Whole {
  if (note !== undefined) return { complete: false, note }
  const [cut] = partial
  if (cut !== undefined)
    return { complete: false, note: sentence`some rows of ${cut} were imported from replies that had been cut` }
  for (const [name, table] of tables) {
    const about = provenance(table)
    if (about?.complete === true) continue
    return {
      complete: false,
      note: about ? sentence`table ${name} is not whole` : sentence`table ${name} does not say whether it is whole`,
    }
  }
  const proof =
    tables.size === 0 ? 'state' : weakestProof([...tables.values()].map((table) => provenance(table)?.proof))
  return { complete: true, ...(proof ? { proof } : {}) }
}

/** What runs a query over files: in this process, or `runApart`. */
type Run = (job: Parameters<typeof runQuery>[0]) => Promise<RecordColumns>

interface Asked {
  readonly run: Run
  readonly text: string
  readonly options: SqlOptions
  readonly tables: ReadonlyMap<string, Table>
}

function tableOf(
  columns: RecordColumns,
  asked: Asked,
  about: Pick<Provenance, 'source' | 'complete' | 'proof' | 'note' | 'state'>,
): Table {
  const { params } = asked.options
  const request = { sql: asked.text, ...(params === undefined ? {} : { params }), tables: [...asked.tables.keys()] }
  const metadata: Provenance = {
    dataset: 'sql',
    request: { params: request, fields: [...columns.columns.keys()] },
    rows: columns.length,
    ...about,
  }
  return toTable(columns, {}, provenanceMetadata(metadata))
}

function relationsOf(tables: ReadonlyMap<string, Table>): Map<string, RecordColumns> {
  return new Map([...tables].map(([name, table]) => [name, columnsOf(table)]))
}

/**
 * Runs SQL over tables and frames with DuckDB in a temporary database: it keeps nothing, opens no file and uses no
 * network. This keeps a slip from doing harm; it is not a sandbox for SQL from strangers.
 *
 * Types: numbers are Float64 (whole numbers of up to 32 bits Int32), text and dates (`YYYYMMDD`), times and moments
 * (ISO) a dictionary, true and false Bool, lists of text `List<Utf8>`, other nested values their JSON text. A BIGINT,
 * HUGEINT or DECIMAL that no double can hold is rejected, not rounded. Missing is NULL, in and out; NaN is missing.
 *
 * Rows come in the order of an ORDER BY, missing last either way; without one the order is that of this version of
 * DuckDB, the same each time. `random()` is seeded; `now()` and `uuid()` are not. Time zone: Beijing. Needs the package
 * @duckdb/node-api.
 * @example await sql('select symbol, max(close) as high from bars group by symbol order by symbol', { tables: { bars } })
 * @throws QuotebookError SQL with DuckDB's message, USAGE for wrong options, PACKAGE if DuckDB is not installed
 */
export async function sql(text: string, options: SqlOptions = {}): Promise<Table> {
  const tables = checked(text, options)
  const columns = await runQuery({
    text,
    relations: relationsOf(tables),
    views: { files: [], statements: [] },
    known: [...tables.keys()],
    params: options.params,
    signal: options.signal,
    memory: options.memory,
  })
  return tableOf(columns, { run: runQuery, text, options, tables }, { source: 'tables', ...wholeOf(tables, []) })
}

/** The shares of an archive, one row a year; undefined when the archive has changed meanwhile. */
async function shares(archive: Archive, manifest: Manifest, state: string): Promise<RecordColumns | undefined> {
  const dataset = datasetOf('file_download')
  const years = [...new Set(manifest.ticks.map(({ day }) => Number(day.slice(0, 4))))]
  const all: RecordColumns[] = []
  for (const year of years.length > 0 ? years : [2022]) {
    const table = await archive.query(dataset, { data_type: 'auction_tick', year }, { whole: true })
    if (provenance(table)?.state !== state) return undefined
    all.push(columnsOf(table))
  }
  return concatRows(all)
}

type Job = Omit<Parameters<Run>[0], 'views'>

/** The rows of a query over one state, where its rows lie; undefined when files changed under it. */
async function answered(
  archive: Archive,
  manifest: Manifest,
  names: readonly string[],
  job: Job,
  run: Run,
): Promise<RecordColumns | undefined> {
  const { engine } = archive.store
  if (!engine) {
    const { unchanged, ...views } = await archiveViews(manifest, archive.dir, names)
    const columns = await run({ ...job, views })
    return (await unchanged()) ? columns : undefined
  }
  const relations = new Map(job.relations)
  const views: EngineView[] = []
  for (const name of names) {
    const view = await engineView(engine, manifest, name)
    if (view) views.push(view)
    else relations.set(name, await rowsThen(archive, name))
  }
  return runEngineQuery({ ...job, engine, views, relations })
}

/** One attempt on one state; undefined when the archive changed under it. */
async function attempt(archive: Archive, asked: Asked, given: Map<string, RecordColumns>): Promise<Table | undefined> {
  const { manifest, state } = await presentOf(archive)
  const { text, options, tables } = asked
  const hidden = new Set([...tables.keys()].map((name) => name.toLowerCase()))
  const open = [...fileDatasets(), 'file_download'].filter((name) => !hidden.has(name))
  const named = open.filter((name) => isNamed(text, name))
  const relations = new Map(given)
  try {
    if (named.includes('file_download')) {
      const rows = await shares(archive, manifest, state)
      if (!rows) return undefined
      relations.set('file_download', rows)
    }
    const held = named.filter((name) => name !== 'file_download')
    // What was known at a moment is in no file as it stands.
    const isThen = (name: string): boolean => archive.asOf !== undefined && name !== ticksName
    for (const name of held.filter(isThen)) relations.set(name, await rowsThen(archive, name))
    const files = held.filter((name) => !isThen(name))
    const known = [...tables.keys(), ...open]
    const { params, signal, memory } = options
    const job: Job = { text, relations, known, params, signal, memory }
    const columns = await answered(archive, manifest, files, job, asked.run)
    if (!columns) return undefined
    const partial = held.filter((name) => name !== ticksName && manifest.datasets[name]?.partial === true)
    const note = await archive.read(
      async (snapshot) => held.flatMap((name) => snapshot.note?.(name) ?? snapshot.notYet?.(name) ?? [])[0],
    )
    return tableOf(columns, asked, { source: String(archive.name), ...wholeOf(tables, partial, note), state })
  } catch (error) {
    options.signal?.throwIfAborted()
    if ((await presentOf(archive)).state !== state) return undefined
    throw error
  }
}

/** The state that is asked, and what it holds. */
async function presentOf(archive: Archive): Promise<{ readonly manifest: Manifest; readonly state: string }> {
  if (archive.asOf !== undefined) return { manifest: await archive.manifest(), state: await archive.state() }
  const read = await archive.store.read()
  if (!read) throw noArchive(archive.store)
  return read
}

/** Every row of a dataset as it was known at the moment of an archive. */
function rowsThen(archive: Archive, name: string): Promise<RecordColumns> {
  const dataset = datasetOf(name)
  return archive.read(async (snapshot) => {
    const parts = await Promise.all(snapshot.parts(name).map((part) => snapshot.load(name, part)))
    return joinSlices(dataset, parts.map(wholeSlice))
  })
}

/**
 * SQL over an archive and tables; see `sql`. Each dataset is a table under the vendor's name with every
 * row that is stored and the stored columns beside those of the wire: all versions, all periods, all snapshots. `ticks`
 * has the rows of all tick files, with the columns that the files have. One query sees one state of the archive.
 */
export async function archiveSql(
  archive: Archive,
  text: string,
  options: SqlOptions = {},
  run: Run = runQuery,
): Promise<Table> {
  const asked: Asked = { run, text, options, tables: checked(text, options) }
  const given = relationsOf(asked.tables)
  for (let tries = 0; tries < 20; tries++) {
    const table = await attempt(archive, asked, given)
    if (table) return table
  }
  throw new QuotebookError(
    'ARCHIVE_CHANGED',
    sentence`${archive.store.name} changed 20 times while it was asked; ask again later`,
  )
}
