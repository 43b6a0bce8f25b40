import { Command } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import { provenance } from '../../table/provenance.js'
import type { TickReadOptions, TickReadProgress } from '../../ticks/read/ask.js'
import { untilInterrupted } from '../interrupt.js'
import { count, date, formatOption } from '../options.js'
import { emit, type Format, formatFor, say } from '../output.js'
import { bar } from '../progress.js'
import { open, type SourceOptions, withSource } from '../source.js'

interface Options extends SourceOptions {
  readonly from?: string
  readonly to?: string
  readonly symbols?: string
  readonly columns?: string
  readonly threads?: number
  readonly format?: Format
  readonly out?: string
}

function names(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

function asked(days: readonly string[], { from, to, symbols, columns, threads }: Options): TickReadOptions {
  if (days.length === 0 && from === undefined && to === undefined) {
    throw new QuotebookError('USAGE', 'say which days: quotebook ticks read 20260729, or --from 20260701 --to 20260729')
  }
  return {
    ...(days.length > 0 ? { days } : {}),
    from,
    to,
    symbols: names(symbols),
    columns: names(columns),
    threads,
    signal: untilInterrupted(),
  }
}

async function read(days: readonly string[], options: Options): Promise<void> {
  formatFor(options.format, options.out)
  const wish = asked(days, options)
  const market = await open(options)
  const progress = bar('ticks')
  try {
    const onProgress = ({ done, of, day }: TickReadProgress): void => {
      if (of > 1) progress.update(done, of, `days, ${day}`)
    }
    const table = await market.ticks.read({ ...wish, onProgress })
    progress.stop()
    await emit(table, options.format, options.out)
    const about = provenance(table)
    if (about && !about.complete) say('not known to be whole: the share does not tell the length of its files')
    const missing = about?.without?.symbols ?? []
    if (missing.length > 0) say(`no rows of ${missing.join(', ')}`)
  } finally {
    progress.stop()
    await market.close()
  }
}

/** `quotebook ticks read`. */
export function ticksReadCommand(): Command {
  const command = new Command('read')
    .description('ticks of some days, symbols and columns')
    .argument('[days...]', 'days, YYYYMMDD')
    .option('--from <date>', 'first day, in the place of a list of days', date)
    .option('--to <date>', 'last day', date)
    .option('--symbols <codes>', 'codes, with or without suffix, separated by commas')
    .option('--columns <names>', 'columns wanted, separated by commas')
    .option('--threads <number>', 'threads that read, where there are several days', count(1))
    .addOption(formatOption())
    .option('--out <file>', 'write to a file instead of stdout')
  return withSource(command)
    .addHelpText(
      'after',
      '\nExample:\n  quotebook ticks read 20260729 --symbols 600000 --columns time,m_price,auc_vol --source auction_ticks',
    )
    .action(read)
}
