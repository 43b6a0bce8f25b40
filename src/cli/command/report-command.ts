import { resolve } from 'node:path'
import { Command } from 'commander'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import type { Market } from '../../market.js'
import { report } from '../../research/report/load/market-report.js'
import { checkSections } from '../../research/report/render-report.js'
import { help, language, say } from '../chosen-language.js'
import { date, wholeAtLeast } from '../command-options.js'
import { unlessInterrupted } from '../interrupt.js'
import { checkTarget, out } from '../output.js'
import { stepsOn, withBar } from '../progress-bar.js'
import { type SourceOptions, withMarket, withSource } from '../source-option.js'

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
  const chosen = { ...(end && { end }), ...(title !== undefined && { title }), ...(sections && { sections }) }
  const make = (market: Market): Promise<string> =>
    withBar(say('bar report'), (progress) =>
      unlessInterrupted(report(market, { days, language, onStep: stepsOn(progress), ...chosen })),
    )
  await writeFileAtomically(resolve(file), await withMarket(source, make))
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
