import { Command } from 'commander'
import { type FileNote, importFiles } from '../../archive/import/import.js'
import { datasetOf } from '../../contract/catalogue.js'
import { untilInterrupted } from '../interrupt.js'
import { pair } from '../options.js'
import { say } from '../output.js'

interface Options {
  readonly archive: string
  readonly set?: Record<string, string>
  readonly rename?: Record<string, string>
  readonly partial?: true
}

function line({ file, rows, ignored, absent }: FileNote): string {
  const kept = ignored.length > 0 ? `; not kept, because the contract has no such column: ${ignored.join(', ')}` : ''
  const lacking = absent.length > 0 ? `; not in the file: ${absent.join(', ')}` : ''
  return `${file}: ${rows} rows${kept}${lacking}`
}

async function importInto(name: string, files: string[], { archive, set, rename, partial }: Options): Promise<void> {
  const result = await importFiles(archive, datasetOf(name), files, {
    ...(set ? { set } : {}),
    ...(rename ? { rename } : {}),
    ...(partial ? { partial } : {}),
    signal: untilInterrupted(),
    onFile: (file) => say(line(file)),
  })
  for (const file of result.replaced ?? [])
    say(`${file} was missing or damaged: the rows of the files stand in its place`)
  const news = result.changed === 0 ? 'all of it was there already' : `${result.changed} files of the archive changed`
  say(`${name}: ${result.rows} rows of ${result.files} files; ${news}`)
}

export function importCommand(): Command {
  return new Command('import')
    .description('saved replies (whole envelopes), CSV or Parquet into an archive: all files, or on an error none')
    .argument('<name>', 'dataset')
    .argument('<files...>', 'files to merge')
    .requiredOption('--archive <dir>', 'archive to write; made when it is not there')
    .option('--set <name=value>', 'a column that the files do not hold, for all of them (repeatable)', pair)
    .option('--rename <name=column>', "a column of the files under the contract's name (repeatable)", pair)
    .option('--partial', 'take replies that were cut at a row cap or a page; the archive then says so')
    .action(importInto)
}
