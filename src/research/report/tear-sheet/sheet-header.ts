import { fixed, formatCount } from '../format-number.js'
import type { Html } from '../html.js'
import { daySpan, headTile, pageHeader, titleOr } from '../page-header.js'
import { sentences } from '../report-words.js'
import { caveatsBox } from './caveats.js'
import type { RunSheet } from './sheet-context.js'
import type { FigureName, GroupedFigures } from './sheet-figures.js'
import { figureData, percentText, signedPercent } from './sheet-parts.js'

export function sheetTitle({ say, options }: RunSheet): string {
  return titleOr(options.title, say('Tear sheet'))
}

/** What the run came to, in a sentence. */
function headline({ say, own, run, benchmark }: RunSheet): string {
  const { total, maxDrawdown, sharpe } = own.performance
  const [span, days] = [daySpan(say, own.days[0], own.days.at(-1)), formatCount(own.days.length)]
  const [start, end] = [fixed(run?.start, 2), fixed(run?.equity[own.days.length - 1], 2)]
  const [sum, fall, ratio] = [signedPercent(total), percentText(maxDrawdown.depth), fixed(sharpe, 2)]
  const risk = say`The deepest fall was ${fall}, the Sharpe ratio ${ratio}.`
  const became = run
    ? say`${span}, ${days} trading days: ${start} yuan became ${end} yuan, ${sum}. ${risk}`
    : say`${span}, ${days} trading days: ${sum} in total. ${risk}`
  if (!benchmark) return became
  const { name, series } = benchmark
  const other = signedPercent(series.performance.total)
  return sentences(say, became, say`${name}: ${other}.`)
}

const first: readonly FigureName[] = ['total', 'cagr', 'volatility', 'sharpe', 'maxDrawdown', 'calmar']

function tiles({ say, own }: RunSheet, figures: GroupedFigures): Html[] {
  const all = figures.flatMap(([, some]) => some)
  const bounds = own.performance.intervals?.sharpe
  const [low, high] = [fixed(bounds?.low, 2), fixed(bounds?.high, 2)]
  const interval = bounds && !Number.isNaN(bounds.low) ? say`95% interval ${low} to ${high}` : undefined
  return first.flatMap((name) => {
    const figure = all.find((one) => one.name === name)
    if (!figure) return []
    return headTile(figure.entry.words(say)[0], figureData(say, figure), name === 'sharpe' ? interval : undefined)
  })
}

/** Title, what the run came to, its first figures, and its caveats. */
export function sheetHeader(sheet: RunSheet, figures: GroupedFigures): Html {
  const { say, options, run, own } = sheet
  const hashed = say('Run, sha256 of prices, strategy, options and version')
  return pageHeader(say, {
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
