import { randomBytes } from 'node:crypto'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { textCells } from '../../../frame/table/values.js'
import { type ClickHouseClient, quotedName, textLiteral } from '../../clickhouse/clickhouse-client.js'
import { ClickHouseError, noDatabase, noneOn, noTable } from '../../clickhouse/server-errors.js'
import { partKey } from '../../clickhouse/tick-tables.js'
import { sha256 } from '../file-access.js'
import { parseManifest } from '../manifest.js'
import type { Manifest } from '../manifest-entries.js'
import type { ArchiveTables, FilePlace } from './archive-tables.js'

/** A state of an archive as the database has it. */
export interface Commit {
  /** Ascends from one state to the next. */
  readonly number: number
  readonly manifest: Manifest
  /** sha256 of the text of the manifest. */
  readonly state: string
  readonly places: ReadonlyMap<string, FilePlace>
}

/** What a state let go of that the one before had. */
export type LeftPlace = Pick<FilePlace, 'table' | 'partition'>

/** A view that says which state is the one of its number. */
export interface CommitView {
  readonly name: string
  readonly number: number
  /** When it was made, in seconds of the server's clock, and for how long the next one has been there; 0 for the last. */
  readonly made: number
  readonly replaced: number
}

export const commitsTable = 'commits'
const viewName = (number: number): string => `manifest_${String(number).padStart(12, '0')}`

/** Exception of a table that is there. */
const exists = 57

/**
 * The states of an archive in a database: a view `manifest_(number)` each, which names the row of `commits` that has the
 * manifest's text. Making the view is the commit: a server makes one view of a name and no other, in one step, so that of
 * two writers that build on one state the second is told.
 */
export class ManifestCommits {
  readonly #client: ClickHouseClient
  readonly #tables: ArchiveTables
  readonly #deadline: number

  /** @param deadline milliseconds in which a server that answers at all says which states there are */
  constructor(client: ClickHouseClient, tables: ArchiveTables, deadline = 60_000) {
    this.#client = client
    this.#deadline = deadline
    this.#tables = tables
  }

  /** The states that are there, ascending. */
  async views(): Promise<readonly CommitView[]> {
    const sql = `select name, toString(toUnixTimestamp(metadata_modification_time)) as made,
      toString(toUnixTimestamp(now())) as now from system.tables
      where database = ${textLiteral(this.#client.database)} and match(name, '^manifest_[0-9]{12}$') order by name`
    const rows = await this.#client.columns(sql, { deadline: this.#deadline }).catch(noneOn(noDatabase))
    if (!rows) return []
    const [names, made, now] = ['name', 'made', 'now'].map((name) => textCells(rows, name) as string[])
    return (names as string[]).map((name, at) => ({
      name,
      number: Number(name.slice(-12)),
      made: Number(made?.[at]),
      replaced: made?.[at + 1] === undefined ? 0 : Number(now?.[0]) - Number(made[at + 1]),
    }))
  }

  /** Which row of `commits` a view names; undefined where it has gone. */
  async rowOf(number: number): Promise<string | undefined> {
    const row = await this.#client.columns(`select commit from ${viewName(number)}`).catch(noneOn(noTable))
    return row && (textCells(row, 'commit')[0] ?? undefined)
  }

