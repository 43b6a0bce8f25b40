import { dayNumber } from '../../../contract/date.js'
import type { Say } from '../../../contract/say.js'
import { fact, isFact, type Words } from '../../../contract/sentence.js'
import { deflatedSharpe, probabilisticSharpe } from '../../analysis/performance/deflated-sharpe.js'
import { day, fixed, formatCount, listed, plain } from '../format-number.js'
import { type Html, html } from '../html.js'
import { honestyBox, type Said, saidLines } from '../page-header.js'
import { recordsOf } from '../report-tables.js'
import { sentences } from '../report-words.js'
import type { RunSheet } from './sheet-context.js'
import { classIn, instrument, percentText } from './sheet-parts.js'

const onlyReturns = ({ say }: RunSheet): Said => ['unknown', say('Not known: what was given does not say.')]

/** When it was decided and when it was filled, by the names of both. */
// biome-ignore format: a table, one rule a line
const fillWords: Readonly<Record<string, (say: Say) => string>> = {
  'close nextOpen': (say) => say('Decided at the close, filled at the next open.'),
  'close nextClose': (say) => say('Decided at the close, filled at the next close.'),
  'close nextVwap': (say) => say('Decided at the close, filled at the average price of the next bar.'),
  'close nextAuction': (say) => say('Decided at the close, filled at the open of the next bar, also in the opening auction.'),
  'close sameClose': (say) => say('Filled at the very close by which it was decided: nobody can trade at that price.'),
  'open nextOpen': (say) => say('Decided at the open, filled at the next open.'),
  'open nextClose': (say) => say('Decided at the open, filled at the next close.'),
  'open nextVwap': (say) => say('Decided at the open, filled at the average price of the next bar.'),
  'open nextAuction': (say) => say('Decided at the open, filled at the open of the next bar, also in the opening auction.'),
  'open sameClose': (say) => say('Decided at the open, filled at the close of the same bar.'),
}

function fillRule(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.options) return onlyReturns(sheet)
  const { decide, fill } = run.options.exec ?? { decide: 'close', fill: 'nextOpen' }
  const key = `${decide} ${fill}`
  return [key === 'close sameClose' ? 'fails' : 'holds', fillWords[key]?.(say) ?? key]
}

/** What the broker took, where the options of the run do not say it: by the rules that were in force on its last day. */
function assumedCommission({ say, run, own }: RunSheet): string {
  const day = own.days.at(-1) ?? ''
  const rows = (run?.commissions ?? []).filter(({ from, until }) => from <= day && (until === undefined || day < until))
  const rates = rows.map(({ boards, rate, min }, at) => {
    const [share, least] = [percentText(rate, 3).replace(/0%$/, '%'), plain(min)]
    const fee = say`${share}, at least ${least} yuan`
    return at === 0 ? fee : `${boards.map((one) => classIn(one, say)).join(say(fact('CAVEATS', ', ')))} ${fee}`
  })
  const which = rates.length > 0 ? say` (${rates.join(say('; '))})` : ''
  return say`The commission is an assumption${which}.`
}

function frictions(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.options) return onlyReturns(sheet)
  const { slippageTicks = 1, slippageBps, maxVolumeShare = 0.1, commission } = run.options
  const slip =
    slippageBps === undefined
      ? say`Slippage ${slippageTicks} tick(s), within the limits.`
      : say`Slippage ${slippageBps} basis points.`
  const share =
    maxVolumeShare === null
      ? say('No limit on the share of the volume: whatever is wanted is filled.')
      : say`At most ${percentText(maxVolumeShare, 0)} of a bar’s volume.`
  const fee = commission ? say('The commission is as the options give it.') : assumedCommission(sheet)
  const isFree = (slippageBps ?? slippageTicks) === 0 || maxVolumeShare === null
  return [isFree ? 'fails' : 'holds', sentences(sheet.say, slip, share, fee)]
}

function lookahead(sheet: RunSheet): Said {
  const { say, run } = sheet
  const check = run?.lookahead
  if (!check) return ['unknown', say(fact('CAVEATS', 'Not run.'))]
  if (check.ok)
    return [
      'holds',
      say`All decisions stayed the same when everything after ${check.cuts} of them was replaced by noise. That is no proof: what a strategy brings along from outside is not seen.`,
    ]
  if (check.why !== undefined) return ['fails', html`<bdi>${say(check.why)}</bdi>`]
  const { time = '', symbol, cut = '' } = check.firstDifference ?? {}
  const found = say`The strategy uses the future: its decision at ${time} changes when what came after ${cut} does. No figure below means anything.`
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
  const more = options.walkForward ? say`Walking forward ran ${formatCount(options.walkForward.trials)} accounts.` : ''
  const said =
    count === undefined
      ? say('How many variants were tried before this one was not said. Give sweep or trials.')
      : say`${formatCount(count)} variants were tried.`
  return ['unknown', sentences(sheet.say, said, more)]
}

function deflated(sheet: RunSheet): Said {
  const { say, options } = sheet
  const { count, probability, expected } = trialsOf(sheet)
  if (Number.isNaN(probability)) return ['unknown', say('Not defined: the returns are too few, or do not vary.')]
  const share = html`<data value="${String(Number(probability.toPrecision(10)))}">${percentText(probability, 1)}</data>`
  const rest =
    count === undefined
      ? say(' is the probability that the true Sharpe ratio is above 0, if this was the only trial.')
      : say` is the probability that the true Sharpe ratio is above 0 after a search of ${formatCount(count)} trials, the best of which would show ${fixed(expected, 2)} by luck alone. 95% is usually asked for.`
  const overfit = options.sweep?.overfitting
  const pbo = overfit ? say`Probability of overfitting (CSCV): ${percentText(overfit.probability, 0)}.` : ''
  const state = count === undefined ? 'unknown' : probability >= 0.95 ? 'holds' : 'fails'
  return [state, [share, sentences(sheet.say, rest, pbo)]]
}

