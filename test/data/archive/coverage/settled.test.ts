import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { exchangeOf } from '../../../../src/contract/symbol.js'
import { strings } from '../../../../src/frame/read-columns.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { stand } from './growing.js'

const etf = datasetOf('etf_minute')
const one = { symbols: ['510300.SH'], period: '15m' }
const whole = { whole: true }
const week = { startdate: '20260706', enddate: '20260710' }

test('a day that ends between the question for the latest and the question for its rows is not kept', async () => {
  const moved = await stand('20260715', ({ params }) => {
    if (params?.tradedate === '20260715') moved.growing.until = '20260716'
    return false
  })
  const { growing, plain, kept } = moved
  growing.tick = 5
  await kept.query(etf, { ...one, tradedate: '20260715' }, whole)
  growing.tick = 0
  const table = await kept.query(etf, { ...one, tradedate: '20260715' }, whole)
  expect(digest(table)).toBe(digest(await plain.query(etf, { ...one, tradedate: '20260715' }, whole)))
})

test('rows of a question that is still open from the day before are not kept', async () => {
  const { growing, plain, kept } = await stand('20260715', undefined, 4)
  const params = { ...one, tradedate: '20260715' }
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const isHeld = new Promise<void>((resolve) => {
    growing.hold = async (asked) => {
      if ((asked as typeof params).tradedate !== '20260715') return
      growing.hold = undefined
      resolve()
      await held
    }
  })
  growing.tick = 5
  const early = kept.query(etf, params, whole)
  await isHeld
  growing.until = '20260716'
  const late = kept.query(etf, params, whole)
  await new Promise((resolve) => setTimeout(resolve, 200))
  release()
  await Promise.all([early, late])
  const truth = digest(await plain.query(etf, params, whole))
  for (let time = 0; time < 2; time++) expect(digest(await kept.query(etf, params, whole))).toBe(truth)
})

test('a hot list is settled by the list of the next day', async () => {
  const { growing, kept, sentBy } = await stand('20260715')
  const hot = datasetOf('hotstock')
  const params = { type: 'ths&normal', tradedate: '20260715' }
  for (let time = 0; time < 2; time++) expect(await sentBy(() => kept.query(hot, params, whole))).toHaveLength(2)
  growing.until = '20260717'
  expect(await sentBy(() => kept.query(hot, params, whole))).toHaveLength(2)
  expect(await sentBy(() => kept.query(hot, params, whole))).toHaveLength(0)
  const days = { ...whole, days: { from: '20260713', to: '20260717' } }
  const other = { type: 'xq&resou' }
  await sentBy(() => kept.query(hot, other, days))
  expect(await sentBy(() => kept.query(hot, other, days))).toHaveLength(6)
  expect((await sentBy(() => kept.query(hot, other, days))).map((sent) => sent.params?.tradedate)).toEqual([
    '20260720',
    '20260717',
  ])
})

test('a past day without any row is asked again: its batch may come later', async () => {
  const { growing, plain, kept, sentBy } = await stand('20260715')
  growing.unpublished.add('20260709')
  const options = { ...whole, days: { from: '20260708', to: '20260710' } }
  expect((await kept.query(etf, one, options)).numRows).toBe(2 * 17)
  expect(await sentBy(() => kept.query(etf, one, options))).toHaveLength(1)
  growing.unpublished.clear()
  const table = await kept.query(etf, one, options)
  expect(digest(table)).toBe(digest(await plain.query(etf, one, options)))
  expect(await sentBy(() => kept.query(etf, one, options))).toHaveLength(0)
})

test('a past day of which only the first batch is there is not kept; the whole of it is', async () => {
  const { growing, kept, sentBy } = await stand('20260715')
  growing.isThere = (_, day, minute = '') => day !== '20260709' || minute <= '1130'
  const params = { ...one, tradedate: '20260709' }
  expect((await kept.query(etf, params, whole)).numRows).toBe(9)
  growing.isThere = () => true
  expect((await kept.query(etf, params, whole)).numRows).toBe(17)
  expect(await sentBy(() => kept.query(etf, params, whole))).toEqual([])
})

test('a code without rows on a day that has some is known to have none', async () => {
  const { plain, kept, sentBy } = await stand('20260715')
  const params = { symbols: ['510300.SH', '599999.SH'], period: '15m' }
  const options = { ...whole, days: { from: '20260708', to: '20260710' } }
  const truth = await plain.query(etf, params, options)
  const about = { without: { symbols: ['599999.SH'] }, complete: true }
  for (let time = 0; time < 2; time++) {
    const table = await kept.query(etf, params, options)
    expect(digest(table)).toBe(digest(truth))
    expect(provenance(table)).toMatchObject(about)
  }
  expect(await sentBy(() => kept.query(etf, { ...params, symbols: ['599999.SH'] }, options))).toHaveLength(0)
})

test('a service that does not know a spelling is not taken to have no rows', async () => {
  let unknown: string | undefined
  const { kept, plain, sentBy } = await stand('20260715', ({ params }, response) => {
    const symbols = (params?.symbols ?? []) as string[]
    if (unknown === undefined || symbols.length !== 1 || symbols[0] !== unknown) return false
    response.writeHead(200).end(JSON.stringify({ code: 1002, message: 'no data', data: null }))
    return true
  })
  const options = { ...whole, days: { from: '20260708', to: '20260710' } }
  const ask = async (symbols: string[]) => (await kept.query(etf, { symbols }, options)).numRows
  unknown = '510300'
  expect(await ask(['510300.SH'])).toBe(27)
  expect(await ask(['510300'])).toBe(0)
  expect(await ask(['510300.SH'])).toBe(27)
  unknown = undefined
  expect(await ask(['510300'])).toBe(27)

  const st = datasetOf('st')
  await kept.query(st, week, whole)
  const [bare = ''] = strings(await plain.query(st, week, whole), 'symbol')
  expect(await sentBy(() => kept.query(st, { ...week, symbols: bare ?? '' }, whole))).toEqual([])
  unknown = `${bare}.${exchangeOf(bare ?? '')}`
  expect((await plain.query(st, { ...week, symbols: unknown }, whole)).numRows).toBe(0)
  expect((await kept.query(st, { ...week, symbols: unknown }, whole)).numRows).toBe(0)
})
