import { backtest, checkLookahead, type Data, fromRows, type Panel, type Strategy } from 'quotebook'
import { expect, test } from 'vitest'
import { chances } from '../../helper/chance.js'
import { barsOf, days, free, marketOf, type PriceName, rowsOf, thrownBy } from '../../promise/helper/prices.js'

const codes = Array.from({ length: 6 }, (_, at) => `60000${at}.SH`)
const top = { n: 2, side: 'highest' } as const
type One = Strategy<PriceName>
type Read = (panel: Panel<PriceName>) => ArrayLike<number>

/** Closes that wander, in whole cents. */
function walk(seed: number, length: number): number[] {
  const chance = chances(seed + 1)
  let price = 1000 + (seed % 500)
  return Array.from({ length }, () => {
    price = Math.max(200, price + Math.floor(chance() * 41) - 20)
    return price / 100
  })
}

const market = marketOf(
  codes.flatMap((code, at) => rowsOf(code, walk(at * 7919, days.length))),
  { st: fromRows(days.map((tradedate) => ({ tradedate, code: '600003.SH' }))) as Data },
)
const minutes = ['1000', '1030', '1100', '1130']
const bars = marketOf(
  codes.flatMap((code, at) =>
    barsOf(
      code,
      minutes,
      days.slice(0, 12).map((_, day) => walk(at * 7919 + day, 4)),
    ),
  ),
)
const ended = marketOf(
  codes.flatMap((code, at) => rowsOf(code, walk(at * 7919, at === 5 ? 30 : days.length))),
  { delistings: [{ symbol: '600005.SH', day: days[30] as string }] },
)

/** Scores by the closes so many times ahead, on the times that are named; by the close elsewhere. */
const ahead = (steps: number, isPeek: (time: number) => boolean, read: Read): One => ({
  prepare: (panel) => {
    const values = read(panel)
    const perDay = panel.minutes.length
    const timeOf = (day: string, minute: string): number =>
      panel.days.indexOf(day) * perDay + panel.minutes.indexOf(minute)
    const score = (bar: { day: string; minute: string; index: number; close: number }): number => {
      const time = timeOf(bar.day, bar.minute)
      return isPeek(time) ? (values[(time + steps) * 6 + bar.index] ?? 0) : bar.close
    }
    return { score, pick: top, when: { at: 'every bar' } }
  },
})
const closes: Read = ({ cols }) => cols.close
const always = (): boolean => true

let calls = 0
const remembering = (which: (time: number) => number): One => {
  const seen = new Map<number, number>()
  return {
    score: ({ day, index, close }) => {
      const time = days.indexOf(day)
      seen.set(time * 6 + index, close)
      return seen.get(which(time) * 6 + index) ?? close
    },
    pick: top,
  }
}

const planted: Readonly<Record<string, readonly [Panel<PriceName>, One]>> = {
  'tomorrow, always': [market, ahead(1, always, closes)],
  'tomorrow, on the first day alone': [market, ahead(1, (time) => time === 0, closes)],
  'the last day, on the first day alone': [market, ahead(43, (time) => time === 0, closes)],
  'ten days on, in the middle alone': [market, ahead(10, (time) => time === 22, closes)],
  'tomorrow, on the last day that has one': [market, ahead(1, (time) => time === 42, closes)],
  'twelve days on, every eleventh day': [market, ahead(12, (time) => time % 11 === 3, closes)],
  'tomorrow, every eleventh day': [market, ahead(1, (time) => time % 11 === 3, closes)],
  'by column()': [market, ahead(2, always, (panel) => panel.column('open'))],
  'by a copy of all columns': [market, ahead(2, always, ({ cols }) => ({ ...cols }).close)],
  'by another panel': [market, ahead(2, always, (panel) => panel.withColumns({ x: panel.cols.vol }).cols.x)],
  'by a column that it changes': [
    market,
    ahead(2, always, ({ cols }) => {
      ;(cols as Record<string, Float64Array>)['close'] = cols.close.map((value) => -value)
      return cols.close
    }),
  ],
  'by columns that are read when it scores': [
    market,
    {
      prepare: ({ cols, days: own }) => ({
        score: (bar) => cols.close[(own.indexOf(bar.day) + 1) * 6 + bar.index] ?? 0,
        pick: top,
      }),
    },
  ],
  'by a preparation within a preparation': [market, { prepare: () => ahead(3, always, closes) }],
  'by rows': [ended, ahead(3, always, ({ present }) => present.map((one) => 1 - one))],
  'by ST': [market, ahead(3, always, ({ marked }) => marked as Uint8Array)],
  'by delistings': [
    ended,
    ahead(0, always, ({ instruments, times }) =>
      Array.from({ length: times * 6 }, (_, cell) => (instruments[cell % 6]?.end ? 1 : 0)),
    ),
  ],
  'by the hash': [
    market,
    ahead(0, always, ({ hash, times }) =>
      Array.from({ length: times * 6 }, (_, cell) => Number.parseInt(hash.slice(cell % 6, (cell % 6) + 4), 16)),
    ),
  ],
  'by the days on which it decides': [
    market,
    {
      prepare: ({ cols, days: own }) => ({
        score: (bar) => bar.close,
        pick: top,
        when: { days: own.filter((_, day) => (cols.close[(day + 1) * 6] ?? 0) > (cols.close[day * 6] as number)) },
      }),
    },
  ],
  'by orders': [
    market,
    {
      prepare: ({ cols }) => ({
        orders: ({ time }) =>
          time % 4 === 0 && (cols.close[(time + 1) * 6] ?? 0) > (cols.close[time * 6] as number)
            ? [{ symbol: '600000.SH', side: 'buy', shares: 100 }]
            : [],
      }),
    },
  ],
  'by weights': [
    market,
    {
      prepare:
        ({ cols }) =>
        ({ time }) => ({ '600001.SH': (cols.close[(time + 5) * 6 + 1] ?? 0) > 10 ? 0.5 : 0.25 }),
    },
  ],
  'the next bar': [bars, ahead(1, always, closes)],
  'the close of the day, at its second bar': [bars, ahead(2, (time) => time % 4 === 1, closes)],
  'a counter': [market, { score: ({ index }) => (calls++ % 7) + index, pick: top }],
  'what an earlier run has seen': [market, remembering((time) => time + 1)],
  'what an earlier run has seen, of the past': [market, remembering((time) => time - 1)],
  'nothing ahead': [market, ahead(-1, always, closes)],
  'nothing ahead, of bars': [bars, ahead(0, always, closes)],
  'nothing ahead, with a memory of its own': [
    market,
    {
      prepare: () => {
        const seen: number[] = []
        return { score: (bar) => (seen.push(bar.close) > 12 ? (seen.at(-12) as number) : bar.close), pick: top }
      },
    },
  ],
}

