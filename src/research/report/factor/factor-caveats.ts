import { fact } from '../../../contract/sentence.js'
import { normalQuantile } from '../../analysis/normal-distribution.js'
import type { SignalHorizon } from '../../analysis/performance/factor-study.js'
import { fixed, formatCount } from '../format-number.js'
import { type Html, html } from '../html.js'
import { honestyBox, type Said, saidLines } from '../page-header.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
import { yearsOf } from './factor-charts.js'
import { type FactorSheet, spreadDatesText } from './factor-sheet.js'

function triedFactors({ say, options, first }: FactorSheet): Said {
  const { tried } = options
  if (tried === undefined)
    return [
      Math.abs(first.t) > 1.96 ? 'unknown' : 'fails',
      say`How many were tried before this one was not said (--tried). Of the only one |t| above 1.96 is usually asked for; this one has ${fixed(first.t, 2)}.`,
    ]
  const least = normalQuantile(1 - 0.025 / tried)
  const said = say`${formatCount(tried)} were tried. The best of so many without any worth has |t| above ${fixed(least, 2)} in one case of twenty (Bonferroni); this one has ${fixed(first.t, 2)}.`
  return [Math.abs(first.t) > least ? 'holds' : 'fails', said]
}

function overlap({ say, shown, ahead }: FactorSheet): Said {
  const longest = shown.reduce((a, b) => (b.horizon > a.horizon ? b : a))
  const { horizon, dates, lag, t, plainT } = longest
  if (horizon === 1) return ['holds', say('None.')]
  const [span, n, known] = [ahead(horizon), formatCount(Math.floor(dates / horizon)), formatCount(dates)]
  const said = say`Returns over ${span} share days: of ${known} times about ${n} stand apart. Errors know of it (lag ${lag}); t as if they did not overlap would be ${fixed(plainT, 2)}, not ${fixed(t, 2)}.`
  return ['fails', said]
}

function costs({ say, first, ahead }: FactorSheet): Said {
  const { spread, netSpread, horizon } = first
  if (Number.isNaN(netSpread)) return undefined
  const [span, gross, net] = [ahead(horizon), signedPercent(spread, 3), signedPercent(netSpread, 3)]
  const said = say`The spread over ${span} is ${gross} before and ${net} after costs.`
  return [netSpread > 0 ? 'holds' : 'fails', said]
}

function fewValues(sheet: FactorSheet): Said {
  const share = ({ spreadDates, quantileDates }: SignalHorizon): number => spreadDates / Math.max(...quantileDates)
  const thinnest = sheet.shown.reduce((a, b) => (share(b) < share(a) ? b : a))
  if (!(share(thinnest) < 1)) return undefined
  return [
    'fails',
    sheet.say`The spread stands on ${spreadDatesText(sheet, thinnest)}. Equal scores share one quantile, and on other dates the top or the bottom is empty; below 5 dates the spread is not computed.`,
  ]
}

function leastTraded({ say, first }: FactorSheet): Said {
  const share = first.leastTraded
  if (Number.isNaN(share)) return undefined
  return [
    Math.abs(share) <= 0.2 ? 'holds' : 'fails',
    say`${percentText(share, 0)} of the spread comes from the 5% of names that traded least.`,
  ]
}

function blocked({ say, first }: FactorSheet): Said {
  const [top, bottom] = first.blocked
  if (Number.isNaN(top)) return undefined
  const said = say`${percentText(top, 1)} of the names of the top could not be bought at the fill (suspended, or at the limit), ${percentText(bottom, 1)} of the bottom not sold; their returns are in the figures.`
  return [Math.max(top, bottom) <= 0.02 ? 'holds' : 'fails', said]
}

function years(sheet: FactorSheet): Said {
  const { say, first } = sheet
  const all = yearsOf(sheet).flatMap(({ figures: [of] }) => (of && !Number.isNaN(of.spread) ? [of.spread] : []))
  if (all.length < 2) return undefined
  const same = all.filter((one) => Math.sign(one) === Math.sign(first.spread)).length
  return [same === all.length ? 'holds' : 'fails', say`${same} of ${all.length} years have the sign of the whole.`]
}

function late({ say, options }: FactorSheet): Said {
  const names = Object.entries(options.known ?? {}).flatMap(([name, at]) => (at > '15:00:00' ? [`${name} ${at}`] : []))
  if (!options.known) return undefined
  return names.length === 0
    ? ['holds', say('No column of the panel is known only after the close.')]
    : ['unknown', html`<bdi>${say`Known after the close, so taken of an earlier day: ${names.join(', ')}.`}</bdi>`]
}

function survivors({ say }: FactorSheet): Said {
  const unknown = say(
    'Whether the data still holds what was delisted or redeemed is not known; if it does not, all figures are of survivors.',
  )
  return ['unknown', unknown]
}

function notes({ options: { notes: given = [] }, say }: FactorSheet): Said {
  return saidLines(given.map((text) => say(text)))
}

/** What speaks for the factor and what against it. */
export function factorCaveats(sheet: FactorSheet): Html {
  const { say } = sheet
  return honestyBox(say, [
    ['trials', say('Factors tried'), triedFactors(sheet)],
    ['overlap', say('Overlapping horizons'), overlap(sheet)],
    ['costs', say(fact('FACTOR_CAVEATS', 'Costs')), costs(sheet)],
    ['few-values', say('Empty quantiles'), fewValues(sheet)],
    ['least-traded', say('Least traded names'), leastTraded(sheet)],
    ['blocked', say('Could it be traded'), blocked(sheet)],
    ['years', say('Spread by year'), years(sheet)],
    ['late', say('Known late'), late(sheet)],
    ['survivors', say('Survivors'), survivors(sheet)],
    ['warnings', say('Warnings of the run'), notes(sheet)],
  ])
}
