import { wordsIn } from '../../../contract/say.js'
import { strings } from '../../../frame/read-columns.js'
import { deflatedSharpe, probabilisticSharpe } from '../../analysis/performance/deflated-sharpe.js'
import { day, fixed, formatCount, listed } from '../format-number.js'
import { badge, type Html, type HtmlPart, html } from '../html.js'
import type { RunSheet, SheetSay } from './sheet-context.js'
import { instrument, percentText, sentences } from './sheet-parts.js'
import type { sheetWords } from './sheet-words.js'
import { otherWarnings, withoutHistory } from './warning-words.js'

/** Whether something speaks for the result, and what is said of it; nothing where there is nothing to say. */
export type Said = readonly [state: 'holds' | 'fails' | 'unknown', said: HtmlPart] | undefined

const onlyReturns = ({ say }: RunSheet): Said => ['unknown', say('only returns')]

function fillRule(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.options) return onlyReturns(sheet)
  const { exec = { decide: 'close', fill: 'nextOpen' } } = run.options
  const isSeen = exec.decide === 'close' && exec.fill === 'sameClose'
  const key = `${exec.decide} ${exec.fill}`
  const rule = say(`fill ${key}` as 'fill close nextOpen')
  return [isSeen ? 'fails' : 'holds', rule === `fill ${key}` ? key : rule]
}

function frictions(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.options) return onlyReturns(sheet)
  const { slippageTicks = 1, slippageBps, maxVolumeShare = 0.1, commission } = run.options
  const slip =
    slippageBps === undefined ? say('slip ticks', { ticks: slippageTicks }) : say('slip bps', { bps: slippageBps })
  const share =
    maxVolumeShare === null ? say('any volume') : say('volume share', { share: percentText(maxVolumeShare, 0) })
  const fee = say(commission === undefined ? 'commission assumed' : 'commission given')
  const isFree = (slippageBps ?? slippageTicks) === 0 || maxVolumeShare === null
  return [isFree ? 'fails' : 'holds', sentences(sheet, slip, share, fee)]
}

function lookahead(sheet: RunSheet): Said {
  const { say, run } = sheet
  const check = run?.lookahead
  if (!check) return ['unknown', say('look-ahead unknown')]
  if (check.ok) return ['holds', say('look-ahead none', { cuts: check.cuts })]
  if (check.why !== undefined) return ['fails', html`<bdi>${wordsIn(check.why, sheet.options.lang ?? 'en')}</bdi>`]
  const { time = '', symbol, cut = '' } = check.firstDifference ?? {}
  const found = say('look-ahead found', { time, cut })
  return ['fails', html`${found}${symbol !== undefined && html` (${instrument(sheet, symbol)})`}`]
}

/** How many trials there were, the probability that the best of them is more than chance, and what that would have shown. */
function trialsOf({ options, own, rates }: RunSheet): {
  count?: number | undefined
  probability: number
  expected: number
} {
  const { sweep, trials } = options
  const sharpes = sweep?.trials.map(({ performance }) => performance.sharpe).filter((x) => !Number.isNaN(x))
  const given = trials ?? sharpes
  const estimate = own.performance
  if (given === undefined || (typeof given !== 'number' && given.length === 0))
    return { count: sweep?.trials.length, probability: probabilisticSharpe(estimate), expected: 0 }
  const isBare = typeof given === 'number'
  if (isBare && !(estimate.observations > 1)) return { count: given, probability: Number.NaN, expected: Number.NaN }
  // Of a bare count: the variance that ratios of trials without skill have.
  const variance = rates.periodsPerYear / (estimate.observations - 1)
  const found = deflatedSharpe({ ...estimate, trials: given, ...(isBare ? { variance } : {}) })
  const count = isBare ? given : trials === undefined ? sweep?.trials.length : given.length
  return { count, probability: found.probability, expected: found.expectedMaximum }
}

function trialCount(sheet: RunSheet): Said {
  const { say, options } = sheet
  const { count } = trialsOf(sheet)
  const more = options.walkForward ? say('walk trials', { count: formatCount(options.walkForward.trials) }) : ''
  const said = count === undefined ? say('trials unknown') : say('trials told', { count: formatCount(count) })
  return ['unknown', sentences(sheet, said, more)]
}

