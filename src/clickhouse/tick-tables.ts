import { createHash } from 'node:crypto'
import { QuotebookError } from '../contract/error.js'
import { textCells } from '../table/values.js'
import { type ClickHouseClient, quotedName, textLiteral } from './clickhouse-client.js'
import { ClickHouseError, isNotThere } from './server-errors.js'

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
const clusterView = 'tick_cluster'

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
function localStatement(database: string, table: string, types: Types, { replicated }: TickCluster): string {
  const path = `/clickhouse/tables/{shard}/${database}/${table}`
  const engine = replicated ? `ReplicatedMergeTree(${textLiteral(path)}, '{replica}')` : 'MergeTree'
  return tableStatement(`${table}_local`, types, engine)
}

/** The table over the tables of all nodes: one symbol is on one of them. */
function spreadStatement(database: string, table: string, types: Types, { name }: TickCluster): string {
  const all = [...types, ...keyTypes].map(([column, type]) => `${quotedName(column)} ${type}`).join(', ')
  const key =
    types.has(spreadColumn) && !types.get(spreadColumn)?.includes('Nullable') ? quotedName(spreadColumn) : rowKey
  const engine = `Distributed(${quotedName(name)}, ${quotedName(database)}, ${quotedName(`${table}_local`)}, cityHash64(${key}))`
  return `create table if not exists ${quotedName(table)} (${all}) engine = ${engine}`
}

/** The cluster that ticks are spread over; undefined where they lie on one server. */
export async function tickClusterOf(client: ClickHouseClient): Promise<TickCluster | undefined> {
  const row = await client.columns(`select about from ${clusterView}`).catch((error: unknown) => {
    if (isNotThere(error)) return undefined
    throw error
  })
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

interface TickTable {
  readonly table: string
  readonly types: Types
  readonly isSpread: boolean
}

/** Tables of ticks that a database has, with the types of the files' columns, and whether they are spread already. */
async function tablesIn(client: ClickHouseClient): Promise<TickTable[]> {
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
    return { table: base, types: new Map(own), isSpread: table !== base || engineOf.get(base) === 'Distributed' }
  })
}

/** A statement, and the node that runs it. */
export interface NodeStatement {
  readonly node: string
  readonly sql: string
}

/** @throws QuotebookError USAGE where the server's configuration says otherwise */
async function checkCluster(client: ClickHouseClient, { name, nodes }: TickCluster): Promise<void> {
  const found = await client.columns(
    `select host_name, toString(port) as port from system.clusters where cluster = ${textLiteral(name)}`,
  )
  if (found?.length === nodes.length) return
  const right = `it must name the ${nodes.length} nodes that were given`
  const what = found ? `names ${found.length} replicas of cluster ${name}` : `has no cluster ${name}`
  throw new QuotebookError('USAGE', `${client.node}: remote_servers of its configuration ${what}; ${right}`)
}

/**
 * What spreads the ticks of a database over a cluster, statement by statement; what it holds stays where it is. Run again with
 * more nodes it takes them in.
 * @param types columns of files that are to come, for a table that is there before the first of them
 * @throws QuotebookError USAGE where the server knows no such cluster, or another number of nodes
 */
export async function clusterStatements(
  client: ClickHouseClient,
  cluster: TickCluster,
  types?: Types,
): Promise<readonly NodeStatement[]> {
  const server = client.withDatabase('system')
  try {
    await checkCluster(server, cluster)
  } finally {
    await server.close()
  }
  const { database } = client
  const [first = client.node, ...others] = cluster.nodes.map((url) => new URL(url).host)
  const all = [first, ...others]
  const there = await tablesIn(client).catch((error: unknown): TickTable[] => {
    if (error instanceof ClickHouseError && error.exception === 81) return []
    throw error
  })
  if (types && !there.some(({ table }) => table === tickTable(types))) {
    there.push({ table: tickTable(types), types, isSpread: true })
  }
  const statements: NodeStatement[] = all.map((node) => ({ node, sql: `create database if not exists ${database}` }))
  for (const { table, types: of, isSpread } of there) {
    if (!isSpread) statements.push({ node: first, sql: `rename table ${table} to ${table}_local` })
    for (const node of all) statements.push({ node, sql: localStatement(database, table, of, cluster) })
    statements.push({ node: first, sql: spreadStatement(database, table, of, cluster) })
  }
  statements.push({ node: first, sql: `drop table if exists ${clusterView}` })
  const about = textLiteral(JSON.stringify(cluster))
  statements.push({ node: first, sql: `create view ${clusterView} as select ${about} as about` })
  return statements
}

/** Runs what `clusterStatements` gave. */
export async function spreadTicks(
  client: ClickHouseClient,
  cluster: TickCluster,
  statements: readonly NodeStatement[],
): Promise<void> {
  for (const { node, sql } of statements) {
    const url = cluster.nodes.find((one) => new URL(one).host === node) as string
    const isDatabase = sql.startsWith('create database')
    const own = client.withServer(url)
    const at = isDatabase ? own.withDatabase('system') : own
    try {
      await at.command(sql)
    } finally {
      await at.close()
      await own.close()
    }
  }
}
