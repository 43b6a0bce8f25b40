import { Command } from 'commander'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import type { LoadOptions } from '../../market.js'
import { type Provenance, provenance } from '../../table/provenance.js'
import { date, formatOption, jsonObject } from '../command-options.js'
import { untilInterrupted } from '../interrupt.js'
import { emit, type Format, formatFor, log, out } from '../output.js'
import { bar } from '../progress-bar.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'

interface Options extends SourceOptions {
  readonly params?: Record<string, unknown>
  readonly fields?: string
  readonly from?: string
  readonly to?: string
  readonly allowTruncated?: true
  readonly explain?: true
  readonly format?: Format
  readonly out?: string
}

function daysOf({ from, to }: Options): LoadOptions['days'] {
  if (from === undefined && to === undefined) return undefined
  if (from !== undefined && to !== undefined) return { from, to }
  throw new QuotebookError('USAGE', '--from and --to go together: the first and the last day')
}

function loadOptions(options: Options): LoadOptions {
  const days = daysOf(options)
  const fields = options.fields?.split(',').map((field) => field.trim())
  return { allowTruncated: options.allowTruncated, ...(fields ? { fields } : {}), ...(days ? { days } : {}) }
}

/** What a reader of the rows should know, to stderr. */
function logProvenance(about: Provenance): void {
  if (about.rows === 0) log('no matching rows')
  if (!about.complete) log(`not shown to be whole${about.note === undefined ? '' : `: ${about.note}`}`)
  else if (about.rows > 0 && about.note) log(about.note)
  const { symbols, days } = about.without ?? {}
  if (about.rows > 0 && symbols) log(`no rows of ${listed(symbols, 'symbols')}`)
  if (about.rows > 0 && days) log(`no rows on ${listed(days, 'days')}`)
}

function listed(values: readonly string[], what: string): string {
  return values.length <= 5 ? values.join(', ') : `${values.length} ${what}: ${values.slice(0, 5).join(', ')} …`
}

async function query(name: string, options: Options): Promise<void> {
  datasetOf(name)
  formatFor(options.format, options.out)
  const market = await openSource(options)
  if (options.explain) {
    const plan = await market.explain(name, options.params, loadOptions(options))
    out(options.format === 'json' ? `${JSON.stringify(plan)}\n` : `${plan.lines.join('\n')}\n`)
    return
  }
  const progress = bar(name)
  try {
    const table = await market.query(name, options.params, {
      ...loadOptions(options),
      onProgress: ({ done, of, rows }) => of > 1 && progress.update(done, of, `requests, ${rows} rows`),
      signal: untilInterrupted(),
    })
    progress.stop()
    await emit(table, options.format, options.out)
    const about = provenance(table)
    if (about) logProvenance(about)
  } finally {
    progress.stop()
    await market.close()
  }
}

export function queryCommand(): Command {
  const command = new Command('query')
    .description('rows of a dataset, whole')
    .argument('<name>', 'dataset, as the vendor spells it')
    .option('--params <json>', 'query conditions, as the vendor spells them', jsonObject)
    .option('--fields <names>', 'columns wanted, separated by commas')
    .option('--from <date>', 'run an operation that answers one day a call over several: first day', date)
    .option('--to <date>', 'last day', date)
    .option('--allow-truncated', 'take what came when rows are missing that can not be asked for')
    .option('--explain', 'print the requests that it takes, and send none')
    .addOption(formatOption())
    .option('--out <file>', 'write to a file instead of stdout')
  return withSource(command)
    .addHelpText(
      'after',
      '\nExample:\n  quotebook query etf_minute --params \'{"symbols":["510300.SH"],"period":"15m"}\'',
    )
    .action(query)
}
