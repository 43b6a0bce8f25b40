import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import type { HttpSource } from '../../../../src/data/source/http-source.js'
import { maskKey } from '../../../../src/data/source/reply/mask-key.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { reply, type Script } from '../../../helper/awkward-server.js'
import { server, sourceOf, useAwkwardServer } from '../../../helper/awkward-source.js'
import { bars, type Data, replyFor } from '../../../helper/vendor.js'

useAwkwardServer()

/** The key is in the bodies of requests and nowhere else, whatever a service sends back. */
const keys = ['sk-live-7Qd2mVx9ZpLr4TnA8cYbE3', 'weird "key" <with> & \\ 密钥 + spaces/=', '4815162342']

function spellingsOf(key: string): string[] {
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), key.replaceAll('"', '\\\\"')]
}

/** Pieces of eight letters and more of the key, in any spelling, in a text. */
function leaks(text: string, key: string): string[] {
  return spellingsOf(key).flatMap((spelling) =>
    Array.from({ length: Math.max(1, spelling.length - 7) }, (_, i) => spelling.slice(i, i + 8)).filter((part) =>
      text.includes(part),
    ),
  )
}

/** All that can be seen of a value. */
function seen(value: unknown): string {
  const deep = inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null })
  const error = value instanceof Error ? `${value.stack} ${value.message} ${String(value)} ${seen(value.cause)}` : ''
  const own =
    typeof value === 'object' && value !== null
      ? Reflect.ownKeys(value).map((name) => inspect(Reflect.get(value, name)))
      : []
  return [
    deep,
    error,
    JSON.stringify(value),
    JSON.stringify(value, Object.getOwnPropertyNames(value ?? {})),
    ...own,
  ].join('\n')
}

function sourceFor(key: string, logs: unknown[]): HttpSource {
  return sourceOf({
    apikey: key,
    retry: { attempts: 2, baseMs: 1, capMs: 2, budgetMs: 500 },
    deadlines: { headers: 400, body: 400, call: 800 },
    onRequest: (log) => void logs.push(log),
    onExtraColumn: (extra) => void logs.push(extra),
  })
}

const params = { symbols: ['510300.SH'], tradedate: '20260701', period: '15m' }
const value = replyFor(bars(['510300.SH'], '20260701'), { apiname: 'etf_minute', params })

function changed(change: (data: Data) => unknown): Script {
  return reply.json({ ...value, data: change(value.data as Data) })
}

function withCell(name: string, cell: unknown): Script {
  return changed((data) => ({
    ...data,
    items: data.items.map((row) => row.map((old, c) => (data.fields[c] === name ? cell : old))),
  }))
}

/** The key where it is a number. */
function digits(key: string): string {
  return /^\d+$/.test(key) ? key : '77'
}

/** A service that sends the key back where it can, beside the places of test/promise. */
const echoes: [what: string, script: (key: string) => Script][] = [
  [
    'text of a page',
    (key) => reply.raw(`<p>${key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</p>`),
  ],
  [
    'header',
    (key) => reply.html(502, { headers: { 'x-key': encodeURIComponent(key), server: encodeURIComponent(key) } }),
  ],
  ['header that is quoted', (key) => reply.raw('{}', { headers: { 'content-encoding': encodeURIComponent(key) } })],
  ['broken JSON', (key) => reply.raw(`{"code":200,"message":"success","x":${JSON.stringify(key)} ${key}}`)],
  ['cell of numbers, at the place where it is cut', (key) => withCell('close', 'y'.repeat(40) + key)],
  ['cell of times', (key) => withCell('time', key)],
  [
    'name of a column whose number is none',
    (key) =>
      reply.raw(
        JSON.stringify({
          ...value,
          data: {
            fields: [...(value.data as Data).fields, key],
            items: (value.data as Data).items.map((row) => [...row, 7777]),
          },
        }).replaceAll('7777', '1e999'),
      ),
  ],
  ['row of another symbol', (key) => withCell('symbol', `${key}.SH`)],
  ['garbage', (key) => reply.bytes(`${key}\r\n\r\n`)],
  ['half a head', (key) => reply.bytes(`HTTP/1.1 200 OK\r\nx: ${encodeURIComponent(key)}`)],
  ['status', (key) => reply.bytes(`HTTP/1.1 ${encodeURIComponent(key)} OK\r\n\r\n`)],
  ['wait that is asked for', (key) => reply.tooMany(digits(key))],
  ['wait that is asked for in days', (key) => reply.tooMany(`${digits(key)}00`)],
  ['wait of an envelope', (key) => reply.raw(`{"code":503,"message":"","data":{"retry_after":${digits(key)}}}`)],
  ['code', (key) => reply.raw(`{"code":${digits(key)},"message":"x","data":null}`)],
  [
    'number beside the rows',
    (key) => changed((data) => ({ ...data, total: Number(digits(key)), a: [Number(digits(key))] })),
  ],
  ['code without a market', (key) => withCell('symbol', `x${key}`)],
]

test.each(echoes)('a key in the %s goes no further', async (_, script) => {
  for (const key of keys) {
    server.always(() => script(key))
    const logs: unknown[] = []
    const source = sourceFor(key, logs)
    const result = await source.query(datasetOf('etf_minute'), params, { whole: true }).then(
      (table) => ({
        provenance: provenance(table),
        schema: inspect(table.schema, { depth: Infinity, showHidden: true }),
      }),
      (error: unknown) => error,
    )
    expect(leaks(seen(result), key)).toEqual([])
    expect(logs.length).toBeGreaterThan(0)
    expect(leaks(seen(logs), key)).toEqual([])
    for (const { body, headers, path } of server.requests) {
      expect(leaks(JSON.stringify(headers) + path, (body as { apikey: string }).apikey)).toEqual([])
    }
  }
})

test('rows that share a key of the contract do not give the key of the caller away', async () => {
  const key = keys[0] as string
  const rows = [1, 2].map((n) => [`2026-07-01T0${n}:00:00`, 'yicai_home', key])
  server.always(() =>
    reply.json({ code: 200, message: 'success', data: { fields: ['display_at', 'source', 'source_id'], items: rows } }),
  )
  const error = await sourceFor(key, [])
    .query(datasetOf('news'), {}, { fields: 'source_id' })
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CONTRACT', message: expect.stringContaining('share the key') })
  expect(leaks(seen(error), key)).toEqual([])
})

test('a share that is not ready does not give the key away in the time that it takes', async () => {
  const key = keys[2] as string
  const data = { code: 503, message: 'preparing', data: { retry_after: Number(key) } }
  server.always(() => reply.json({ code: 200, message: 'success', data }))
  const logs: unknown[] = []
  const error = await sourceFor(key, logs)
    .query(datasetOf('file_download'), { data_type: 'auction_tick', year: 2026 })
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'UNAVAILABLE' })
  expect(leaks(seen(error) + seen(logs), key)).toEqual([])
})

test('text keeps what is not of the key', () => {
  expect(maskKey('the key abcdefghij is bad', 'abcdefghij')).toBe('the key ••• is bad')
  expect(maskKey('cut: abcdefgh…', 'abcdefghij')).toBe('cut: •••…')
  expect(maskKey('abcdefg is too short a piece', 'abcdefghij')).toBe('abcdefg is too short a piece')
  expect(maskKey('nothing', '')).toBe('nothing')
  expect(maskKey('abcabc', 'abc')).toBe('•••')
})
