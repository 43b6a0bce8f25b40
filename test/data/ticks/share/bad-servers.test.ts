import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { TickShare } from '../../../../src/data/ticks/share/file-share.js'
import { bytesOf } from '../../../helper/share.js'
import { type Answer, all, failure, impatientShare, scripted } from './scripted-server.js'

const password = 'sh4re-pass-not-to-be-seen'
const basic = `Basic ${Buffer.from(`quotebook:${password}`).toString('base64')}`
const day = '20260729'
const name = `${day}_aucde.parquet`
const file = Buffer.from(bytesOf(day, 300_000))
const secrets = [password, basic, 's3cret']

const share = (link: string): TickShare => impatientShare(link, { password })

const page = (response: ServerResponse): void => void response.end(`<a href="${name}">${name}</a>`)
/** A folder of one file, `/s3cret/`, that is listed by its page. */
const folder =
  (answer: Answer): Answer =>
  (request, response) => {
    if (request.method === 'PROPFIND') response.writeHead(405).end()
    else if (request.url === '/s3cret/') page(response)
    else answer(request, response)
  }
const withHeaders = (status: number, headers: Record<string, string>, body: string | Uint8Array = ''): Answer => {
  return (_, response) => void response.writeHead(status, headers).end(body)
}

test.each([301, 302, 303, 307, 308])(
  '%d within a host keeps the password, for the folder and its files',
  async (status) => {
    const { url, requests } = await scripted((request, response) => {
      const { url: path = '' } = request
      if (path.startsWith('/s3cret/'))
        response.writeHead(status, { location: path.replace('/s3cret/', '../real/') }).end('moved')
      else if (request.method === 'PROPFIND') response.writeHead(405).end()
      else if (path === '/real/') page(response)
      else response.end(file)
    })
    const made = share(`${url}/s3cret`)
    expect(Buffer.compare(await all(await made.open(day)), file)).toBe(0)
    expect((await made.list()).map((listed) => listed.day)).toEqual([day])
    expect(Buffer.compare(await all(await made.open(day)), file)).toBe(0)
    expect(requests.every(({ headers }) => headers.authorization === basic)).toBe(true)
    expect(requests.at(-1)?.line).toBe(`GET /real/${name}`)
    expect(requests.map(({ line }) => line)).toContain(status === 303 ? 'GET /real/' : 'PROPFIND /real/')
  },
)

describe('answers to a range', () => {
  const part = (headers: Record<string, string>, body: Uint8Array = file.subarray(1000), status = 206): Answer =>
    folder((request, response) => {
      if (request.headers.range) response.writeHead(status, headers).end(body)
      else response.writeHead(200, { etag: '"a"', 'content-length': String(file.length) }).end(file)
    })
  const range = (first: number, last: number, total: number | string): Record<string, string> => ({
    'content-range': `bytes ${first}-${last}/${total}`,
  })
  const last = file.length - 1

  test.each<[string, Record<string, string>, number?]>([
    ['from elsewhere', range(999, last, file.length)],
    ['from 0', range(0, last, file.length)],
    ['not to the end', range(1000, last - 1, file.length)],
    ['beyond the end', range(1000, last + 1, file.length)],
    ['of an unknown whole', range(1000, last, '*')],
    ['of another length', { ...range(1000, last, file.length), 'content-length': '5' }],
    ['without Content-Range', {}],
    ['in lines', { 'content-range': `lines 1000-${last}/${file.length}` }],
    ['of another file', { ...range(1000, last, file.length), etag: '"b"' }],
    ['unsatisfiable', { 'content-range': `bytes */${file.length}` }, 416],
  ])('one %s is not taken: the whole file comes', async (_, headers, status) => {
    const { url, requests } = await scripted(
      part(headers, headers['content-length'] ? file.subarray(0, 5) : undefined, status),
    )
    const opened = await share(`${url}/s3cret/`).open(day, { from: 1000, etag: '"a"' })
    expect([opened.from, opened.size, opened.etag]).toEqual([0, file.length, '"a"'])
    expect(Buffer.compare(await all(opened), file)).toBe(0)
    expect(requests.map(({ headers }) => headers.range)).toEqual(['bytes=1000-', undefined])
  })

  test.each<[string, Answer, RegExp]>([
    ['several parts', withHeaders(206, { 'content-type': 'multipart/byteranges; boundary=x' }), /several parts/],
    ['a compressed body', withHeaders(200, { 'content-encoding': 'gzip' }, 'x'), /compressed/],
    [
      'a part that nobody asked for',
      (request, response) => void response.writeHead(request.headers.range ? 416 : 206).end(file),
      /HTTP status 206/,
    ],
    ['204', withHeaders(204, {}), /HTTP status 204/],
    ['500', withHeaders(500, {}), /HTTP status 500/],
    ['304', withHeaders(304, {}), /HTTP status 304/],
    ['300', withHeaders(300, {}), /HTTP status 300/],
  ])('%s is refused', async (_, answer, message) => {
    const { url } = await scripted(folder(answer))
    const error = await failure(share(`${url}/s3cret/`).open(day, { from: 1000, etag: '"a"' }), secrets)
    expect([error.code, error.message]).toEqual(['FILE', expect.stringMatching(message)])
  })

  test('Last-Modified proves something only when it lies far enough back', async () => {
    const date = 'Wed, 29 Jul 2026 10:00:00 GMT'
    for (const [modified, settled] of [
      ['Wed, 29 Jul 2026 09:59:00 GMT', 'Wed, 29 Jul 2026 09:59:00 GMT'],
      ['Wed, 29 Jul 2026 09:59:01 GMT', undefined],
      ['Wed, 29 Jul 2026 11:00:00 GMT', undefined],
      ['yesterday', undefined],
    ]) {
      const { url } = await scripted(folder(withHeaders(200, { date, 'last-modified': modified as string }, file)))
      const opened = await share(`${url}/s3cret/`).open(day)
      expect([opened.modified, opened.strongModified]).toEqual([modified, settled])
    }
  })
})

test('a body without any length ends with its connection, and says so', async () => {
  const { url } = await scripted(
    folder((_, response) => {
      response.shouldKeepAlive = false
      response.useChunkedEncodingByDefault = false
      response.removeHeader('transfer-encoding')
      response.socket?.end('HTTP/1.1 200 OK\r\n\r\nPAR1')
    }),
  )
  const opened = await share(`${url}/s3cret/`).open(day)
  expect([opened.size, opened.framed, String(await all(opened))]).toEqual([undefined, false, 'PAR1'])
})
