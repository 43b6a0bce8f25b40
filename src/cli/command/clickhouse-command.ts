import type { Command } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import { clickHouseAddress } from '../../data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../data/clickhouse/clickhouse-client.js'
import { clusterStatements, spreadTicks } from '../../data/clickhouse/distribute-ticks.js'
import { say } from '../chosen-language.js'
import { declare } from '../declare-command.js'
import { log, out } from '../output.js'
import { enginePassword } from '../source-option.js'

interface InitOptions {
  readonly cluster: string
  readonly archive: string
  readonly replicated?: boolean
  readonly dryRun?: true
}

async function init({ cluster: name, archive: to, replicated = false, dryRun }: InitOptions): Promise<void> {
  const places = to.split(',').map((one) => clickHouseAddress(one.trim(), enginePassword()))
  const [first] = places
  if (!first || new Set(places.map(({ database }) => database)).size > 1) {
    throw new QuotebookError('USAGE', say('one database on all nodes'))
  }
  const client = new ClickHouseClient(first)
  try {
    const cluster = { name, nodes: places.map(({ url }) => url), replicated }
    const statements = await clusterStatements(client, cluster)
    for (const { node, sql } of statements) out(`-- ${node}\n${sql};\n`)
    if (dryRun) return
    await spreadTicks(client, cluster, statements)
    log(say('ticks are spread', { name: client.name, count: places.length, cluster: name }))
  } finally {
    await client.close()
  }
}

// biome-ignore format: a table, one word a line
const initCommand = (): Command => declare({
  init: ['spread the auction ticks of an archive over a cluster, by code; again with more servers, to take them in', '把归档的集合竞价快照按代码分布到集群；增加服务器后重新执行即可'],
  '--cluster <name>': ['the cluster, as remote_servers of the configuration of the servers names it', '集群名，即服务器配置 remote_servers 中的名称', { required: true }],
  '--archive <addresses>': ['clickhouse:// addresses of all its servers, separated by commas, that of the archive first; the password comes from QUOTEBOOK_CLICKHOUSE_PASSWORD', '集群全部服务器的 clickhouse:// 地址，以逗号分隔，归档所在者在前；密码取自 QUOTEBOOK_CLICKHOUSE_PASSWORD', { required: true }],
  '--replicated': ['replicated tables, by the macros {shard} and {replica}; needs a keeper', '使用复制表（宏 {shard} 与 {replica}），需要 keeper'],
  '--dry-run': ['print the statements and run none', '只打印语句，不执行'],
  '--to <addresses>': ['', '', { means: 'archive' }],
}).action(init)

// biome-ignore format: a table, one word a line
export const clickHouseCommand = (): Command => declare({
  clickhouse: ['an archive in ClickHouse: how its servers are used', 'ClickHouse 中的归档：如何使用各台服务器'],
}, initCommand())
