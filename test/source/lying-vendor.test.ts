import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { daysBetween } from '../../src/contract/day-list.js'
import { lies } from '../helper/lies.js'
import { type Distortion, type Question, toldBy, truthfulOver, truthfulRows } from '../helper/lying-vendor.js'
import { memoryOf } from '../helper/memory-source.js'
import { sampleArchive } from '../helper/running-service.js'
import { bars } from '../helper/vendor.js'

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

test('an honest vendor', async () => {
  for (const question of [...questions, ...large]) {
    const told = await toldBy(question, ({ items }) => ({ items }))
    if (process.env.SHOW)
      console.log(
        `honest | ${question.name} | ${told.outcome} | ${told.requests} | ${told.about?.proof} | ${told.note}`,
      )
    expect(told.outcome).not.toBe('wrong')
  }
})

const kinds = Object.keys(lies) as (keyof typeof lies)[]
test.each(kinds.flatMap((kind) => Object.keys(lies[kind]).map((name) => [kind, name] as const)))(
  '%s: %s',
  async (kind, name) => {
    const lie = lies[kind][name] as Distortion
    for (const question of kind === 'snapshots' || kind === 'partial' ? [...questions, ...large] : questions) {
      const told = await toldBy(question, lie)
      if (process.env.SHOW)
        console.log(
          `${kind}: ${name} | ${question.name} | ${told.outcome} | ${told.requests} | ${told.about?.proof ?? ''} | ${told.note}`,
        )
    }
  },
)