/** What a check finds that runs the account and the strategy anew for each of its cuts: verdict, cuts, decision, code, cut. */
const verdicts: Readonly<Record<string, string>> = {
  'tomorrow, always': 'false 8 20260824 600001.SH 20260824',
  'tomorrow, on the first day alone': 'true 8',
  'the last day, on the first day alone': 'false 8 20260701 600003.SH 20260824',
  'ten days on, in the middle alone': 'false 8 20260731 600001.SH 20260810',
  'tomorrow, on the last day that has one': 'true 8',
  'twelve days on, every eleventh day': 'false 8 20260721 600002.SH 20260803',
  'tomorrow, every eleventh day': 'false 8 20260721 600002.SH 20260721',
  'by column()': 'false 8 20260821 600001.SH 20260824',
  'by a copy of all columns': 'false 8 20260821 600001.SH 20260824',
  'by another panel': 'false 8 20260821 600000.SH 20260824',
  'by a column that it changes': 'false 8 20260821 600000.SH 20260824',
  'by columns that are read when it scores': 'false 8 20260824 600001.SH 20260824',
  'by a preparation within a preparation': 'false 8 20260820 600001.SH 20260824',
  'by rows': 'false 8 20260807 600005.SH 20260810',
  'by ST': 'false 8 20260820 600003.SH 20260824',
  'by delistings': 'false 8 20260701 600005.SH 20260810',
  'by the hash': 'false 8 20260701 600001.SH 20260817',
  'by the days on which it decides': 'false 8 20260803  20260803',
  'by orders': 'false 4 20260810  20260810',
  'by weights': 'false 8 20260819 600001.SH 20260824',
  'the next bar': 'false 8 20260715 1030 600001.SH 20260715 1030',
  'the close of the day, at its second bar': 'false 8 20260715 1030 600001.SH 20260715 1030',
  'a counter': 'false 8 20260701 600004.SH 20260824',
  'what an earlier run has seen': 'false 8 20260717 600001.SH 20260824',
  'what an earlier run has seen, of the past': 'true 8',
  'nothing ahead': 'true 8',
  'nothing ahead, of bars': 'true 8',
  'nothing ahead, with a memory of its own': 'true 8',
}

test.each(Object.keys(planted))('%s', (name) => {
  const [over, strategy] = planted[name] as (typeof planted)[string]
  const { ok, cuts, firstDifference } = checkLookahead(over, strategy, free)
  expect([ok, cuts, ...Object.values(firstDifference ?? {})].join(' ')).toBe(verdicts[name])
})

test('chance is found', () => {
  const { ok, cuts, firstDifference } = checkLookahead(market, { score: () => Math.random(), pick: top }, free)
  expect([ok, cuts, firstDifference?.cut]).toEqual([false, 8, '20260824'])
})

const atOpen = { exec: { decide: 'open', fill: 'nextOpen' } } as const
test.each([
  ['lag(-1)', { score: (bar) => bar.lag('close', -1), pick: top }, {}],
  ['lag(-0.5)', { score: (bar) => bar.lag('close', -0.5), pick: top }, {}],
  ['a mean of -2', { score: (bar) => bar.mean('close', -2), pick: top }, {}],
  ['the close at the open', { score: (bar) => bar.close, pick: top }, atOpen],
  ['its lag(0)', { score: (bar) => bar.lag('close', 0), pick: top }, atOpen],
  ['its mean', { score: (bar) => bar.mean('close', 3), pick: top }, atOpen],
  ['its cross section', ({ close }) => ({ '600000.SH': (close[0] as number) > 10 ? 1 : 0 }), atOpen],
] as [string, One, object][])('a bar does not show what is later: %s', (_, strategy, more) => {
  expect(thrownBy(() => backtest(market, strategy, { ...free, ...more }))).toMatch(/^(LOOK_AHEAD|USAGE: mean)/)
})
