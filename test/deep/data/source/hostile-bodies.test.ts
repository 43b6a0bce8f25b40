// Deep: bodies of hundreds of megabytes.
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { reply, type Script } from '../../../helper/awkward-server.js'
import { ask, errorOf, params, server, sourceOf, useAwkwardServer } from '../../../helper/awkward-source.js'
import { cpuTime } from '../../../helper/cpu-time.js'

useAwkwardServer()

/** Bodies that are built to take memory or time, and bodies that say one thing twice. */

function packed(text: string | Uint8Array, status = 200): Script {
  return reply.raw(gzipSync(text), { status, headers: { 'content-encoding': 'gzip' } })
}

/** One text over and over, packed piece by piece: so many megabytes are never held here. */
function many(head: string, part: string, megabytes: number, tail: string, status = 200): Script {
  const piece = gzipSync(part.repeat(Math.floor(2 ** 20 / part.length)))
  const body = Buffer.concat([gzipSync(head), ...Array<Buffer>(megabytes).fill(piece), gzipSync(tail)])
  return reply.raw(body, { status, headers: { 'content-encoding': 'gzip' } })
}

const items = '{"code":200,"message":"success","data":{"fields":["symbol"],"items":['
const nested = '{"code":200,"message":"success","data":{"fields":["symbol"],"items":[["x"]],"meta":'

describe('bodies that would take all memory', () => {
  const bombs: [what: string, body: () => Script][] = [
    ['204 MB of empty rows in 199 KB', () => many(items, '[],', 195, '[]]}}')],
    ['12 MB of empty objects beside the rows', () => many(`${nested}[`, '{},', 36, '{}]}}')],
    ['240 MB of blanks', () => many('{', ' ', 240, '}')],
  ]
  test.each(bombs)('%s', async (_, body) => {
    const script = body()
    server.always(() => script)
    const before = process.memoryUsage().rss
    const began = cpuTime()
    const error = await errorOf(ask('etf_minute', params))
    expect(error).toMatchObject({ name: 'SourceError', code: 'ENVELOPE' })
    expect(server.requests).toHaveLength(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 30)
    expect(cpuTime() - began).toBeLessThan(8000)
  })

  test.each<[what: string, fields: string, row: (i: number) => string, count: number]>([
    [
      'the columns of a plain reply',
      '"tradedate","symbol","name"',
      (i) => `["20260701","${100_000 + (i % 900_000)}","n${i}"]`,
      700_000,
    ],
    [
      'a reply that has to be parsed',
      '"tradedate","symbol","name","x"',
      (i) => `["20260701","600000","n${i}",[]]`,
      700_000,
    ],
  ])('more different words than a reply may have, in %s', async (_, fields, row, length) => {
    const rows = Array.from({ length }, (__, i) => row(i)).join(',')
    const script = reply.raw(`{"code":200,"message":"success","data":{"fields":[${fields}],"items":[${rows}]}}`)
    server.always(() => script)
    const began = cpuTime()
    const asked = { startdate: '20260701', enddate: '20260701' }
    const error = await errorOf(
      ask('st', asked, { fields: ['tradedate', 'symbol', 'name'] }, sourceOf({ deadlines: {} })),
    )
    expect(error).toMatchObject({ name: 'SourceError', code: 'ENVELOPE' })
    expect(error).toMatchObject({
      message: expect.stringContaining('more than 524288 different codes, dates and labels'),
    })
    expect(server.requests).toHaveLength(1)
    expect(cpuTime() - began).toBeLessThan(8000)
  })

  test('more columns than any table has', async () => {
    const fields = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => `c${i}`))
    server.always(() => packed(`{"code":200,"message":"success","data":{"fields":${fields},"items":[]}}`))
    expect(await errorOf(ask('etf_minute', params))).toMatchObject({ code: 'ENVELOPE', message: /100000 columns/ })
  })
})
