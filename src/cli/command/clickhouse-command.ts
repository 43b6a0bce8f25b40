import { Command } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import { clickHouseAddress } from '../../data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../data/clickhouse/clickhouse-client.js'
import { clusterStatements, spreadTicks } from '../../data/clickhouse/distribute-ticks.js'
import { help, say } from '../chosen-language.js'
import { alsoCalled } from '../other-words.js'
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

export function clickHouseCommand(): Command {
  const command = new Command('init')
    .description(help('clickhouse init'))
    .requiredOption('--cluster <name>', help('clickhouse init --cluster'))
    .requiredOption('--archive <addresses>', help('clickhouse init --to'))
    .option('--replicated', help('clickhouse init --replicated'))
    .option('--dry-run', help('clickhouse init --dry-run'))
  return new Command('clickhouse')
    .description(help('clickhouse'))
    .addCommand(alsoCalled(command, 'archive', 'to', '<addresses>').action(init))
}
