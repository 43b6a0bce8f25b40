import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { RemoteTicks } from '../../../src/data/ticks/remote-ticks.js'
import { Ticks } from '../../../src/data/ticks/ticks.js'
import { provenance } from '../../../src/frame/table/provenance.js'
import { type Answer, closing, failure, type Scripted, scripted } from './share/scripted-server.js'

const password = 'sh4re-pass-not-to-be-seen'
const days = ['20260727', '20260728', '20260729']
const file = readFileSync(join(sampleDir, 'ticks', '20260729_aucde.parquet'))
const page = days.map((day) => `<a href="${day}_aucde.parquet">x</a>`).join('\n')
const listed: Answer = ({ url = '' }, response) => void response.end(url.endsWith('/') ? page : file)

/** A service that offers a share of 2026 alone, at `link`, and what is behind it. */
async function open(behind: Answer = listed, link = (url: string): string => `${url}/share/t0ken/`) {
  const server: Scripted = await scripted(async (request, response) => {
    if (request.method !== 'POST') return behind(request, response)
    let text = ''
    for await (const piece of request) text += piece
    const { year } = JSON.parse(text).params
    const about = {
      data_type: 'auction_tick',
      year,
      start_date: days[0],
      end_date: days[2],
      file_count: 3,
      size_bytes: 1,
    }
    const offer = {
      status: 'ready',
      url: link(server.url),
      password,
      expires_at: '2026-07-31T10:00:00+08:00',
      retry_after: 0,
    }
    const data = { code: 0, message: 'success', data: { ...about, ...offer } }
    const none =
      year > 2026 ? { code: 422, message: 'year', data: null } : { code: 1002, message: 'no data', data: null }
    response.end(JSON.stringify(year === 2026 ? { code: 200, message: 'success', data } : none))
  })
  const source = new HttpSource({
    nodes: [server.url],
    apikey: 'tick-key',
    retry: { baseMs: 1, capMs: 2, attempts: 3 },
  })
  closing(() => source.close())
  const remote = new RemoteTicks(source)
  return { server, ticks: new Ticks(() => remote) }
}

const asked = ({ requests }: Scripted): string[] => requests.map(({ line }) => line)

test('every year is asked until one is refused; a day takes its year alone, and the link that is known', async () => {
  const { server, ticks } = await open()
  expect(await ticks.days()).toEqual(days)
  expect(asked(server).filter((line) => line.startsWith('POST'))).toHaveLength(6)
  server.requests.length = 0
  expect(provenance(await ticks.read('20260729'))).toMatchObject({ complete: true, source: server.url })
  expect(asked(server)).toEqual(['GET /share/t0ken/20260729_aucde.parquet'])
  for (const day of ['20990101', '20200106']) await expect(ticks.read(day)).rejects.toMatchObject({ code: 'FILE' })
})

test('the password goes to the share and the key does not', async () => {
  const { server, ticks } = await open()
  await ticks.read('20260729')
  for (const { line, headers } of server.requests.filter(({ line }) => !line.startsWith('POST'))) {
    const login = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString()
    expect([line, login]).toEqual([line, `quotebook:${password}`])
    expect(JSON.stringify(headers)).not.toContain('tick-key')
  }
})

test.each([401, 403, 404, 410])('a link that has ended, status %d, is asked for anew, once', async (status) => {
  let ended = false
  const { server, ticks } = await open((request, response) =>
    ended ? void response.writeHead(status).end() : listed(request, response),
  )
  await ticks.days(2026)
  ended = true
  server.requests.length = 0
  const error = await failure(ticks.read('20260729'), [password])
  expect(error.code).toBe('FILE')
  expect(error.message).toContain(status === 404 ? 'has no auction ticks of 20260729' : `answers ${status}: `)
  expect(asked(server).filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test.each<[string, string, RegExp]>([
  ['a page of a drive', '<title>Enter the code</title>', /can not be listed/],
  ['fewer files than are counted', '20260729_aucde.parquet', /lists 1 files where .* counts 3/],
  ['files of another year', page.replaceAll('2026', '2025'), /lists 3 files/],
])('%s is refused', async (_, text, message) => {
  const { ticks } = await open((_, response) => void response.end(text))
  expect((await failure(ticks.days(2026), [password])).message).toMatch(message)
})

test.each(['ftp://127.0.0.1/x', 'ticks/', '', 'http://user:pass@127.0.0.1:1/', 'javascript:1'])(
  'a link %j is no folder',
  async (link) => {
    const { ticks } = await open(listed, () => link)
    expect((await failure(ticks.days(2026))).code).toBe('FILE')
  },
)

test.each<[string, Record<string, string>, Uint8Array]>([
  ['other bytes than its tag', { etag: `"${'0'.repeat(64)}"` }, file],
  ['bytes that are cut', {}, file.subarray(0, -10)],
  ['a page', {}, Buffer.from('<html></html>')],
])('a file that is %s is refused', async (_, headers, body) => {
  const { ticks } = await open(({ url = '' }, response) =>
    url.endsWith('/') ? void response.end(page) : void response.writeHead(200, headers).end(body),
  )
  expect((await failure(ticks.read('20260729'))).code).toBe('FILE')
})