  /** What a view stands for; undefined where it has gone. @throws QuotebookError ARCHIVE for what no writer has written */
  async read(number: number): Promise<Commit | undefined> {
    const row = await this.rowOf(number)
    if (row === undefined) return undefined
    const found = await this.#client.columns(
      `select text, places from ${commitsTable} where ${partKey} = ${textLiteral(row)}`,
      {
        forms: new Map([
          ['text', 'string'],
          ['places', 'string'],
        ]),
      },
    )
    const [text, places] = ['text', 'places'].map((name) => found && textCells(found, name)[0])
    const at = sentence`${viewName(number)} of ${this.#client.name}`
    if (!text || !places)
      throw new QuotebookError('ARCHIVE', sentence`${at} is damaged: the text of its manifest is gone`)
    const list = JSON.parse(places) as readonly [string, string, string, string?][]
    return {
      number,
      manifest: parseManifest(text, at),
      state: sha256(text),
      places: new Map(list.map(([file, table, partition, digest]) => [file, { table, partition, digest }])),
    }
  }

  /** What a state let go of; nothing where its view has gone. */
  async left(number: number): Promise<readonly LeftPlace[]> {
    const row = await this.rowOf(number)
    const found =
      row && (await this.#client.columns(`select dropped from ${commitsTable} where ${partKey} = ${textLiteral(row)}`))
    const text = found && textCells(found, 'dropped')[0]
    return text ? JSON.parse(text) : []
  }

  /** Puts the text of a manifest down, which nothing names yet. @returns the row */
  async stage(
    number: number,
    { text, places, dropped }: { text: string; places: ReadonlyMap<string, FilePlace>; dropped: readonly LeftPlace[] },
  ): Promise<string> {
    const row = `${number} ${randomBytes(12).toString('hex')}`
    await this.#tables.make(commitsTable, { text: 'String', places: 'String', dropped: 'String' })
    const list = [...places].map(([file, { table, partition, digest = [] }]) => [file, table, partition].concat(digest))
    const cell = (value: string) => ({ type: 'string' as const, data: [value] })
    const columns = new Map([
      ['text', cell(text)],
      ['places', cell(JSON.stringify(list))],
      ['dropped', cell(JSON.stringify(dropped))],
      [partKey, cell(row)],
    ])
    await this.#client.insert(commitsTable, { length: 1, columns })
    return row
  }

  /**
   * Makes a row of `commits` the state of a number.
   * @returns whether it is; false where another row has the number
   * @throws QuotebookError ARCHIVE where the server does not say whether it was done; what was put must stay then
   */
  async take(number: number, row: string): Promise<boolean> {
    if (((await this.views()).at(-1)?.number ?? 0) !== number - 1) return false
    try {
      await this.#client.command(`create view ${viewName(number)} as select ${textLiteral(row)} as commit`)
    } catch (error) {
      const holder = await this.rowOf(number).catch(() => undefined)
      if (holder !== undefined && holder !== row) return false
      if (holder === undefined) throw unknownEnd(this.#client, error)
    }
    // One that stood still for long since it looked may have come after others, whose views were cleared away: later ones are older.
    const views = await this.views()
    const own = views.find((view) => view.number === number)
    const isLate = views.some((view) => view.number > number && view.made < (own?.made ?? 0))
    if (isLate) await this.drop(viewName(number))
    return !isLate
  }

  async drop(view: string): Promise<void> {
    await this.#client.command(`drop table ${quotedName(view)}`)
  }
}

/** The server did not say what became of a commit. */
export class UnknownCommitError extends QuotebookError {}

function unknownEnd({ name }: ClickHouseClient, cause: unknown): QuotebookError {
  if (cause instanceof ClickHouseError && cause.exception !== undefined && cause.exception !== exists) return cause
  const message = sentence`${name} did not say whether it has taken the new state; look at the archive, and do it again where it lacks`
  return new UnknownCommitError('ARCHIVE', message, { cause })
}

/** Seconds for which a state that gave way may still be read, and after which what no state names is that of a writer that has gone. */
export const sweepAges = { readable: 600, abandoned: 86_400 }

/**
 * Lets go of states that gave way ten minutes ago, with what the next one dropped, and of what writers that were killed left a
 * day ago.
 * @param named partitions that the present state names
 */
export async function sweepTables(
  tables: ArchiveTables,
  commits: ManifestCommits,
  named: ReadonlySet<string>,
  { readable, abandoned } = sweepAges,
): Promise<void> {
  const views = await commits.views()
  const pending = new Set<string>()
  const found = await tables.partitions()
  const left = found.filter(({ partition, age }) => age > abandoned && !named.has(partition))
  for (const [at, view] of views.entries()) {
    const next = views[at + 1]
    if (!next || (view.replaced < readable && left.length === 0)) continue
    const dropped = await commits.left(next.number)
    if (view.replaced < readable) {
      for (const { partition } of dropped) pending.add(partition)
      continue
    }
    for (const place of dropped) await tables.drop(place).catch(() => undefined)
    const row = await commits.rowOf(view.number)
    await commits.drop(view.name)
    if (row !== undefined) await tables.drop({ table: commitsTable, partition: row })
  }
  const numbers = new Set((await commits.views()).map(({ number }) => number))
  for (const place of left) {
    const isOfState = place.table === commitsTable && numbers.has(Number(place.partition.split(' ')[0]))
    if (!isOfState && !pending.has(place.partition)) await tables.drop(place).catch(() => undefined)
  }
}
