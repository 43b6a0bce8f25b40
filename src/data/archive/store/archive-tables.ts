import { randomBytes } from 'node:crypto'
import { datasetOf } from '../../../contract/catalogue.js'
import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { QuotebookError, worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { type RecordColumns, textCells } from '../../../frame/table/values.js'
import { ByteFeed } from '../../clickhouse/byte-feed.js'
import { type ClickHouseClient, collected, quotedName, textLiteral } from '../../clickhouse/clickhouse-client.js'
import { clickHouseType, formsOf } from '../../clickhouse/column-types.js'
import { ClickHouseError, noDatabase, noneOn, noTable } from '../../clickhouse/server-errors.js'
import { TextWriter } from '../../clickhouse/text-cells.js'
import { dropTicks, insertTicks } from '../../clickhouse/tick-rows.js'
import { keyTypes, partKey, rowKey, tickTableNames } from '../../clickhouse/tick-tables.js'
import { revisionsFolder } from '../check-manifest.js'
import { sha256 } from '../file-access.js'
import { contractVersion } from '../manifest.js'
import type { PartEntry } from '../manifest-entries.js'
import { bytesWithSum } from '../part-bytes.js'
import { LostFileError, presentRows, rowsOfFile } from '../part-file.js'
import { revisionColumns } from '../revision/revisions.js'
import type { MadePart, StoredFile } from './archive-store.js'
import { rowsDigest } from './rows-digest.js'

/** Where a file of an archive lies: a partition of a table. */
export interface FilePlace {
  readonly table: string
  readonly partition: string
  /** Of rows, what they must be; a file that is kept as its bytes has none. */
  readonly digest?: string | undefined
}

/** A partition as the server lists it. */
export interface FoundPartition {
  readonly table: string
  readonly partition: string
  readonly age: number
}

/** Files that are kept as bytes. */
export const filesTable = 'files'
/** Whether a file is one of ticks, whose rows are put too; its partition begins as it does. */
export const isTicks = (file: string): boolean => file.startsWith('ticks/')
/** Bytes of a row of `files`. */
const chunkBytes = 2 ** 20

type Columns = Readonly<Record<string, Column>>

/** Tables that parts of an archive lie in. */
const partTable = /^(rows|revised)_[a-z0-9_]+_[0-9a-f]{12}$|^files$|^commits$/

/** Whether a table of a database is an archive's. */
export function isArchiveTable(name: string): boolean {
  return partTable.test(name) || tickTableNames.test(name)
}

const isRevision = (file: string): boolean => file.startsWith(`${revisionsFolder}/`)

/** The table of a dataset under its present declaration. */
function tableOf(dataset: Dataset, file: string): string {
  return `${isRevision(file) ? 'revised' : 'rows'}_${dataset.name}_${contractVersion(dataset)}`
}

function columnsOf(dataset: Dataset, file: string): Columns {
  return isRevision(file) ? revisionColumns(dataset) : { ...dataset.columns, ...dataset.stored }
}

/** The rows and files of an archive in the tables of a database. What is written under a partition is never changed. */
export class ArchiveTables {
  readonly #client: ClickHouseClient
  readonly #made = new Set<string>()

  constructor(client: ClickHouseClient) {
    this.#client = client
  }

  /** Makes a table of partitions where it is not there. */
  async make(table: string, types: Readonly<Record<string, string>>): Promise<void> {
    if (this.#made.has(table)) return
    const all = [...Object.entries(types), ...keyTypes].map(([name, type]) => `${quotedName(name)} ${type}`)
    const engine = `engine = MergeTree partition by ${partKey} order by ${rowKey}`
    await this.#client.command(`create table if not exists ${quotedName(table)} (${all.join(', ')}) ${engine}`)
    this.#made.add(table)
  }

  /** Puts rows into a partition that nobody has written to. @throws what the client throws; some may be there then */
  async writeRows({ dataset, file, rows, columns }: MadePart): Promise<FilePlace> {
    const types = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, clickHouseType(column)]))
    const table = tableOf(dataset, file)
    await this.make(table, types)
    const partition = partitionOf(file)
    const keys = new Map([
      [partKey, { type: 'dictionary', data: new Int32Array(rows.length), dictionary: [partition] }],
      [rowKey, { type: 'int', data: Int32Array.from({ length: rows.length }, (_, row) => row), valid: null }],
    ] as const)
    const own = Object.keys(columns).map((name) => [name, rows.columns.get(name)] as const)
    const all = { length: rows.length, columns: new Map([...own, ...keys]) } as RecordColumns
    await this.#client.insert(table, all, { types: new Map([...Object.entries(types), ...keyTypes]) })
    return { table, partition, digest: rowsDigest({ length: rows.length, columns: new Map(own) } as RecordColumns) }
  }

  /**
   * The rows of a part, compared with what was written and what the manifest says of them.
   * @throws LostFileError when they are others or gone
   */
  async readPart(dataset: Dataset, part: PartEntry, place: FilePlace): Promise<RecordColumns> {
    const { name } = this.#client
    return place.digest === undefined
      ? rowsOfFile(name, dataset, part, await this.bytes(part.file, part.sha256, place))
      : presentRows(name, dataset, part, await this.readRows(dataset, part.file, place))
  }

  /**
   * The rows that were written under a place.
   * @param names columns wanted; what they were can't be told then
   * @throws LostFileError when they are others or gone
   */
  async readRows(dataset: Dataset, file: string, place: FilePlace, names?: readonly string[]): Promise<RecordColumns> {
    const { name: archive } = this.#client
    const { table } = place
    const isOther = table !== tableOf(dataset, file)
    const columns = isOther ? {} : columnsOf(dataset, file)
    const wanted = (names ?? Object.keys(columns)).map(quotedName).join(', ')
    const sql = `select ${isOther ? `* except (${partKey}, ${rowKey})` : wanted} from ${quotedName(table)} ${where(place)} order by ${rowKey}`
    const rows = await this.#client.columns(sql, { forms: formsOf(columns) }).catch(noneOn(noTable, noDatabase))
    if (!rows) throw this.missing(file)
    if (!names && !isOther && rowsDigest(rows) !== place.digest) {
      throw new LostFileError(
        archive,
        sentence`${file} in ${archive} is damaged: its rows are not those that were written`,
      )
    }
    return rows
  }

  /** What reading a file fails with that is not there. */
  missing(file: string): LostFileError {
    const cause = Object.assign(worded(Error, sentence`no rows`), { code: 'ENOENT' })
    return new LostFileError(this.#client.name, sentence`${file} in ${this.#client.name} is missing`, cause)
  }

  /** Puts a file as its bytes. */
  async writeFile(file: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<FilePlace> {
    await this.make(filesTable, { bytes: 'String', at: 'DateTime default now()' })
    const partition = partitionOf(file)
    const into = `insert into ${filesTable} (bytes, ${partKey}, ${rowKey}) format RowBinary`
    const settings = { max_insert_block_size: 64 }
    await this.#client.send(into, fileRows(pieces, partition), { settings })
    return { table: filesTable, partition }
  }

  /** Puts the rows of a file of ticks beside its bytes; what is no Parquet file has none, and is told when it is read. */
  async writeTicks({ partition }: FilePlace, bytes: Uint8Array): Promise<void> {
    try {
      await insertTicks(this.#client, partition, bytes)
    } catch (error) {
      if (error instanceof ClickHouseError || !(error instanceof QuotebookError)) throw error
    }
  }

  /** The bytes of a file that is kept as such, piece by piece, or one of its pieces. */
  async *#pieces(place: Pick<FilePlace, 'partition'>, row?: number): AsyncGenerator<Uint8Array> {
    const of = `${where(place)}${row === undefined ? '' : ` and ${rowKey} = ${row}`}`
    const sql = `select bytes from ${filesTable} ${of} order by ${rowKey} format RowBinary`
    const feed = new ByteFeed(this.#client.read(sql, { settings: { max_block_size: 16 } }))
    while (await feed.begins()) yield Buffer.from(await feed.take(await feed.varint()))
  }

  /** A file that is kept as its bytes, open. @throws LostFileError where it is gone; what the client throws */
  async open(file: string, { partition }: FilePlace): Promise<StoredFile> {
    const of = where({ partition })
    const sql = `select toString(length(bytes)) as size, toString(toUnixTimestamp(at)) as at from ${filesTable} ${of} order by ${rowKey}`
    const found = await this.#client.columns(sql).catch(noneOn(noTable, noDatabase))
    if (!found) throw this.missing(file)
    const ends: number[] = []
    for (const size of textCells(found, 'size')) ends.push((ends.at(-1) ?? 0) + Number(size))
    // A row is asked for where it is read, and kept until the next one is.
    let held: { readonly row: number; readonly bytes: Uint8Array } | undefined
    return {
      size: ends.at(-1) ?? 0,
      modified: Number(textCells(found, 'at')[0]) * 1000,
      identity: partition,
      read: async (position, length) => {
        const row = ends.findIndex((end) => end > position)
        if (row < 0) return Buffer.alloc(0)
        if (held?.row !== row) held = { row, bytes: Buffer.concat(await collected(this.#pieces({ partition }, row))) }
        const from = position - (ends[row - 1] ?? 0)
        return held.bytes.subarray(from, from + length)
      },
      // What is written under a partition is never changed.
      isUnchanged: async () => true,
      close: async () => undefined,
    }
  }

  /** The bytes of a file, compared with its checksum; of rows those that they make. @throws LostFileError when they are others or gone */
  async bytes(file: string, sum: string, place: FilePlace): Promise<Uint8Array> {
    const bytes = place.digest === undefined ? await this.#file(file, place) : await this.#fileOfRows(file, sum, place)
    if (bytes && (place.digest !== undefined || sha256(bytes) === sum)) return bytes
    throw new LostFileError(
      this.#client.name,
      sentence`${file} in ${this.#client.name} is damaged: its checksum is another`,
    )
  }

  async #fileOfRows(file: string, sum: string, place: FilePlace): Promise<Uint8Array | undefined> {
    const dataset = datasetOf(file.replace(`${revisionsFolder}/`, '').split('/')[0] as string)
    return bytesWithSum(await this.readRows(dataset, file, place), columnsOf(dataset, file), sum)
  }

  async #file(file: string, place: FilePlace): Promise<Uint8Array> {
    const pieces = await collected(this.#pieces(place)).catch(noneOn(noTable, noDatabase))
    if (!pieces || pieces.length === 0) throw this.missing(file)
    return Buffer.concat(pieces)
  }

  /** All partitions that there are, with the seconds since they were last written to. */
  async partitions(): Promise<readonly FoundPartition[]> {
    const rows =
      await this.#client.columns(`select table, partition, now() - max(modification_time) as age from system.parts
      where database = ${textLiteral(this.#client.database)} and active group by table, partition`)
    if (!rows) return []
    const [tables, names, ages] = ['table', 'partition', 'age'].map((name) => textCells(rows, name) as string[])
    const own = (tables as string[]).map((table, row) => ({
      table,
      partition: names?.[row] as string,
      age: Number(ages?.[row]),
    }))
    return own.filter(({ table }) => isArchiveTable(table))
  }

  /** Names of all tables of the database. */
  async names(): Promise<readonly string[]> {
    const rows = await this.#client.columns(
      `select name from system.tables where database = ${textLiteral(this.#client.database)}`,
    )
    return rows ? (textCells(rows, 'name') as string[]) : []
  }

  /** Lets go of a partition. */
  async drop({ table, partition }: Pick<FilePlace, 'table' | 'partition'>): Promise<void> {
    if (isTicks(partition)) await dropTicks(this.#client, partition)
    await this.#client.command(`alter table ${quotedName(table)} drop partition ${textLiteral(partition)}`)
  }
}

/** A partition of its own for each time that a file is written: what a writer that was cut off left is in nobody's rows. */
function partitionOf(file: string): string {
  return `${file} ${randomBytes(8).toString('hex')}`
}

function where({ partition }: Pick<FilePlace, 'partition'>): string {
  return `where ${partKey} = ${textLiteral(partition)}`
}

/** Rows of `files` in RowBinary. */
async function* fileRows(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  partition: string,
): AsyncGenerator<Uint8Array> {
  let row = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; from += chunkBytes)
      yield* fileRow(piece.subarray(from, from + chunkBytes), partition, row++)
  }
  // An empty file is there too.
  if (row === 0) yield* fileRow(Buffer.alloc(0), partition, row)
}

function* fileRow(bytes: Uint8Array, partition: string, row: number): Generator<Uint8Array> {
  const head = new TextWriter(16)
  head.length(bytes.length)
  const keys = new TextWriter(200)
  keys.text(partition)
  const number = Buffer.alloc(4)
  number.writeInt32LE(row)
  yield head.bytes
  yield bytes
  yield keys.bytes
  yield number
}
