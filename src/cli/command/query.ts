import { Command } from 'commander'
import { datasetOf } from '../../contract/catalogue.js'
import { provenance } from '../../frame/provenance.js'
import { formatOption, jsonObject, open, sourceOption } from '../options.js'
import { emit, type Format, say } from '../output.js'

interface Options {
  readonly source: string
  readonly params?: Record<string, unknown>
  readonly fields?: string
  readonly format: Format
  readonly out?: string
}

async function query(name: string, options: Options): Promise<void> {
  datasetOf(name)
  const market = await open(options.source)
  const fields = options.fields?.split(',').map((field) => field.trim())
  const table = await market.query(name, options.params, fields ? { fields } : {})
  await emit(table, options.format, options.out)
  const about = provenance(table)
  if (table.numRows === 0) say('no matching rows')
  else if (about?.note) say(about.complete ? about.note : `not the whole: ${about.note}`)
}

export function queryCommand(): Command {
  return new Command('query')
    .description('rows of a dataset, whole')
    .argument('<name>', 'dataset, as the vendor spells it')
    .option('--params <json>', 'query conditions, as the vendor spells them', jsonObject)
    .option('--fields <names>', 'columns wanted, separated by commas')
    .addOption(formatOption())
    .option('--out <file>', 'write to a file instead of stdout')
    .addOption(sourceOption())
    .addHelpText(
      'after',
      '\nExample:\n  quotebook query etf_minute --params \'{"symbols":["510300.SH"],"period":"15m"}\'',
    )
    .action(query)
}