function sampleLength(sheet: RunSheet): Said {
  const { say, own } = sheet
  const { intervals, observations, sharpe } = own.performance
  const [first, last] = [own.days[0], own.days.at(-1)].map((date) => dayNumber(date as string)) as [number, number]
  const isShort = last - first < 364
  const days = [
    say`${formatCount(observations)} returns.`,
    isShort ? say('That is less than a year: figures per year are extrapolated.') : '',
  ]
  const bounds = intervals?.sharpe
  if (!bounds || Number.isNaN(sharpe) || Number.isNaN(bounds.low))
    return ['fails', sentences(sheet.say, ...days, say('The Sharpe ratio is not defined.'))]
  const hasZero = bounds.low <= 0 && bounds.high >= 0
  const interval = say`95% interval of the Sharpe ratio: ${fixed(bounds.low, 2)} to ${fixed(bounds.high, 2)}.`
  const said = sentences(sheet.say, ...days, interval, hasZero ? say('It holds 0.') : '')
  return [isShort || hasZero ? 'fails' : 'holds', said]
}

function history(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.warnings) return onlyReturns(sheet)
  const warned: readonly Words[] = run.warnings
  const names = warned.flatMap((one) => (isFact(one) && one.code === 'NO_HISTORY' ? String(one.values.dataset) : []))
  return names.length === 0
    ? ['holds', say('None was used. Whether the data still holds what was delisted or redeemed is not known.')]
    : ['fails', say`${listed(names)}: today’s list alone is known, and decisions of the past used it.`]
}

/** Values of holdings that are of an earlier close. */
function staleValues(sheet: RunSheet): Said {
  const { say, run } = sheet
  if (!run?.positions) return onlyReturns(sheet)
  const all = recordsOf(run.positions, ['marked', 'tradedate', 'symbol'])
  const rows = all.filter(({ marked }) => marked === 'stale')
  if (rows.length === 0) return ['holds', say('Every holding was valued at a close of its day, every day.')]
  const days = new Set(rows.map(({ tradedate }) => tradedate)).size
  const symbols = [...new Set(rows.map(({ symbol }) => symbol))].sort()
  const some = symbols.slice(0, 8).map((symbol, at) => html`${at > 0 && ', '}${instrument(sheet, symbol)}`)
  const said = say`${formatCount(rows.length)} daily values on ${formatCount(days)} days are of an earlier close: suspended, or without a row:`
  return ['fails', html`${said} ${some}${symbols.length > 8 && ' …'}`]
}

const ruin = ({ say, ruined }: RunSheet): Said =>
  ruined === undefined
    ? undefined
    : ['fails', say`On ${day(ruined)} nothing was left. All figures are of the days up to it.`]

/** Codes of warnings that the box has an item of its own for. */
const told = ['FILLED_AT_CLOSE', 'LOOK_AHEAD', 'LOOK_AHEAD_CHECK', 'STALE_VALUES', 'NO_HISTORY']

/** What was said of the run beside what has a caveat of its own. */
function warnings({ run, say }: RunSheet): Said {
  const all: readonly Words[] = run?.warnings ?? []
  return saidLines(all.filter((one) => !isFact(one) || !told.includes(one.code ?? '')).map((one) => say(one)))
}

/** Of an account that was really traded: what was filled and paid is told by its broker. */
function realBox(sheet: RunSheet): Html {
  const { say } = sheet
  const fills = say('What was really filled and paid, by the statements of the broker.')
  const curve = say(
    'Money that came or went is left out of the curve: its returns are time-weighted. Figures in yuan are of the account itself.',
  )
  return honestyBox(say, [
    ['ruin', say('Nothing left'), ruin(sheet)],
    ['fill', say('Fills and costs'), ['holds', fills]],
    ['transfers', say('Money in and out'), ['holds', curve]],
    ['length', say('Length of the sample'), sampleLength(sheet)],
    ['stale', say('Suspended valuation'), staleValues(sheet)],
    ['warnings', say('Warnings of the run'), warnings(sheet)],
  ])
}

/** What speaks for the result and what against it, before any figure is believed. */
export function caveatsBox(sheet: RunSheet): Html {
  const { say } = sheet
  if (sheet.run?.real) return realBox(sheet)
  const trueSharpe = say('Probability that the true Sharpe ratio is above 0 (deflated Sharpe ratio)')
  return honestyBox(say, [
    ['ruin', say('Nothing left'), ruin(sheet)],
    ['fill', say('Fill rule'), fillRule(sheet)],
    ['frictions', say('Frictions'), frictions(sheet)],
    ['look-ahead', say('Look-ahead check'), lookahead(sheet)],
    ['trials', say('Trials'), trialCount(sheet)],
    ['deflated-sharpe', trueSharpe, deflated(sheet)],
    ['length', say('Length of the sample'), sampleLength(sheet)],
    ['history', say('Data without history'), history(sheet)],
    ['stale', say('Suspended valuation'), staleValues(sheet)],
    ['warnings', say('Warnings of the run'), warnings(sheet)],
  ])
}
