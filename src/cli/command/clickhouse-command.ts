import type { Command } from 'commander'
import { clickHouseAddress } from '../../data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../data/clickhouse/clickhouse-client.js'
import { clusterStatements, spreadTicks } from '../../data/clickhouse/distribute-ticks.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { out, tell } from '../output.js'
import { enginePassword } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type InitOptions = OptionsOf<typeof words>

async function init({ cluster: name, archive: to, replicated, dryRun }: InitOptions): Promise<void> {
  const places = to.split(',').map((one) => clickHouseAddress(one.trim(), enginePassword()))
  const [first] = places
  if (!first || new Set(places.map(({ database }) => database)).size > 1)
    throw wrongUse('--to names one database on all servers: clickhouse://a:8123/db,clickhouse://b:8123/db')
  const client = new ClickHouseClient(first)
  try {
    const cluster = { name, nodes: places.map(({ url }) => url), replicated: replicated === true }
    const statements = await clusterStatements(client, cluster)
    for (const { node, sql } of statements) out(`-- ${node}\n${sql};\n`)
    if (dryRun) return
    await spreadTicks(client, cluster, statements)
    tell('{name}: ticks are spread over {count} servers of {cluster}', {
      name: client.name,
      count: places.length,
      cluster: name,
    })
  } finally {
    await client.close()
  }
}

// biome-ignore format: a table, one word a line
const words = {
  init: ['distribute the auction ticks of an archive over a cluster, by code; repeat with more servers to add them'],
  '--cluster <name>': ['name of the cluster, as in remote_servers of the server configuration', { required: true }],
  '--archive <addresses>': ['clickhouse:// addresses of all its servers, separated by commas, that of the archive first; the password comes from QUOTEBOOK_CLICKHOUSE_PASSWORD', { required: true }],
  '--replicated': ['replicated tables, by the macros {shard} and {replica}; needs a keeper'],
  '--dry-run': ['print the statements without running them'],
  '--to <addresses>': ['', { means: 'archive' }],
} as const satisfies CommandWords

const initCommand = (): Command => declare(words).action(init)

// biome-ignore format: a table, one word a line
export const clickHouseCommand = (): Command => declare({
  clickhouse: ['set up the servers of an archive in ClickHouse'],
}, initCommand())
