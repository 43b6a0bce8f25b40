import { Command } from 'commander'
import { importFiles } from '../../archive/import/import.js'
import { datasetOf } from '../../contract/catalogue.js'
import { pair } from '../options.js'
import { say } from '../output.js'

interface Options {
  readonly archive: string
  readonly set?: Record<string, string>
  readonly rename?: Record<string, string>
}

async function importInto(name: string, files: string[], { archive, set, rename }: Options): Promise<void> {
  const result = await importFiles(archive, datasetOf(name), files, {
    ...(set ? { set } : {}),
    ...(rename ? { rename } : {}),
    onFile: (file, rows) => say(`${file}: ${rows} rows`),
  })
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
    .action(importInto)
}
