import { resolve } from 'node:path'
import { Command } from 'commander'
import { writeFileAtomically } from '../../archive/file-access.js'
import { report } from '../../load/market-report.js'
import { wholeAtLeast } from '../command-options.js'
import { unlessInterrupted } from '../interrupt.js'
import { checkTarget, out } from '../output.js'
import { bar } from '../progress-bar.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'

interface Options extends SourceOptions {
  readonly out: string
  readonly days: number
  readonly title?: string
}

async function write({ out: file, days, title, ...source }: Options): Promise<void> {
  checkTarget(file)
  const market = await openSource(source)
  const progress = bar('report')
  try {
    const onStep = (done: number, of: number, what: string): void => progress.update(done, of, what)
    const page = await unlessInterrupted(report(market, { days, onStep, ...(title === undefined ? {} : { title }) }))
    await writeFileAtomically(resolve(file), page)
  } finally {
    progress.stop()
    await market.close()
  }
  out(`${file}\n`)
}

export function reportCommand(): Command {
  const command = new Command('report')
    .description('a market report as one self-contained HTML file; prints its name')
    .option('--out <file>', 'file to write', 'reports/market.html')
    .option('--days <n>', 'trading days up to the latest', wholeAtLeast(1), 60)
    .option('--title <text>', 'title of the page')
  return withSource(command).action(write)
}