function deflated(sheet: RunSheet): Said {
  const { say, options } = sheet
  const { count, probability, expected } = trialsOf(sheet)
  if (Number.isNaN(probability)) return ['unknown', say('deflated undefined')]
  const share = html`<data value="${String(Number(probability.toPrecision(10)))}">${percentText(probability, 1)}</data>`
  const rest =
    count === undefined
      ? say('deflated of one')
      : say('deflated of', { count: formatCount(count), expected: fixed(expected, 2) })
  const overfit = options.sweep?.overfitting
  const pbo = overfit ? say('overfitting', { share: percentText(overfit.probability, 0) }) : ''
  const state = count === undefined ? 'unknown' : probability >= 0.95 ? 'holds' : 'fails'
  return [state, [share, sentences(sheet, rest, pbo)]]
}

function sampleLength(sheet: RunSheet): Said {
  const { say, own, rates } = sheet
  const { intervals, observations, sharpe } = own.performance
  const isShort = observations < rates.periodsPerYear
  const days = [say('length said', { days: formatCount(observations) }), isShort ? say('length short') : '']
  const bounds = intervals?.sharpe
  if (!bounds || Number.isNaN(sharpe) || Number.isNaN(bounds.low))
    return ['fails', sentences(sheet, ...days, say('interval none'))]
  const hasZero = bounds.low <= 0 && bounds.high >= 0
  const interval = say('interval', { low: fixed(bounds.low, 2), high: fixed(bounds.high, 2) })
  const said = sentences(sheet, ...days, interval, hasZero ? say('interval zero') : '')
  return [isShort || hasZero ? 'fails' : 'holds', said]
}

function history(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.warnings) return onlyReturns(sheet)
  const names = withoutHistory(run.warnings)
  return names.length === 0 ? ['holds', say('history none')] : ['fails', say('history used', { names: listed(names) })]
}

/** Values of holdings that are of an earlier close. */
function staleValues(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.positions) return onlyReturns(sheet)
  const [marked, dates, codes] = ['marked', 'tradedate', 'symbol'].map((name) => strings(run.positions as never, name))
  const rows = [...(marked ?? []).keys()].filter((row) => marked?.[row] === 'stale')
  if (rows.length === 0) return ['holds', say('stale none')]
  const days = new Set(rows.map((row) => dates?.[row])).size
  const symbols = [...new Set(rows.map((row) => codes?.[row] ?? ''))].sort()
  const some = symbols.slice(0, 8).map((symbol, at) => html`${at > 0 && ', '}${instrument(sheet, symbol)}`)
  const said = say('stale said', { values: formatCount(rows.length), days: formatCount(days) })
  return ['fails', html`${said} ${some}${symbols.length > 8 && ' …'}`]
}

/** What was said of the run beside what has a caveat of its own. */
function warnings({ run, options }: RunSheet): Said {
  const told = otherWarnings(run?.warnings ?? [])
  const lines = told.map((text, at) => html`${at > 0 && html`<br>`}<bdi>${wordsIn(text, options.lang ?? 'en')}</bdi>`)
  return lines.length === 0 ? undefined : ['unknown', lines]
}

const caveats: readonly (readonly [id: string, what: keyof typeof sheetWords, of: (sheet: RunSheet) => Said])[] = [
  [
    'ruin',
    'ruin',
    ({ say, ruined }) => (ruined === undefined ? undefined : ['fails', say('ruin said', { day: day(ruined) })]),
  ],
  ['fill', 'fill rule', fillRule],
  ['frictions', 'frictions', frictions],
  ['look-ahead', 'look-ahead', lookahead],
  ['trials', 'trials', trialCount],
  ['deflated-sharpe', 'deflated', deflated],
  ['length', 'length', sampleLength],
  ['history', 'history', history],
  ['stale', 'stale', staleValues],
  ['warnings', 'warnings', warnings],
]

/** What speaks for the result and what against it, before any figure is believed. */
export function caveatsBox(sheet: RunSheet): Html {
  return honestyBox(
    sheet.say,
    caveats.map(([id, what, of]) => [id, sheet.say(what), of(sheet)]),
  )
}

/** A box of what is to be minded: by line what it is about, and what is said of it. */
export function honestyBox(say: SheetSay, said: readonly (readonly [id: string, what: string, said: Said])[]): Html {
  const words = { holds: say('holds'), fails: say('mind'), unknown: say('not known') }
  const lines = said.map(
    ([id, what, own]) =>
      own &&
      html`<li data-item="${id}"><span class="what">${what}</span><p>${badge(own[0], words[own[0]])} ${own[1]}</p></li>
`,
  )
  return html`<section class="honesty" aria-labelledby="honesty-heading">
<h2 id="honesty-heading">${say('honesty')}</h2>
<ul>
${lines}</ul>
</section>
`
}
