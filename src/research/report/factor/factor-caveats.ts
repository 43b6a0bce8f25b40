import { wordsIn } from '../../../contract/say.js'
import { normalQuantile } from '../../analysis/normal-distribution.js'
import type { SignalHorizon } from '../../analysis/performance/factor-study.js'
import { fixed, formatCount } from '../format-number.js'
import { type Html, html } from '../html.js'
import { honestyBox, type Said } from '../tear-sheet/caveats.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
import { type FactorSheet, spreadDatesText } from './factor-sheet.js'
import { yearsOf } from './factor-tables.js'

function triedFactors({ say, options, first }: FactorSheet): Said {
  const { tried } = options
  if (tried === undefined)
    return [Math.abs(first.t) > 1.96 ? 'unknown' : 'fails', say('tried unknown', { t: fixed(first.t, 2) })]
  const least = normalQuantile(1 - 0.025 / tried)
  const said = say('tried said', { n: formatCount(tried), least: fixed(least, 2), t: fixed(first.t, 2) })
  return [Math.abs(first.t) > least ? 'holds' : 'fails', said]
}

function overlap({ say, shown, ahead }: FactorSheet): Said {
  const longest = shown.reduce((a, b) => (b.horizon > a.horizon ? b : a))
  const { horizon, dates, lag, t, plainT } = longest
  if (horizon === 1) return ['holds', say('overlap none')]
  const n = formatCount(Math.floor(dates / horizon))
  const places = { longest: ahead(horizon), dates: formatCount(dates), n, lag, t: fixed(t, 2), plain: fixed(plainT, 2) }
  return ['fails', say('overlap said', places)]
}

function costs({ say, first, ahead }: FactorSheet): Said {
  const { spread, netSpread, horizon } = first
  if (Number.isNaN(netSpread)) return undefined
  const places = { ahead: ahead(horizon), spread: signedPercent(spread, 3), net: signedPercent(netSpread, 3) }
  return [netSpread > 0 ? 'holds' : 'fails', say('costs said', places)]
}

function fewValues(sheet: FactorSheet): Said {
  const share = ({ spreadDates, quantileDates }: SignalHorizon): number => spreadDates / Math.max(...quantileDates)
  const thinnest = sheet.shown.reduce((a, b) => (share(b) < share(a) ? b : a))
  if (!(share(thinnest) < 1)) return undefined
  return ['fails', sheet.say('few values said', { thin: spreadDatesText(sheet, thinnest) })]
}

function leastTraded({ say, first }: FactorSheet): Said {
  const share = first.leastTraded
  if (Number.isNaN(share)) return undefined
  return [Math.abs(share) <= 0.2 ? 'holds' : 'fails', say('least said', { share: percentText(share, 0) })]
}

function blocked({ say, first }: FactorSheet): Said {
  const [top, bottom] = first.blocked
  if (Number.isNaN(top)) return undefined
  const said = say('blocked said', { top: percentText(top, 1), bottom: percentText(bottom, 1) })
  return [Math.max(top, bottom) <= 0.02 ? 'holds' : 'fails', said]
}

function years(sheet: FactorSheet): Said {
  const { say, first } = sheet
  const all = yearsOf(sheet).flatMap(({ figures: [of] }) => (of && !Number.isNaN(of.spread) ? [of.spread] : []))
  if (all.length < 2) return undefined
  const same = all.filter((one) => Math.sign(one) === Math.sign(first.spread)).length
  return [same === all.length ? 'holds' : 'fails', say('years said', { same, years: all.length })]
}

function late({ say, options }: FactorSheet): Said {
  const names = Object.entries(options.known ?? {}).flatMap(([name, at]) => (at > '15:00:00' ? [`${name} ${at}`] : []))
  if (!options.known) return undefined
  return names.length === 0
    ? ['holds', say('late none')]
    : ['unknown', html`<bdi>${say('late said', { names: names.join(', ') })}</bdi>`]
}

function notes({ options }: FactorSheet): Said {
  const lines = (options.notes ?? []).map(
    (text, at) => html`${at > 0 && html`<br>`}<bdi>${wordsIn(text, options.lang ?? 'en')}</bdi>`,
  )
  return lines.length === 0 ? undefined : ['unknown', lines]
}

/** What speaks for the factor and what against it. */
export function factorCaveats(sheet: FactorSheet): Html {
  const { say } = sheet
  return honestyBox(say, [
    ['trials', say('tried'), triedFactors(sheet)],
    ['overlap', say('overlap'), overlap(sheet)],
    ['costs', say('costs'), costs(sheet)],
    ['few-values', say('few values'), fewValues(sheet)],
    ['least-traded', say('least traded'), leastTraded(sheet)],
    ['blocked', say('blocked'), blocked(sheet)],
    ['years', say('years'), years(sheet)],
    ['late', say('late'), late(sheet)],
    ['survivors', say('survivors'), ['unknown', say('survivors said')]],
    ['warnings', say('warnings'), notes(sheet)],
  ])
}
