import { deflatedSharpe, probabilisticSharpe } from '../../analysis/performance/deflated-sharpe.js'
import { texts } from '../../frame/read-columns.js'
import { day, fixed, formatCount, listed } from '../format-number.js'
import { badge, type Html, html } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import { instrument, percentText, sentences } from './sheet-parts.js'
import { inSheetLanguage, otherWarnings, withoutHistory } from './warning-words.js'

type State = 'holds' | 'fails' | 'unknown'

/** Something that a reader of a result must know, and whether it speaks for the result. */
export interface HonestyItem {
  readonly id: string
  readonly state: State
  readonly what: string
  readonly said: Html
}

type Item = (sheet: RunSheet) => HonestyItem

function fillItem({ say, run }: RunSheet): HonestyItem {
  const what = say('fill rule')
  if (!run?.options) return { id: 'fill', state: 'unknown', what, said: html`${say('only returns')}` }
  const { exec = { decide: 'close', fill: 'nextOpen' } } = run.options
  const isSeen = exec.decide === 'close' && exec.fill === 'sameClose'
  const key = `${exec.decide} ${exec.fill}` as const
  const rule = say(`fill ${key}` as 'fill close nextOpen')
  const said = rule === `fill ${key}` ? key : rule
  return { id: 'fill', state: isSeen ? 'fails' : 'holds', what, said: html`${said}` }
}

function frictionItem(sheet: RunSheet): HonestyItem {
  const { say, run } = sheet
  const what = say('frictions')
  if (!run?.options) return { id: 'frictions', state: 'unknown', what, said: html`${say('only returns')}` }
  const { slippageTicks, slippageBps, maxVolumeShare = 0.1, commission } = run.options
  const slip =
    slippageBps === undefined ? say('slip ticks', { ticks: slippageTicks ?? 1 }) : say('slip bps', { bps: slippageBps })
  const isFree = slippageBps === undefined ? slippageTicks === 0 : slippageBps === 0
  const share =
    maxVolumeShare === null ? say('any volume') : say('volume share', { share: percentText(maxVolumeShare, 0) })
  const fee = say(commission === undefined ? 'commission assumed' : 'commission given')
  const state = isFree || maxVolumeShare === null ? 'fails' : 'holds'
  return { id: 'frictions', state, what, said: html`${sentences(sheet, slip, share, fee)}` }
}

function lookaheadItem(sheet: RunSheet): HonestyItem {
  const { say, run } = sheet
  const what = say('look-ahead')
  const check = run?.lookahead
  if (!check) return { id: 'look-ahead', state: 'unknown', what, said: html`${say('look-ahead unknown')}` }
  if (check.ok)
    return { id: 'look-ahead', state: 'holds', what, said: html`${say('look-ahead none', { cuts: check.cuts })}` }
  const { time = '', symbol, cut = '' } = check.firstDifference ?? {}
  const said = html`${say('look-ahead found', { time, cut })}${symbol !== undefined && html` (${instrument(sheet, symbol)})`}`
  return { id: 'look-ahead', state: 'fails', what, said }
}

/** How many trials there were, the probability that the best of them is more than chance, and what that would have shown. */
export function trialsOf(sheet: RunSheet): { count: number | undefined; probability: number; expected: number } {
  const { options, own, rates } = sheet
  const { sweep, trials } = options
  const sharpes = sweep?.trials.map(({ performance }) => performance.sharpe).filter((x) => !Number.isNaN(x))
  const given = trials ?? sharpes
  const estimate = own.performance
  if (given === undefined || (typeof given !== 'number' && given.length === 0))
    return { count: sweep?.trials.length, probability: probabilisticSharpe(estimate), expected: 0 }
  // Of a bare count: the variance that ratios of trials without skill have.
  const variance = rates.periodsPerYear / (estimate.observations - 1)
  const isBare = typeof given === 'number'
  if (isBare && !(estimate.observations > 1)) return { count: given, probability: Number.NaN, expected: Number.NaN }
  const found = deflatedSharpe({ ...estimate, trials: given, ...(isBare ? { variance } : {}) })
  const count = isBare ? given : trials === undefined ? sweep?.trials.length : given.length
  return { count, probability: found.probability, expected: found.expectedMaximum }
}

function trialsItem(sheet: RunSheet): HonestyItem {
  const { say, options } = sheet
  const { count } = trialsOf(sheet)
  const more = options.walkForward ? say('walk trials', { count: formatCount(options.walkForward.trials) }) : ''
  const said = count === undefined ? say('trials unknown') : say('trials told', { count: formatCount(count) })
  return {
    id: 'trials',
    state: 'unknown',
    what: say('trials'),
    said: html`${sentences(sheet, said, more)}`,
  }
}

