import { resolve } from 'node:path'
import { Command } from 'commander'
import { writeFileAtomically } from '../../archive/file-access.js'
import { report } from '../../load/market-report.js'
import { checkSections } from '../../report/render-report.js'
import { help, language, say } from '../chosen-language.js'
import { date, wholeAtLeast } from '../command-options.js'
import { unlessInterrupted } from '../interrupt.js'
import { checkTarget, out } from '../output.js'
import { bar, stepWord } from '../progress-bar.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'

interface Options extends SourceOptions {
  readonly out: string
  readonly days: number
  readonly end?: string
  readonly title?: string
  readonly section?: string
}

async function write({ out: file, days, end, title, section, ...source }: Options): Promise<void> {
  const sections = section === undefined ? undefined : checkSections(section.split(',').map((name) => name.trim()))
  checkTarget(file)
  const market = await openSource(source)
  const progress = bar(say('bar report'))
  try {
    const onStep = (done: number, of: number, what: string): void => progress.update(done, of, stepWord(what))
    const page = await unlessInterrupted(
      report(market, {
        days,
        onStep,
        language,
        ...(end === undefined ? {} : { end }),
        ...(title === undefined ? {} : { title }),
        ...(sections ? { sections } : {}),
      }),
    )
    await writeFileAtomically(resolve(file), page)
  } finally {
    progress.stop()
    await market.close()
  }
  out(`${file}\n`)
}

export function reportCommand(): Command {
  const command = new Command('report')
    .description(help('report'))
    .option('--out <file>', help('report --out'), 'reports/market.html')
    .option('--days <n>', help('report --days'), wholeAtLeast(1), 60)
    .option('--end <date>', help('report --end'), date)
    .option('--title <text>', help('report --title'))
    .option('--section <names>', help('report --section'))
  return withSource(command).action(write)
}
