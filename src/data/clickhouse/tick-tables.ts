import { createHash } from 'node:crypto'
import { textCells } from '../../frame/table/values.js'
import { type ClickHouseClient, quotedName, textLiteral } from './clickhouse-client.js'
import { noDatabase, noneOn, noTable } from './server-errors.js'

/** The column by which rows are found, and by which they are spread over a cluster, where a file has it as text. */
export const spreadColumn = 'symbol'
/** What tells the rows of a part or file from those of others, and their order in it. `_part` is a name of the engine's own. */
export const partKey = '__part'
export const rowKey = '__row'
/** Their types, beside those of a file's columns. */
export const keyTypes = [
  [partKey, 'String'],
  [rowKey, 'Int32'],
] as const

/** The table of what is known of the files whose rows are there. */
export const tickParts = 'tick_parts'
/** The view that says over which servers ticks are spread. */
export const clusterView = 'tick_cluster'

/** Names of tables and views that ticks lie in. */
export const tickTableNames = /^ticks_[0-9a-f]{12}(_local)?$|^tick_parts$|^tick_cluster$/

/** Servers that ticks are spread over. */
export interface TickCluster {
  /** As `remote_servers` of the servers' configuration names it. */
  readonly name: string
  /** HTTP addresses of all of its nodes, that of the archive first. */
  readonly nodes: readonly string[]
  /** Whether rows are held by several replicas, which needs a keeper. */
  readonly replicated: boolean
}

type Types = ReadonlyMap<string, string>

/** The table of files of these columns. */
export function tickTable(types: Types): string {
  const text = JSON.stringify([...types].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `ticks_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
}

function tableStatement(table: string, types: Types, engine: string): string {
  const all = [...types, ...keyTypes].map(([name, type]) => `${quotedName(name)} ${type}`).join(', ')
  const order = types.get(spreadColumn) === 'String' ? `${quotedName(spreadColumn)}, ` : ''
  return `create table if not exists ${quotedName(table)} (${all}) engine = ${engine} partition by ${partKey} order by (${order}${rowKey})`
}

/** The table of a node of a cluster. */
export function localStatement(database: string, table: string, types: Types, { replicated }: TickCluster): string {
  const path = `/clickhouse/tables/{shard}/${database}/${table}`
  const engine = replicated ? `ReplicatedMergeTree(${textLiteral(path)}, '{replica}')` : 'MergeTree'
  return tableStatement(`${table}_local`, types, engine)
}

/** The table over the tables of all nodes: one symbol is on one of them. */
export function spreadStatement(database: string, table: string, types: Types, { name }: TickCluster): string {
  const all = [...types, ...keyTypes].map(([column, type]) => `${quotedName(column)} ${type}`).join(', ')
  const key =
    types.has(spreadColumn) && !types.get(spreadColumn)?.includes('Nullable') ? quotedName(spreadColumn) : rowKey
  const engine = `Distributed(${quotedName(name)}, ${quotedName(database)}, ${quotedName(`${table}_local`)}, cityHash64(${key}))`
  return `create table if not exists ${quotedName(table)} (${all}) engine = ${engine}`
}

/** The cluster that ticks are spread over; undefined where they lie on one server. */
export async function tickClusterOf(client: ClickHouseClient): Promise<TickCluster | undefined> {
  const row = await client.columns(`select about from ${clusterView}`).catch(noneOn(noTable, noDatabase))
  const [text] = row ? textCells(row, 'about') : []
  return text ? (JSON.parse(text) as TickCluster) : undefined
}

/** Does something on every node of a cluster, one after another. */
export async function onEachNode(
  client: ClickHouseClient,
  { nodes }: TickCluster,
  use: (node: ClickHouseClient) => Promise<void>,
): Promise<void> {
  for (const url of nodes) {
    const node = client.withServer(url)
    try {
      await use(node)
    } finally {
      await node.close()
    }
  }
}

const made = new WeakMap<ClickHouseClient, Set<string>>()

/** Makes the table of files of these columns where it is not there, on all nodes. @returns its name */
export async function makeTickTable(client: ClickHouseClient, types: Types): Promise<string> {
  const table = tickTable(types)
  const there = made.get(client) ?? new Set()
  made.set(client, there)
  if (there.has(table)) return table
  const cluster = await tickClusterOf(client)
  if (cluster) {
    const { database } = client
    await onEachNode(client, cluster, (node) => node.command(localStatement(database, table, types, cluster)))
    await client.command(spreadStatement(database, table, types, cluster))
  } else await client.command(tableStatement(table, types, 'MergeTree'))
  there.add(table)
  return table
}

/** A table of ticks that a database has. */
export interface TickTable {
  readonly table: string
  readonly types: Types
  /** Its rows are those of all nodes, or were to become so. */
  readonly isSpread: boolean
  readonly isReplicated: boolean
}

/** Tables of ticks that a database has, with the types of the files' columns, and whether they are spread already. */
export async function tablesIn(client: ClickHouseClient): Promise<TickTable[]> {
  const at = `where database = ${textLiteral(client.database)} and match(table, '^ticks_[0-9a-f]{12}(_local)?$')`
  const columns = await client.columns(`select table, name, type from system.columns ${at}`)
  const engines = await client.columns(`select name, engine from system.tables ${at.replace('(table', '(name')}`)
  if (!columns || !engines) return []
  const [tables, names, types] = ['table', 'name', 'type'].map((name) => textCells(columns, name) as string[])
  const kinds = textCells(engines, 'engine')
  const engineOf = new Map(textCells(engines, 'name').map((table, row) => [table as string, kinds[row]]))
  const bases = new Set([...engineOf.keys()].map((table) => table.replace('_local', '')))
  return [...bases].map((base) => {
    // Without the table over all nodes it was cut off when it had renamed this one.
    const table = engineOf.has(base) ? base : `${base}_local`
    const own = (names as string[]).flatMap((name, i) =>
      tables?.[i] === table && !name.startsWith('__') ? [[name, types?.[i] as string] as const] : [],
    )
    const engine = engineOf.get(`${base}_local`) ?? engineOf.get(base)
    const isSpread = table !== base || engineOf.get(base) === 'Distributed'
    return { table: base, types: new Map(own), isSpread, isReplicated: engine?.startsWith('Replicated') === true }
  })
}
