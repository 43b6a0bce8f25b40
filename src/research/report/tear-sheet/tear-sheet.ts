import { languages } from '../../../contract/language.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { anyOf, sentence } from '../../../contract/sentence.js'
import { namedIn, wrongShape } from '../../../frame/table/shape.js'
import type { DatedReturns } from '../../analysis/performance/return-series.js'
import { htmlDocument } from '../html-document.js'
import { activitySection } from './activity-section.js'
import { announcementSection, attributionSection } from './attribution-section.js'
import { calendarSection } from './calendar-section.js'
import { distributionSection } from './distribution-section.js'
import { drawdownSection } from './drawdown-section.js'
import { equitySection } from './equity-section.js'
import { figuresSection, formulasSection } from './figures-section.js'
import { rejectedSection } from './rejected-section.js'
import { rollingSection } from './rolling-section.js'
import { runSection } from './run-section.js'
import { runSheetOf } from './sheet-context.js'
import { sheetFigures } from './sheet-figures.js'
import { sheetHeader, sheetTitle } from './sheet-header.js'
import type { TearSheetOptions, TearSheetRun } from './sheet-input.js'
import { sheetManifest } from './sheet-manifest.js'
import { sweepSection } from './sweep-section.js'
import { tradesSection } from './trades-section.js'
import { walkSection } from './walk-section.js'

const sheetKinds: OptionKinds<TearSheetOptions> = {
  title: 'text',
  lang: 'any',
  interactive: 'true or false',
  benchmark: 'an object',
  names: 'an object',
  riskFree: 'any',
  periodsPerYear: 'any',
  window: 'any',
  sweep: 'an object',
  walkForward: 'an object',
  trials: 'any',
  source: 'an object',
  command: 'an object',
  attribution: 'an object',
  announcements: 'an array',
}

/**
 * A run on one self-contained HTML page: its caveats, its figures with their formulas, equity beside a benchmark,
 * drawdowns, months and years, rolling figures, the distribution of returns, what brought the change of the account, exposure, turnover and costs, trades, refusals,
 * and, where they are given, the sweep that it was chosen from and its walk forward.
 *
 * Takes the result of `backtest`, the account of `walkForward`, any curve with its start, or `{ days, returns }`; what is not known
 * of it is left out or said to be unknown. The page loads nothing and runs no script but, with `interactive`, one of its own, and the same input gives the same bytes. Where
 * nothing is left of the money, figures are of the days up to that one.
 *
 * `await tearSheet(backtest(prices, strategy, { cash: 1e6 }), { title: 'Double low', lang: 'zh' })`
 * @throws QuotebookError INVALID_VALUE as `performance`, for returns without days, and for a benchmark that lacks days of the run
 */
export async function tearSheet(input: TearSheetRun | DatedReturns, options: TearSheetOptions = {}): Promise<string> {
  namedIn(input, 'tearSheet', sentence`the result of a backtest, or { days, returns }`)
  const { lang = 'en' } = checkOptions(options, sheetKinds, 'tearSheet')
  if (!languages.includes(lang)) throw wrongShape('tearSheet: lang', anyOf(languages), lang)
  const sheet = runSheetOf(input, options)
  const figures = sheetFigures(sheet)
  const sections = [
    figuresSection(sheet, figures),
    await equitySection(sheet),
    await calendarSection(sheet),
    await rollingSection(sheet),
    await distributionSection(sheet),
    drawdownSection(sheet),
    attributionSection(sheet),
    await activitySection(sheet),
    tradesSection(sheet),
    rejectedSection(sheet),
    announcementSection(sheet),
    sweepSection(sheet),
    await walkSection(sheet),
    runSection(sheet),
  ].filter((section) => section !== undefined)
  return htmlDocument({
    say: sheet.say,
    title: sheetTitle(sheet),
    manifest: sheetManifest(sheet),
    header: sheetHeader(sheet, figures),
    sections,
    onPaper: [formulasSection(sheet, figures)],
    interactive: options.interactive,
  })
}
