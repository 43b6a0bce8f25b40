import { languages } from '../../../contract/language.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { anyOf, fact, sentence } from '../../../contract/sentence.js'
import { namedIn, wrongShape } from '../../../frame/table/shape.js'
import type { DatedReturns } from '../../analysis/performance/return-series.js'
import { fixed, formatCount } from '../format-number.js'
import type { Html } from '../html.js'
import { htmlDocument } from '../html-document.js'
import { daySpan, headTile, type PageTop, pageTop, titleOr } from '../page-header.js'
import { sentences } from '../report-words.js'
import { activitySection } from './activity-section.js'
import { announcementSection, attributionSection } from './attribution-section.js'
import { monthsSection, yearsSection } from './calendar-section.js'
import { caveatsBox } from './caveats.js'
import { distributionSection } from './distribution-section.js'
import { drawdownSection, equitySection } from './equity-section.js'
import { figuresSection, formulasSection } from './figures-section.js'
import { fillsSection } from './fills-section.js'
import { holdingsSection } from './holdings-section.js'
import { movedSection } from './moved-section.js'
import { rollingSection } from './rolling-section.js'
import { type RunSheet, runSheetOf } from './sheet-context.js'
import { type FigureName, type GroupedFigures, sheetFigures } from './sheet-figures.js'
import type { TearSheetOptions, TearSheetRun } from './sheet-input.js'
import { runSection, sheetManifest } from './sheet-manifest.js'
import { figureData, percentText, signedPercent } from './sheet-parts.js'
import { sweepSection, walkSection } from './sweep-section.js'
import { rejectedSection, tradesSection } from './trades-section.js'

function sheetTitle({ say, options }: RunSheet): string {
  return titleOr(options.title, say('Tear sheet'))
}

/** What the run came to, in a sentence. */
function headline({ say, own, run, benchmark }: RunSheet): string {
  const { total, maxDrawdown, sharpe } = own.performance
  const [span, days] = [daySpan(say, own.days[0], own.days.at(-1)), formatCount(own.days.length)]
  const [start, end] = [fixed(run?.start, 2), fixed(run?.equity[own.days.length - 1], 2)]
  const [sum, fall, ratio] = [signedPercent(total), percentText(maxDrawdown.depth), fixed(sharpe, 2)]
  const risk = say`The deepest fall was ${fall}, the Sharpe ratio ${ratio}.`
  const { paidIn, takenOut, worth, gain } = run?.real ?? {}
  const [came, went, last, made] = [paidIn, takenOut, worth, gain].map((yuan) => fixed(yuan, 2))
  const became = run?.real
    ? say`${span}, ${days} trading days: ${sum} time-weighted. Paid in ${came ?? ''} yuan, taken out ${went ?? ''} yuan, worth ${last ?? ''} yuan at the end, a gain of ${made ?? ''} yuan. ${risk}`
    : run
      ? say`${span}, ${days} trading days: ${start} yuan became ${end} yuan, ${sum}. ${risk}`
      : say`${span}, ${days} trading days: ${sum} in total. ${risk}`
  if (!benchmark) return became
  const { name, series } = benchmark
  const other = signedPercent(series.performance.total)
  return sentences(say, became, say(fact('BENCHMARK_RETURN', '{name}: {other}.', { name, other })))
}

const first: readonly FigureName[] = ['total', 'cagr', 'volatility', 'sharpe', 'maxDrawdown', 'calmar']

function tiles({ say, own, benchmark }: RunSheet, figures: GroupedFigures): Html[] {
  const all = figures.flatMap(([, some]) => some)
  const bounds = own.performance.intervals?.sharpe
  const [low, high] = [fixed(bounds?.low, 2), fixed(bounds?.high, 2)]
  const interval = bounds && !Number.isNaN(bounds.low) ? say`95% interval ${low} to ${high}` : undefined
  const excess = all.find(({ name }) => name === 'excess')?.value
  const beside =
    benchmark &&
    say`${benchmark.name} ${signedPercent(benchmark.series.performance.total)}, excess ${signedPercent(excess)}`
  const below: Partial<Record<FigureName, string | undefined>> = { total: beside, sharpe: interval }
  return first.flatMap((name) => {
    const figure = all.find((one) => one.name === name)
    if (!figure) return []
    return headTile(figure.entry.words(say)[0], figureData(say, figure), below[name])
  })
}

/** Title, what the run came to, its first figures, its caveats, and where it came from. */
function sheetTop(sheet: RunSheet, figures: GroupedFigures): PageTop {
  const { say, options, run, own } = sheet
  const hashed = say('Run, sha256 of prices, strategy, options and version')
  return pageTop(say, {
    kicker: say('Tear sheet'),
    title: sheetTitle(sheet),
    source: options.source,
    lead: headline(sheet),
    tiles: tiles(sheet, figures),
    facts: [[say('Period'), daySpan(say, own.days[0], own.days.at(-1))]],
    hash: run?.hashes && [hashed, run.hashes.run],
    caveats: caveatsBox(sheet),
  })
}

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
  prices: 'an object',
  attribution: 'an object',
  announcements: 'an array',
}

/**
 * Writes a run as one self-contained HTML page: its caveats, its figures with their formulas, equity against a
 * benchmark, drawdowns, months and years, rolling figures, the distribution of returns, attribution, exposure, turnover
 * and costs, trades, rejections, and, if given, the sweep that it was chosen from and its walk-forward test.
 *
 * It accepts the result of `backtest`, the account of `walkForward`, any curve with its start, or `{ days, returns }`;
 * unknown parts are left out or marked as unknown. The page makes no requests and runs no script except, with
 * `interactive`, one of its own, and the same input gives the same bytes. If the money is lost entirely, figures cover
 * the days up to that one.
 *
 * `await tearSheet(backtest(prices, strategy, { cash: 1e6 }), { title: 'Double low', lang: 'zh' })`
 * @throws QuotebookError INVALID_VALUE as `performance`, for returns without days, and for a benchmark that lacks days
 * of the run
 */
export async function tearSheet(input: TearSheetRun | DatedReturns, options: TearSheetOptions = {}): Promise<string> {
  namedIn(input, 'tearSheet', sentence`the result of a backtest, or { days, returns }`)
  const { lang = 'en' } = checkOptions(options, sheetKinds, 'tearSheet')
  if (!languages.includes(lang)) throw wrongShape('tearSheet: lang', anyOf(languages), lang)
  const sheet = runSheetOf(input, options)
  const figures = sheetFigures(sheet)
  const sections = [
    await holdingsSection(sheet),
    figuresSection(sheet, figures),
    await yearsSection(sheet),
    await rollingSection(sheet),
    await distributionSection(sheet),
    drawdownSection(sheet),
    attributionSection(sheet),
    await activitySection(sheet),
    tradesSection(sheet),
    await movedSection(sheet),
    fillsSection(sheet),
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
    top: sheetTop(sheet, figures),
    first: [await equitySection(sheet), monthsSection(sheet)],
    sections,
    onPaper: [formulasSection(sheet, figures)],
    interactive: options.interactive,
  })
}
