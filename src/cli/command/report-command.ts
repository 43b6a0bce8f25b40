import { resolve } from 'node:path'
import type { Command } from 'commander'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import type { Market } from '../../market.js'
import { report } from '../../research/report/load/market-report.js'
import { checkSections } from '../../research/report/render-report.js'
import { language, say } from '../chosen-language.js'
import { date, interactiveWord, sourceWords, wholeAtLeast } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { unlessInterrupted } from '../interrupt.js'
import { checkTarget, out } from '../output.js'
import { stepsOn, withBar } from '../progress-bar.js'
import { withMarket } from '../source-option.js'

type Options = OptionsOf<typeof words>

async function write({ out: file, days, end, title, section, interactive, brief, ...source }: Options): Promise<void> {
  const sections = section === undefined ? undefined : checkSections(section.split(',').map((name) => name.trim()))
  checkTarget(file)
  const chosen = {
    ...(end && { end }),
    ...(title !== undefined && { title }),
    ...(sections && { sections }),
    ...(interactive && { interactive }),
    ...(brief && { brief }),
  }
  const make = (market: Market): Promise<string> =>
    withBar(say('report'), (progress) =>
      unlessInterrupted(report(market, { days, language, onStep: stepsOn(progress), ...chosen })),
    )
  await writeFileAtomically(resolve(file), await withMarket({ ...source, once: true }, make))
  out(`${file}\n`)
}

// biome-ignore format: a table, one word a line
const words = {
  report: ['write the market report of a day as one self-contained HTML file, and print its name'],
  '--out <file>': ['file to write', { usual: 'reports/market.html' }],
  '--days <n>': ['trading days up to the latest', { parse: wholeAtLeast(1), usual: 60 }],
  '--end <date>': ['last trading day, YYYYMMDD: as if the source had none after it (default: its latest)', date],
  '--title <text>': ['title of the page'],
  '--section <names>': ['sections of the page, separated by commas: indices, convertible, etf, southbound, hot, anomaly, financing, documents, auction, appendix'],
  ...interactiveWord,
  '--brief': ['shorten each section to one line: one printed page'],
  ...sourceWords,
} as const satisfies CommandWords

export const reportCommand = (): Command => declare(words).action(write)
