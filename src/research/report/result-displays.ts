import { sayIn } from '../../contract/say.js'
import { allOf, sentence } from '../../contract/sentence.js'
import { shownLanguage } from '../../contract/shown-language.js'
import { type Display, makeDisplayable } from '../../frame/show/displayable.js'
import { figuresDisplay } from '../../frame/show/figures-display.js'
import { onResultShown } from '../../frame/show/result-display.js'
import { headedDisplay } from '../../frame/show/show-data.js'
import type { FactorStudy } from '../analysis/performance/factor-study.js'
import type { Performance } from '../analysis/performance/performance-stats.js'
import type { BacktestResult } from '../backtest/backtest.js'
import { Panel } from '../backtest/panel.js'
import type { Sweep } from '../backtest/sweep-result.js'
import { horizonFigures } from './factor/factor-charts.js'
import { factorSheetOf } from './factor/factor-sheet.js'
import { daySpan } from './page-header.js'
import type { Measured } from './tear-sheet/measured-series.js'
import { runSheetOf } from './tear-sheet/sheet-context.js'
import { figureEntries, groupTitles, sheetFigures } from './tear-sheet/sheet-figures.js'
import { figureText } from './tear-sheet/sheet-parts.js'

/*
 * Makes results show themselves by the figures of their pages; imported for its effect by the public door.
 */

/** Figures of a series alone, in the order of the tear sheet. */
const ofSeries = ['total', 'cagr', 'volatility', 'maxDrawdown', 'sharpe', 'sortino', 'calmar', 'dayWinRate'] as const

function performanceDisplay(performance: Performance): Display {
  const say = sayIn(shownLanguage())
  const rows = ofSeries.map((name) => {
    const { form, of, words } = figureEntries[name]
    return [words(say)[0], figureText(say, form, of({ performance } as Measured) ?? Number.NaN)]
  })
  const head = say`Performance of ${performance.observations} returns, ${performance.periodsPerYear} periods a year`
  return figuresDisplay(head, head, [{ title: say('figure'), heads: [say('value')], rows }])
}

function backtestDisplay(result: BacktestResult): Display {
  const say = sayIn(shownLanguage())
  const { days, warnings } = result
  const groups = sheetFigures(runSheetOf(result, { lang: say.language })).map(([group, figures]) => ({
    title: groupTitles[group](say),
    heads: [say('value')],
    rows: figures.map(({ entry, value }) => [entry.words(say)[0], figureText(say, entry.form, value)]),
  }))
  const line = say`Backtest of ${days.length} days, ${daySpan(say, days[0], days.at(-1))}`
  const head = warnings.length > 0 ? say(sentence`${line}; ${allOf(warnings)}`) : line
  return figuresDisplay(head, line, groups)
}

function sweepDisplay({ trials, best, table, warnings }: Sweep): Display {
  const say = sayIn(shownLanguage())
  const params = best && Object.entries(best.params).map(([name, value]) => `${name} ${value}`)
  const line = params
    ? say`Sweep of ${trials.length} trials; the best: ${params.join(', ')}`
    : say`Sweep of ${trials.length} trials`
  const head = warnings.length > 0 ? say(sentence`${line}; ${allOf(warnings)}`) : line
  return headedDisplay(head, table, line)
}

function factorDisplay(study: FactorStudy): Display {
  const sheet = factorSheetOf(study, { lang: shownLanguage() })
  const { say, shown, ahead } = sheet
  const rows = horizonFigures.map(({ name, of }) => [name(say), ...shown.map((one) => of(one, sheet))])
  const line = say`Factor study of ${study.signal.symbols.length} codes at ${study.signal.times.length} times`
  const heads = shown.map(({ horizon }) => ahead(horizon))
  return figuresDisplay(line, line, [{ title: say('figure'), heads, rows }])
}

function panelDisplay({ days, symbols, cols, minutes }: Panel): Display {
  const say = sayIn(shownLanguage())
  const rows = Object.entries(cols).map(([name, values]) => {
    const there = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0)
    return [name, figureText(say, 'percent', there / values.length)]
  })
  const span = daySpan(say, days[0], days.at(-1))
  const daily = say`Panel of ${symbols.length} codes and ${days.length} days, ${span}`
  const line = minutes.length > 1 ? say`${daily}, ${minutes.length} bars a day` : daily
  return figuresDisplay(line, line, [{ title: say('column'), heads: [say('cells with a value')], rows }])
}

onResultShown('performance', performanceDisplay)
onResultShown('backtest', backtestDisplay)
onResultShown('sweep', sweepDisplay)
onResultShown('factorStudy', factorDisplay)
makeDisplayable(Panel.prototype as Panel, panelDisplay)
