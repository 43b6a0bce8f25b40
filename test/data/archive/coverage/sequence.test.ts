import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { daysBetween } from '../../../../src/contract/day-list.js'
import type { QueryOptions } from '../../../../src/data/source/source.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { stand } from './growing.js'

interface Query {
  readonly name: string
  readonly params: Record<string, unknown>
  readonly options: QueryOptions
}

/** One more query, or a day that passes, or numbers of the latest day that move. */
type Step = Query | 'day' | 'tick' | 'reopen'

const dates = fc.constantFrom(...daysBetween('20260706', '20260724'), '20260711', '20260712', '20260819')
const range = fc.tuple(dates, dates).map((pair) => [...pair].sort() as [string, string])

const days = fc.oneof(
  range.filter(([from, to]) => daysBetween(from, to).length > 0).map(([from, to]) => ({ from, to })),
  fc.uniqueArray(dates, { minLength: 1, maxLength: 4 }),
)
const codes = (...list: string[]) => fc.uniqueArray(fc.constantFrom(...list), { minLength: 1, maxLength: 3 })
const etfs = codes('510300.SH', '159915.SZ', '510500.SH', '510300', '159915', '599999.SH')
const bonds = codes('123124.SZ', '110059.SH', '123124', '110059', '119999.SH')
const period = fc.constantFrom('15m', '30m')

const dated = range.chain(([from, to]) =>
  fc.constantFrom<Record<string, unknown>>(
    { startdate: from, enddate: to },
    { startdate: from },
    { enddate: to },
    { tradedate: from },
    {},
  ),
)
const undated = dated.filter((params) => !('tradedate' in params))
const perhaps = <T>(arbitrary: fc.Arbitrary<T>, name: string) =>
  fc.option(arbitrary, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }))

function fieldsOf(name: string): fc.Arbitrary<readonly string[] | undefined> {
  const columns = Object.entries(datasetOf(name).columns).filter(([, { mode }]) => mode !== 'latest')
  const names = columns.map(([column]) => column)
  return fc.option(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), { nil: undefined })
}

function query(
  name: string,
  params: fc.Arbitrary<Record<string, unknown>>,
  listed: fc.Arbitrary<QueryOptions['days']> = fc.constant(undefined),
): fc.Arbitrary<Query> {
  return fc
    .tuple(params, listed, fieldsOf(name))
    .map(([given, chosen, fields]) => ({ name, params: given, options: { days: chosen, fields, whole: true } }))
}

const all = (...parts: fc.Arbitrary<Record<string, unknown>>[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(...parts).map((list) => Object.assign({}, ...list) as Record<string, unknown>)
const of = (values: Record<string, unknown>) => fc.constant(values)

const minutes = [
  query('etf_minute', fc.record({ symbols: etfs, period }), days),
  query('etf_minute', fc.record({ symbols: etfs, period, tradedate: dates })),
  query('convertible_minute', fc.record({ symbols: bonds }), days),
]
const daily = [
  query('convertible_daily', all(dated, perhaps(bonds, 'symbols'))),
  query('theme_daily', all(dated, of({ type: 'tj' }))),
  query('southbound_top10', all(dated, perhaps(codes('2', '4'), 'market_type'), perhaps(codes('00700.HK'), 'symbols'))),
  query('st', all(undated, perhaps(codes('ST', '*ST'), 'type'), perhaps(codes('000005', '600001.SH'), 'symbols'))),
]
const oneDay = [
  query('hotstock', fc.record({ type: fc.constantFrom('ths&normal', 'xq&resou') }), days),
  query('hotstock', fc.record({ type: fc.constantFrom('ths&normal'), tradedate: dates })),
  query('anomaly_forecast', perhaps(codes('002415', '300750'), 'symbols'), days),
  query('anomaly_forecast', fc.record({ tradedate: dates })),
]

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.constantFrom('day', 'tick', 'reopen') as fc.Arbitrary<Step>, weight: 1 },
  ...[minutes, daily, oneDay].map((list) => ({ arbitrary: fc.oneof(...list) as fc.Arbitrary<Step>, weight: 2 })),
)

test('any sequence of queries, while days pass, is answered as the service answers it, with one request more at most', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { growing, plain, another, sentBy, close } = await stand('20260715')
      let kept = another()
      try {
        for (const one of steps) {
          if (one === 'day') {
            growing.until = daysBetween(growing.until, '20260729')[1] ?? growing.until
            growing.tick = 0
          } else if (one === 'tick') growing.tick++
          else if (one === 'reopen') kept = another()
          else {
            const { name, params, options } = one
            const dataset = datasetOf(name)
            let truth = ''
            let answer = ''
            const own = await sentBy(async () => {
              truth = digest(await plain.query(dataset, params, options))
            })
            const sent = await sentBy(async () => {
              answer = digest(await kept.query(dataset, params, options))
            })
            expect(answer, JSON.stringify(one)).toBe(truth)
            expect(sent.length, JSON.stringify(one)).toBeLessThanOrEqual(own.length + 1)
          }
        }
      } finally {
        await close()
      }
    }),
    { numRuns: 8 },
  )
})