function deflatedItem(sheet: RunSheet): HonestyItem {
  const { say, options } = sheet
  const { count, probability, expected } = trialsOf(sheet)
  const what = say('deflated')
  const id = 'deflated-sharpe'
  if (Number.isNaN(probability)) return { id, state: 'unknown', what, said: html`${say('deflated undefined')}` }
  const share = html`<data value="${String(Number(probability.toPrecision(10)))}">${percentText(probability, 1)}</data>`
  const rest =
    count === undefined
      ? say('deflated of one')
      : say('deflated of', { count: formatCount(count), expected: fixed(expected, 2) })
  const overfit = options.sweep?.overfitting
  const pbo = overfit ? say('overfitting', { share: percentText(overfit.probability, 0) }) : ''
  const state = count === undefined ? 'unknown' : probability >= 0.95 ? 'holds' : 'fails'
  return { id, state, what, said: html`${share}${sentences(sheet, rest, pbo)}` }
}

function lengthItem(sheet: RunSheet): HonestyItem {
  const { say, own, rates } = sheet
  const { intervals, observations, sharpe } = own.performance
  const what = say('length')
  const days = say('length said', { days: formatCount(observations) })
  const isShort = observations < rates.periodsPerYear
  const short = isShort ? say('length short') : ''
  const bounds = intervals?.sharpe
  if (!bounds || Number.isNaN(sharpe) || Number.isNaN(bounds.low))
    return { id: 'length', state: 'fails', what, said: html`${sentences(sheet, days, short, say('interval none'))}` }
  const hasZero = bounds.low <= 0 && bounds.high >= 0
  const interval = say('interval', { low: fixed(bounds.low, 2), high: fixed(bounds.high, 2) })
  const zero = hasZero ? say('interval zero') : ''
  return {
    id: 'length',
    state: isShort || hasZero ? 'fails' : 'holds',
    what,
    said: html`${sentences(sheet, days, short, interval, zero)}`,
  }
}

function historyItem({ say, run }: RunSheet): HonestyItem {
  const what = say('history')
  if (!run?.warnings) return { id: 'history', state: 'unknown', what, said: html`${say('only returns')}` }
  const names = withoutHistory(run.warnings)
  const said = names.length === 0 ? say('history none') : say('history used', { names: listed(names) })
  return { id: 'history', state: names.length === 0 ? 'holds' : 'fails', what, said: html`${said}` }
}

/** Values of holdings that are of an earlier close. */
export function staleValues({
  run,
}: RunSheet): { values: number; days: number; symbols: readonly string[] } | undefined {
  if (!run?.positions) return undefined
  const [marked, day, symbol] = [
    texts(run.positions, 'marked'),
    texts(run.positions, 'tradedate'),
    texts(run.positions, 'symbol'),
  ]
  const rows = Array.from(marked.keys()).filter((row) => marked[row] === 'stale')
  return {
    values: rows.length,
    days: new Set(rows.map((row) => day[row])).size,
    symbols: [...new Set(rows.map((row) => symbol[row] ?? ''))].sort(),
  }
}

function staleItem(sheet: RunSheet): HonestyItem {
  const { say } = sheet
  const what = say('stale')
  const found = staleValues(sheet)
  if (!found) return { id: 'stale', state: 'unknown', what, said: html`${say('only returns')}` }
  const { values, days, symbols } = found
  if (values === 0) return { id: 'stale', state: 'holds', what, said: html`${say('stale none')}` }
  const some = symbols.slice(0, 8).map((symbol, at) => html`${at > 0 && ', '}${instrument(sheet, symbol)}`)
  const more = symbols.length > 8 && ' …'
  const said = say('stale said', { values: formatCount(values), days: formatCount(days) })
  return { id: 'stale', state: 'fails', what, said: html`${said} ${some}${more}` }
}

function ruinItem({ say, ruined }: RunSheet): HonestyItem[] {
  if (ruined === undefined) return []
  return [{ id: 'ruin', state: 'fails', what: say('ruin'), said: html`${say('ruin said', { day: day(ruined) })}` }]
}

/** What was said of the run beside what has an item of its own. */
function warningItem({ say, run, options }: RunSheet): HonestyItem[] {
  const warnings = otherWarnings(run?.warnings ?? [])
  if (warnings.length === 0) return []
  const lines = warnings.map(
    (text, at) => html`${at > 0 && html`<br>`}<bdi>${inSheetLanguage(text, options.lang)}</bdi>`,
  )
  return [{ id: 'warnings', state: 'unknown', what: say('warnings'), said: html`${lines}` }]
}

const items: readonly Item[] = [
  fillItem,
  frictionItem,
  lookaheadItem,
  trialsItem,
  deflatedItem,
  lengthItem,
  historyItem,
  staleItem,
]

/** What speaks for the result and what against it, before any figure is believed. */
export function honestyItems(sheet: RunSheet): readonly HonestyItem[] {
  return [...ruinItem(sheet), ...items.map((item) => item(sheet)), ...warningItem(sheet)]
}

export function honestyBox(sheet: RunSheet): Html {
  const { say } = sheet
  const words = { holds: say('holds'), fails: say('mind'), unknown: say('not known') }
  const lines = honestyItems(sheet).map(
    ({
      id,
      state,
      what,
      said,
    }) => html`<li data-item="${id}"><span class="what">${what}</span><p>${badge(state, words[state])} ${said}</p></li>
`,
  )
  return html`<section class="honesty" aria-labelledby="honesty-heading">
<h2 id="honesty-heading">${say('honesty')}</h2>
<ul>
${lines}</ul>
</section>
`
}
