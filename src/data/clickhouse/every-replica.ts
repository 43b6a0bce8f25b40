import { setTimeout as pause } from 'node:timers/promises'
import { textCells } from '../../frame/table/values.js'
import { type ClickHouseClient, quotedName, type StatementOptions, textLiteral } from './clickhouse-client.js'
import { onEachNode, partKey, type TickCluster } from './tick-tables.js'

/** Rows of a part on a replica. */
interface ReplicaRows {
  readonly node: string
  readonly shard: string
  readonly rows: number
}

/** Milliseconds between two looks, and in which a replica has what another one has. */
const [between, patience] = [50, 60_000]

async function rowsOfReplicas(
  client: ClickHouseClient,
  cluster: TickCluster,
  table: string,
  part: string,
  options: StatementOptions,
): Promise<ReplicaRows[]> {
  const found: ReplicaRows[] = []
  const shard = `(select any(substitution) from system.macros where macro = 'shard')`
  const at = `${quotedName(`${table}_local`)} where ${partKey} = ${textLiteral(part)}`
  await onEachNode(client, cluster, async (node) => {
    const row = await node.columns(`select ${shard} as shard, toString(count()) as n from ${at}`, options)
    const [name, n] = ['shard', 'n'].map((column) => (row && textCells(row, column)[0]) ?? '')
    found.push({ node: node.node, shard: name ?? '', rows: Number(n) })
  })
  return found
}

/**
 * Waits until all replicas have the rows of a part. An insert is done when one of each shard has them, and whatever reads asks
 * any: of one that lags, or comes back, it would have fewer.
 * @param lacks what is thrown of a replica that has fewer after a minute
 * @throws that; ClickHouseError of a replica that does not answer
 */
export async function awaitReplicas(
  client: ClickHouseClient,
  cluster: TickCluster,
  { table, part }: { readonly table: string; readonly part: string },
  lacks: (node: string, found: number, rows: number) => Error,
  options: StatementOptions = {},
): Promise<void> {
  for (let left = Math.min(options.deadline ?? patience, patience); ; left -= between) {
    const replicas = await rowsOfReplicas(client, cluster, table, part, options)
    const most = new Map<string, number>()
    for (const { shard, rows } of replicas) most.set(shard, Math.max(most.get(shard) ?? 0, rows))
    const late = replicas.find(({ shard, rows }) => rows < (most.get(shard) ?? 0))
    if (!late) return
    if (left <= 0) throw lacks(late.node, late.rows, most.get(late.shard) ?? 0)
    await pause(between, undefined, { signal: options.signal })
  }
}
