import { sentence } from '../../contract/sentence.js'
import { gatherRows } from '../../frame/table/gather-cells.js'
import { checkFileColumns, type DecodedColumns, decodeColumns } from '../../frame/table/parquet-file/decode-columns.js'
import { ofMemory } from '../../frame/table/parquet-file/ranges.js'
import {
  type ColumnData,
  type ColumnType,
  nulls,
  project,
  type RecordColumns,
  textCells,
} from '../../frame/table/values.js'
import { type ClickHouseClient, quotedName, type StatementOptions, textLiteral } from './clickhouse-client.js'
import { typeOfForm } from './column-types.js'
import { awaitReplicas } from './every-replica.js'
import { ClickHouseError, noneOn, noTable } from './server-errors.js'
import {
  keyTypes,
  makeTickTable,
  onEachNode,
  partKey,
  rowKey,
  spreadColumn,
  tablesIn,
  tickClusterOf,
  tickParts,
} from './tick-tables.js'

/** What a file of ticks has: its columns in their order, and what its own schema says of them. */
interface TickSchema {
  readonly columns: readonly (readonly [name: string, form: ColumnType, type: string])[]
  readonly metadata: readonly (readonly [name: string, about: readonly (readonly [string, string])[]])[]
  readonly table: string
  readonly rows: number
}

/** Which rows of a file of ticks are read. */
export interface TickSelection {
  /** In their order (default: all). */
  readonly columns?: readonly string[] | undefined
  /** Where texts of the column of codes may lie: from the first, below the second. Default: all rows. */
  readonly ranges?: readonly (readonly [from: string, below: string])[] | undefined
}

/** Types of the columns of a file: nullable, but for the text that rows are found by. */
function typesOfFile({ columns }: RecordColumns): Map<string, string> {
  return new Map(
    [...columns].map(([name, values]) => {
      const isKey = name === spreadColumn && values.type === 'dictionary' && !values.data.includes(-1)
      return [name, typeOfForm(values.type, !isKey)]
    }),
  )
}

function textCell(value: string): ColumnData {
  return { type: 'string', data: [value] }
}

/** Rows of a file as the server counts them. */
async function countRows(
  client: ClickHouseClient,
  { table }: Pick<TickSchema, 'table'>,
  part: string,
  options: StatementOptions,
): Promise<number> {
  const sql = `select toString(count()) as n from ${quotedName(table)} where ${partKey} = ${textLiteral(part)}`
  const found = await client.columns(sql, options)
  return Number((found && textCells(found, 'n')[0]) ?? 0)
}

function lacks(node: string, part: string, found: number, rows: number): ClickHouseError {
  return new ClickHouseError('ARCHIVE', sentence`${part} has ${found} rows there; ${rows} were put`, node)
}

/**
 * Puts the rows of a file of ticks into the table of its columns, which is made where it is not there.
 * @param part a name that no file has had: what a writer left that was cut off is in no file then
 * @throws QuotebookError FILE for what is no Parquet file; ClickHouseError, and rows that were put by then are in nobody's way
 */
export async function insertTicks(
  client: ClickHouseClient,
  part: string,
  bytes: Uint8Array,
  options: StatementOptions = {},
): Promise<void> {
  const { columns, metadata } = await decodeColumns(ofMemory(bytes))
  const { length } = columns
  const types = typesOfFile(columns)
  const table = await makeTickTable(client, types)
  const cells = new Map<string, ColumnData>([
    ...columns.columns,
    [partKey, { type: 'dictionary', data: new Int32Array(length), dictionary: [part] }],
    [rowKey, { type: 'int', data: Int32Array.from({ length }, (_, row) => row), valid: null }],
  ])
  await client.insert(table, { length, columns: cells }, { ...options, types: new Map([...types, ...keyTypes]) })
  const cluster = await tickClusterOf(client)
  if (cluster?.replicated) {
    await awaitReplicas(client, cluster, { table, part }, (node, has, rows) => lacks(node, part, has, rows), options)
  }
  const found = await countRows(client, { table }, part, options)
  if (found !== length) throw lacks(client.node, part, found, length)
  const schema: TickSchema = {
    columns: [...columns.columns].map(([name, { type }]) => [name, type, types.get(name) as string]),
    metadata: [...metadata].map(([name, about]) => [name, [...about]]),
    table,
    rows: length,
  }
  await client.command(
    `create table if not exists ${tickParts} (${partKey} String, about String)
      engine = MergeTree partition by ${partKey} order by ${partKey}`,
  )
  const row = new Map([
    [partKey, textCell(part)],
    ['about', textCell(JSON.stringify(schema))],
  ])
  await client.insert(tickParts, { length: 1, columns: row }, options)
}

