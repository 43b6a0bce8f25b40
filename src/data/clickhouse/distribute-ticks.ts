import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { textCells } from '../../frame/table/values.js'
import { type ClickHouseClient, textLiteral } from './clickhouse-client.js'
import { noDatabase, noneOn } from './server-errors.js'
import {
  clusterView,
  localStatement,
  onEachNode,
  spreadStatement,
  type TickCluster,
  type TickTable,
  tablesIn,
  tickTable,
} from './tick-tables.js'

/** A statement, and the node that runs it. */
export interface NodeStatement {
  readonly node: string
  readonly sql: string
}

/** Where each replica puts its rows in the keeper: the nodes of a shard in one place, those of others elsewhere. */
async function checkMacros(server: ClickHouseClient, cluster: TickCluster, shards: number): Promise<void> {
  const shardOf = new Map<string, string>()
  const seen = new Set<string>()
  const macro = (name: string): string => `(select any(substitution) from system.macros where macro = '${name}')`
  const own = `(select toString(any(shard_num)) from system.clusters where cluster = ${textLiteral(cluster.name)} and is_local)`
  const sql = `select ${macro('shard')} as shard, ${macro('replica')} as replica, ${own} as place`
  await onEachNode(server, cluster, async (node) => {
    const row = await node.columns(sql)
    const [shard, replica, place] = ['shard', 'replica', 'place'].map((name) => (row && textCells(row, name)[0]) || '')
    const wrong = (what: Words): QuotebookError =>
      new QuotebookError('USAGE', sentence`${node.node}: its configuration ${what}`)
    if (!shard || !replica || !place) throw wrong(sentence`has no macros shard and replica`)
    if (seen.has(`${shard}/${replica}`))
      throw wrong(sentence`has the macros of another server: shard ${shard}, replica ${replica}`)
    seen.add(`${shard}/${replica}`)
    // A server that does not find itself in the cluster says 0.
    const key = place === '0' ? shard : place
    const other = shardOf.get(key) ?? shard
    if (other !== shard) throw wrong(sentence`has the macro shard ${shard}, and another replica of its shard ${other}`)
    shardOf.set(key, shard)
  })
  const found = new Set(shardOf.values()).size
  if (found === shards) return
  const message = sentence`${server.node}: cluster ${cluster.name} has ${shards} shards, and the macros of its servers name ${found}`
  throw new QuotebookError('USAGE', message)
}

/** @throws QuotebookError USAGE where the servers' configuration says otherwise */
async function checkCluster(server: ClickHouseClient, cluster: TickCluster): Promise<void> {
  const { name, nodes, replicated } = cluster
  const found = await server.columns(
    `select toString(shard_num) as shard from system.clusters where cluster = ${textLiteral(name)}`,
  )
  if (found?.length !== nodes.length) {
    const right = sentence`it must name the ${nodes.length} nodes that were given`
    const what = found ? sentence`names ${found.length} replicas of cluster ${name}` : sentence`has no cluster ${name}`
    throw new QuotebookError('USAGE', sentence`${server.node}: remote_servers of its configuration ${what}; ${right}`)
  }
  const shards = new Set(textCells(found, 'shard')).size
  if (replicated) await checkMacros(server, cluster, shards)
  else if (shards < nodes.length) {
    throw new QuotebookError(
      'USAGE',
      sentence`${server.node}: cluster ${name} has shards of several replicas; add --replicated`,
    )
  }
}

/** @throws QuotebookError USAGE where rows lie in tables of the other kind */
function checkKind({ node }: ClickHouseClient, { replicated }: TickCluster, there: readonly TickTable[]): void {
  const other = there.find(({ isReplicated }) => isReplicated !== replicated)
  if (!other) return
  const what = replicated
    ? sentence`is not replicated and does not become so; run init --replicated for a new database, then copy the archive into it`
    : sentence`is replicated; add --replicated`
  throw new QuotebookError('USAGE', sentence`${node}: ${other.table} ${what}`)
}

/** @throws QuotebookError USAGE where a database of that name on another node is an archive itself: it would sweep away rows that it does not know */
async function checkOthers(client: ClickHouseClient, { name, nodes, replicated }: TickCluster): Promise<void> {
  const sql = `select name from system.tables
    where database = ${textLiteral(client.database)} and match(name, '^manifest_[0-9]{12}$|^${clusterView}$')`
  await onEachNode(client, { name, nodes: nodes.slice(1), replicated }, async (node) => {
    if (!(await node.columns(sql).catch(noneOn(noDatabase)))) return
    const right = sentence`give its address first, or this archive's database another name`
    throw new QuotebookError(
      'USAGE',
      sentence`${node.node}: database ${client.database} is that of another archive; ${right}`,
    )
  })
}

/**
 * What spreads the ticks of a database over a cluster, statement by statement; what it holds stays where it is. Run again with
 * more nodes it takes them in.
 * @param types columns of files that are to come, for a table that is there before the first of them
 * @throws QuotebookError USAGE where the server knows no such cluster or another number of nodes, where replicas have not the macros that
 * they need, where there are ticks in tables of the other kind, and where another node has an archive of this name
 */
export async function clusterStatements(
  client: ClickHouseClient,
  cluster: TickCluster,
  types?: ReadonlyMap<string, string>,
): Promise<readonly NodeStatement[]> {
  await client.atServer((server) => checkCluster(server, cluster))
  await checkOthers(client, cluster)
  const { database } = client
  const [first = client.node, ...others] = cluster.nodes.map((url) => new URL(url).host)
  const all = [first, ...others]
  const there = (await tablesIn(client).catch(noneOn(noDatabase))) ?? []
  checkKind(client, cluster, there)
  if (types && !there.some(({ table }) => table === tickTable(types))) {
    there.push({ table: tickTable(types), types, isSpread: true, isReplicated: cluster.replicated })
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
    const own = client.withServer(url)
    try {
      if (sql.startsWith('create database')) await own.atServer((server) => server.command(sql))
      else await own.command(sql)
    } finally {
      await own.close()
    }
  }
}
