import { Command } from 'commander'
import { dropKept, type Kept, keptIn } from '../../archive/cache/kept.js'
import { QuotebookError } from '../../contract/error.js'
import { grid, out, say } from '../output.js'

interface Options {
  readonly drop?: true | string
}

const head = ['dataset', 'scope', 'symbols', 'from', 'to', 'days', 'rows', 'bytes']

function listed(kept: readonly Kept[]): string {
  const rows = kept.map(({ dataset, scope, symbols, from, to, days, rows: count, bytes }) => [
    dataset,
    scope,
    symbols,
    from,
    to,
    days,
    count,
    bytes,
  ])
  return `${grid(head, rows)}\n`
}

function counted(kept: readonly Kept[]): string {
  const rows = kept.reduce((sum, one) => sum + one.rows, 0)
  return rows === 1 ? '1 row' : `${rows} rows`
}

async function cache(given: string | undefined, { drop }: Options): Promise<void> {
  const dir = given ?? process.env.QUOTEBOOK_CACHE
  if (!dir) throw new QuotebookError('USAGE', 'which cache? Name its directory, or set QUOTEBOOK_CACHE')
  if (drop !== undefined) {
    const dropped = await dropKept(dir, drop === true ? {} : { dataset: drop })
    say(`${dir}: dropped ${counted(dropped)}${drop === true ? '' : ` of ${drop}`}`)
    return
  }
  const kept = await keptIn(dir)
  if (kept.length > 0) out(listed(kept))
  else say(`${dir} keeps no answers of a service`)
}

export function cacheCommand(): Command {
  return new Command('cache')
    .description('what a cache of a service keeps (see --cache); --drop lets go of it')
    .argument('[dir]', 'directory of the cache; QUOTEBOOK_CACHE when absent')
    .option('--drop [dataset]', 'drop all that it keeps, or one dataset: the next query asks the service again')
    .action(cache)
}
