// Deep: every lie put to every question, some 950 conversations.
import { expect, test } from 'vitest'
import { daysBetween } from '../../../../src/contract/day-list.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { lies } from '../../../helper/lies.js'
import { type Distortion, type Question, toldBy, truthfulOver, truthfulRows } from '../../../helper/lying-vendor.js'
import { memoryOf } from '../../../helper/memory-source.js'
import { sampleArchive } from '../../../helper/running-service.js'
import { bars } from '../../../helper/vendor.js'

const bonds = ['110059', '110073', '110085', '111002', '111010', '113021', '113050', '113052'].map(
  (code) => `${code}.SH`,
)
const etfs = ['159915.SZ', '159919.SZ', '159941.SZ', '510050.SH', '510300.SH', '510500.SH', '512880.SH', '513100.SH']

const sample = truthfulOver(await memoryOf(new Archive(sampleArchive, 'sample')))
const days = { from: '20260727', to: '20260729' }
const july = { startdate: '20260701', enddate: '20260729' }

const many = Array.from({ length: 500 }, (_, i) => `${510000 + i}.SH`)
const wide = truthfulRows(bars(many, '20260701'))
const on = daysBetween('20260601', '20260710')
const few = many.slice(0, 300)
const long = truthfulRows(
  on.flatMap((tradedate) =>
    few.map((code) => ({ tradedate, symbol: code.slice(0, 6), code, close: Number(code.slice(0, 6)) })),
  ),
)

const questions: readonly Question[] = [
  ['bonds × days', 'convertible_minute', { period: '30m', symbols: bonds }, { days }],
  ['etf 15m × days', 'etf_minute', { period: '15m', symbols: etfs }, { days }],
  ['etf 30m, a day', 'etf_minute', { period: '30m', symbols: etfs, tradedate: '20260728' }],
  ['all bonds × days', 'convertible_minute', { period: '30m' }, { days: { from: '20260728', to: '20260729' } }],
  ['a bucket × days', 'etf_minute', { period: '15m', symbols: etfs, trademin: '1000' }, { days }],
  ['daily, named', 'convertible_daily', { ...july, symbols: bonds }],
  ['daily, all', 'convertible_daily', july],
  ['st', 'st', july],
  ['southbound', 'southbound_top10', july],
  ['theme_daily', 'theme_daily', { type: 'tj', ...july }],
  ['theme_daily, named', 'theme_daily', { type: 'tj', symbols: ['880001', '880002', '880003', '880005'], ...july }],
  ['transfer_financing', 'transfer_financing', july],
  ['hotstock', 'hotstock', { type: 'ths&normal' }, { days }],
  ['qa', 'interactive_qa', {}],
  ['announcements', 'finance_announcement', {}],
  ['news', 'news', {}],
].map(([name, dataset, params, options]) => ({ name, dataset, params, options, truthful: sample }) as Question)

const large: readonly Question[] = [
  {
    name: 'bars of 500 codes',
    dataset: 'etf_minute',
    params: { period: '15m', symbols: many, tradedate: '20260701' },
    truthful: wide,
  },
  {
    name: 'daily, 300 named',
    dataset: 'convertible_daily',
    params: { startdate: '20260601', enddate: '20260710', symbols: few },
    truthful: long,
  },
]

/** What an honest vendor takes: questions whose grid is full take no more than their plan and what shows their size. */
test('an honest vendor is believed for few requests', async () => {
  const found: Record<string, string> = {}
  for (const question of [...questions, ...large]) {
    const { outcome, requests, about } = await toldBy(question, ({ items }) => ({ items }))
    found[question.name] = `${outcome} ${requests} ${about?.proof ?? ''}`.trim()
  }
  expect(found).toEqual({
    'bonds × days': 'right 3 grid',
    'etf 15m × days': 'right 6 probes',
    'etf 30m, a day': 'right 2 probes',
    'all bonds × days': 'unproven, all there 18',
    'a bucket × days': 'right 6 probes',
    'daily, named': 'right 3 probes',
    'daily, all': 'unproven, all there 7',
    st: 'right 2 probes',
    southbound: 'right 2 probes',
    theme_daily: 'right 1 calendar',
    'theme_daily, named': 'right 1 calendar',
    transfer_financing: 'right 3 probes',
    hotstock: 'unproven, all there 3',
    qa: 'right 2 total',
    announcements: 'right 2 total',
    news: 'right 3 probes',
    'bars of 500 codes': 'right 2 grid',
    'daily, 300 named': 'right 2 calendar',
  })
})

const oneADay = ['bonds × days', 'etf 15m × days', 'a bucket × days']
/** What no client can know: one request a day overlaps with no other, codes that nobody named, and what is lost by chance each time. */
const unknowable: Readonly<Record<string, readonly string[]>> = {
  'last code partial': ['st'],
  'last code gone': ['st'],
  'nodes take turns, other values': oneADay,
  // All of the answer is of the later state in the last two.
  'changed after the first request': [...oneADay, 'qa', 'announcements', 'bars of 500 codes'],
  'a cap that changes': ['news'],
  // The order of an answer whose order rests on columns that are not sent.
  'rows swapped inside a page': ['announcements'],
}
const byChance = ['rows at random, others each time']
const isForLarge = (kind: string, name: string): boolean =>
  /^(bytes (64|120|250),000|rows at random of several codes|one row of several codes)$/.test(name) ||
  (kind === 'snapshots' && !name.startsWith('a cap'))

const kinds = Object.keys(lies) as (keyof typeof lies)[]
const cases = kinds.flatMap((kind) => Object.keys(lies[kind]).map((name) => [kind, name] as const))
test.each(cases)('%s: %s: never complete over other rows than there are', async (kind, name) => {
  const lie = lies[kind][name] as Distortion
  const wrong: string[] = []
  for (const question of [...questions, ...(isForLarge(kind, name) ? large : [])]) {
    const { outcome, requests, about, note } = await toldBy(question, lie)
    if (process.env.SHOW) {
      console.log([`${kind}: ${name}`, question.name, outcome, requests, about?.proof ?? '', note].join(' | '))
    }
    expect(outcome).not.toBe('refused ERROR')
    if (outcome === 'wrong') wrong.push(question.name)
  }
  if (byChance.includes(name)) expect(wrong.length).toBeLessThanOrEqual(3)
  else expect(wrong).toEqual(unknowable[name] ?? [])
})
