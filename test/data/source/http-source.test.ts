import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { reply } from '../../helper/awkward-server.js'
import { server, sourceOf, useAwkwardServer } from '../../helper/awkward-source.js'
import { type Asked, bars, type Row, replyFor, truth } from '../../helper/vendor.js'

useAwkwardServer()

/** Requests that are shared, given up, counted and shown. */
const day = '20260701'
const symbols = Array.from({ length: 800 }, (_, i) => `${510000 + i}.SH`)
const params = { symbols, tradedate: day, period: '15m' }
const rows = bars(symbols, day)

function honest(all: readonly Row[] = rows, cap = 6000): void {
  server.always((request) => reply.json(replyFor(all, request.body, { cap })))
}

const ofDataset = datasetOf('etf_minute')

test('the first error ends it all: what is still under way is given up', async () => {
  server.always((request) => {
    const { symbols: asked } = (request.body as Asked).params as { symbols: string[] }
    return asked.includes('510000.SH') ? reply.json({ code: 403, message: 'no', data: null }) : reply.silence()
  })
  const source = sourceOf()
  await expect(source.query(ofDataset, params, { whole: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await source.close()
  await server.settled(0)
  expect(server.requests.length).toBeLessThanOrEqual(3)
})

test('what is planned is what is asked', async () => {
  honest()
  const source = sourceOf()
  for (const [given, days] of [
    [params, undefined],
    [{ symbols, trademin: '1030', period: '15m' }, undefined],
    [{ symbols: symbols.slice(0, 400), period: '15m' }, ['20260630', '20260701']],
  ] as const) {
    const before = server.requests.length
    const { requests, lines } = await source.explain(ofDataset, given, { whole: true, days })
    expect(server.requests.length).toBe(before)
    expect(`${lines[0]}`).toContain(`${requests} request`)
    await source.query(ofDataset, given, { whole: true, days })
    // Where there are several parts, some rows of all are asked for once more.
    expect(server.requests.length - before).toBe(requests === 1 ? 1 : requests + 1)
  }
})

test('codes in two spellings are asked once and answered once', async () => {
  honest()
  const given = { symbols: ['510001', '510001.SH', '510002.sh', '510001.SH'], tradedate: day, period: '15m' }
  const table = await sourceOf().query(ofDataset, given, { whole: true })
  expect(toObjects(table)).toEqual(truth(rows, 'etf_minute', { ...given, symbols: ['510001.SH', '510002.SH'] }))
})
