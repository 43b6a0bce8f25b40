import { connect, provenance, toObjects } from 'quotebook'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { quotebook } from './helper/command.js'
import { closeAll, errorOf, marketOf, noData, vendor } from './helper/vendor.js'

/** Codes that can't be meant, and days on which there is nothing: what is said in the place of a bare empty table. */

const market = await connect()
afterAll(() => market.close())
afterEach(closeAll)
const bonds = (params: object) => market.query('convertible_daily', params)
const noteOf = async (params: object): Promise<string> => String(provenance(await bonds(params))?.note)

describe('a code that can be none of the dataset is refused, with what was probably meant', () => {
  test.each([
    ['sz110059', "a code is written as 110059.SH. Did you mean '110059.SH'?"],
    ['12312', 'it has 5 digits, not 6. Near it: 123124.SZ.'],
    ['123124.SH', "its number is of SZ, not of SH. Did you mean '123124.SZ'?"],
    ['600519', 'it is the code of a stock.'],
  ])('%s, alone and beside a right one', async (code, why) => {
    const message = `symbols: '${code}' is no code of convertible_daily: ${why}`
    for (const symbols of [code, ['123124', code]])
      expect(await errorOf(bonds({ symbols }))).toMatchObject({ code: 'INVALID_PARAMS', field: 'symbols', message })
    const typed = await here('query', 'convertible_daily', `symbols=${code}`)
    expect(typed).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
  })

  test('also if a service is asked', async () => {
    const { url } = await vendor(() => noData)
    const live = await marketOf(url)
    const error = await errorOf(live.query('convertible_daily', { symbols: '123124.SH', tradedate: '20260701' }))
    expect(error.message).toContain("Did you mean '123124.SZ'?")
  })

  test('whatever has rows is a right code, and so is one without rows on a day', async () => {
    for (const symbols of ['123124', '123124.SZ', '123124.sz']) expect((await bonds({ symbols })).numRows).toBe(1)
    const index = await market.query('theme_daily', { type: 'tj', symbols: '880047' })
    expect(toObjects(index)[0]).toMatchObject({ symbol: '880047' })
    expect((await market.query('st', { symbols: '600519' })).numRows).toBe(0)
  })
})

describe('an empty table says why it is empty', () => {
  test.each([
    ['20260726', '20260726 is no trading day: a Sunday; beside it are 20260724 and 20260727'],
    ['20260619', '20260619 is no trading day: Dragon Boat Festival; beside it are 20260618 and 20260622'],
    ['20261002', '20261002 is no trading day: National Day; beside it are 20260930 and 20261008'],
    ['20260730', 'convertible_daily goes from 20260506 to 20260729 here'],
  ])('on %s', async (tradedate, why) => {
    expect(await noteOf({ symbols: '123124', tradedate })).toContain(why)
    const { code, err } = await here('query', 'convertible_daily', 'symbols=123124', `tradedate=${tradedate}`)
    expect([code, err]).toEqual([0, expect.stringContaining(why)])
  })

  test('over a range, and of a service that says no more than that there is no data', async () => {
    const range = { startdate: '20261001', enddate: '20261007' }
    expect(await noteOf(range)).toContain(
      '20261001 to 20261007 has no trading day: National Day; beside it are 20260930 and 20261008',
    )
    const { url } = await vendor(() => noData)
    const live = await marketOf(url)
    const sunday = await live.query('convertible_daily', { tradedate: '20260726' })
    expect(String(provenance(sunday)?.note)).toContain('a Sunday')
  })

  test('of a code that may be one and is not there, with those that are a digit away', async () => {
    expect(await noteOf({ symbols: '123125' })).toBe(
      '123125 is not among the latest codes of convertible_daily; near it: 123124.SZ',
    )
    const { err } = await here('query', 'convertible_daily', 'symbols=123124,123999')
    expect(err).toMatch(/^no rows of 123999$/m)
  })

  test('in Chinese, with the name of the holiday', () => {
    const { err } = quotebook(['query', 'convertible_daily', 'tradedate=20261002', '--lang', 'zh'])
    expect(err).toContain('20261002 不是交易日（国庆节），前后交易日为 20260930 与 20261008')
  })
})
