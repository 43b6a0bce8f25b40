import { resolve } from 'node:path'
import type { Command } from 'commander'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import type { Market } from '../../market.js'
import { report } from '../../research/report/load/market-report.js'
import { checkSections } from '../../research/report/render-report.js'
import { language, say } from '../chosen-language.js'
import { date, interactiveWord, sourceWords, wholeAtLeast } from '../command-options.js'
import { declare } from '../declare-command.js'
import { unlessInterrupted } from '../interrupt.js'
import { checkTarget, out } from '../output.js'
import { stepsOn, withBar } from '../progress-bar.js'
import { type SourceOptions, withMarket } from '../source-option.js'

interface Options extends SourceOptions {
  readonly out: string
  readonly days: number
  readonly end?: string
  readonly title?: string
  readonly section?: string
  readonly interactive?: true
  readonly brief?: true
}

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
    withBar(say('bar report'), (progress) =>
      unlessInterrupted(report(market, { days, language, onStep: stepsOn(progress), ...chosen })),
    )
  await writeFileAtomically(resolve(file), await withMarket(source, make))
  out(`${file}\n`)
}

// biome-ignore format: a table, one word a line
export const reportCommand = (): Command => declare({
  report: ["the market's day as one self-contained HTML file; prints its name", '生成市场日报：一个自包含的 HTML 文件；输出其文件名'],
  '--out <file>': ['file to write', '输出文件', { usual: 'reports/market.html' }],
  '--days <n>': ['trading days up to the latest', '交易日数，截至最新交易日', { parse: wholeAtLeast(1), usual: 60 }],
  '--end <date>': ['last trading day, YYYYMMDD: as if the source had none after it (default: its latest)', '最后一个交易日 YYYYMMDD：视同数据源没有此后的数据（默认：最新一日）', date],
  '--title <text>': ['title of the page', '页面标题'],
  '--section <names>': ['sections of the page, separated by commas: indices, convertible, etf, southbound, hot, anomaly, financing, documents, auction, appendix', '页面所含的各部分，以逗号分隔：indices、convertible、etf、southbound、hot、anomaly、financing、documents、auction、appendix'],
  ...interactiveWord,
  '--brief': ['a line of each section in place of it: one page of paper', '每部分只写一行要点：一页纸'],
  ...sourceWords,
}).action(write)