/** Files do not change under their names. */
const known = new WeakMap<ClickHouseClient, Map<string, TickSchema>>()

/** What files of ticks have, by their parts; those whose rows were never put are not among them. */
export async function tickSchemas(
  client: ClickHouseClient,
  parts: readonly string[],
  options: StatementOptions = {},
): Promise<ReadonlyMap<string, TickSchema>> {
  const seen = known.get(client) ?? new Map<string, TickSchema>()
  known.set(client, seen)
  const asked = parts.filter((part) => !seen.has(part))
  if (asked.length > 0) {
    const sql = `select ${partKey} as part, about from ${tickParts} where ${partKey} in (${asked.map(textLiteral).join(', ')})`
    const rows = await client.columns(sql, options).catch(noneOn(noTable))
    const abouts = rows ? textCells(rows, 'about') : []
    const found = rows ? textCells(rows, 'part') : []
    for (const [row, part] of found.entries()) seen.set(part as string, JSON.parse(abouts[row] as string))
  }
  return new Map(parts.flatMap((part) => (seen.has(part) ? [[part, seen.get(part) as TickSchema]] : [])))
}

/** Rows in the order of the file; undefined where one came twice or is beyond the last. */
function inOrder(rows: RecordColumns, total: number): RecordColumns | undefined {
  const places = (rows.columns.get(rowKey) as Extract<ColumnData, { type: 'int' }>).data
  const rowAt = new Int32Array(total).fill(-1)
  let last = -1
  let isOrdered = true
  for (let row = 0; row < places.length; row++) {
    const place = places[row] as number
    if (rowAt[place] !== -1) return undefined
    rowAt[place] = row
    if (place < last) isOrdered = false
    last = place
  }
  return isOrdered ? rows : gatherRows(rows, places.length === total ? rowAt : rowAt.filter((row) => row >= 0))
}

/** Undefined where all rows are wanted, or codes are not text: then whoever asks must look through all. */
function rangesIn({ ranges }: TickSelection, { columns }: TickSchema): string | undefined {
  const type = columns.find(([name]) => name === spreadColumn)?.[2]
  if (!ranges || !type?.includes('String')) return undefined
  const name = quotedName(spreadColumn)
  const tests = ranges.map(([from, below]) => `(${name} >= ${textLiteral(from)} and ${name} < ${textLiteral(below)})`)
  return tests.join(' or ')
}

/**
 * Rows of a file of ticks in its order, as decoding the file would give them; undefined where its rows were never put.
 * @throws QuotebookError MISSING_COLUMN for a column that it does not have; ClickHouseError ARCHIVE where rows lack, with the node
 */
export async function readTickRows(
  client: ClickHouseClient,
  part: string,
  selection: TickSelection,
  options: StatementOptions = {},
): Promise<DecodedColumns | undefined> {
  const schema = (await tickSchemas(client, [part], options)).get(part)
  if (!schema) return undefined
  const names = schema.columns.map(([name]) => name)
  checkFileColumns(names, selection.columns)
  const wanted = selection.columns ?? names
  const forms = new Map(schema.columns.map(([name, form]) => [name, form]))
  const ranges = rangesIn(selection, schema)
  const where = `${partKey} = ${textLiteral(part)}${ranges ? ` and (${ranges})` : ''}`
  const sql = `select ${[...wanted, rowKey].map(quotedName).join(', ')} from ${quotedName(schema.table)} where ${where}`
  const [read, count] = await Promise.all([
    client.columns(sql, { ...options, forms }),
    ranges ? countRows(client, schema, part, options) : undefined,
  ])
  const rows = read && inOrder(read, schema.rows)
  const found = count ?? read?.length ?? 0
  if (found !== schema.rows || (read && !rows)) throw lacks(client.node, part, found, schema.rows)
  const empty = new Map(wanted.map((name) => [name, nulls(forms.get(name) as ColumnType, 0)]))
  const metadata = new Map(schema.metadata.map(([name, about]) => [name, new Map(about)]))
  return { columns: rows ? project(rows, wanted) : { length: 0, columns: empty }, metadata, total: schema.rows }
}

/** Lets go of the rows of a file; of those too that a writer put who was cut off, which may be in any table. */
export async function dropTicks(client: ClickHouseClient, part: string): Promise<void> {
  const schema = (await tickSchemas(client, [part])).get(part)
  const drop = (table: string): string => `alter table ${quotedName(table)} drop partition ${textLiteral(part)}`
  const cluster = await tickClusterOf(client)
  for (const { table } of schema ? [schema] : await tablesIn(client)) {
    if (cluster) await onEachNode(client, cluster, (node) => node.command(drop(`${table}_local`)))
    else await client.command(drop(table))
  }
  if (schema) await client.command(drop(tickParts))
  known.get(client)?.delete(part)
}
