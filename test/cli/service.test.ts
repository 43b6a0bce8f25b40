import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDir } from '../../src/connect.js'
import { Archive } from '../../src/data/archive/archive.js'
import type { Ran } from '../helper/cli.js'
import { here } from '../helper/here.js'
import { type Service, serve } from '../helper/service.js'

const key = 'qk-5e1f-not-to-be-seen'
const days = ['symbols=510300,159915', 'period=15m', '--from', '20260720', '--to', '20260729']
const dir = mkdtempSync(join(tmpdir(), 'quotebook-service-'))

let [service, refusing]: Service[] = []
const at = (): string[] => ['--source', (service as Service).url]
const sent = (): number => (service as Service).requests.length
/** The command with a key in its environment. */
async function keyed(...args: string[]): Promise<Ran> {
  process.env.QUOTEBOOK_APIKEY = key
  const ran = await here(...args)
  delete process.env.QUOTEBOOK_APIKEY
  expect(ran.out + ran.err).not.toContain(key)
  return ran
}

beforeAll(async () => {
  const source = new Archive(sampleDir, 'sample')
  service = await serve(source, undefined, await source.state())
  refusing = await serve(source, (_, response) => {
    response.writeHead(200).end(JSON.stringify({ code: 403, message: `unknown key ${key}`, data: null }))
    return true
  })
})
afterAll(async () => {
  await Promise.all([service?.close(), refusing?.close()])
  rmSync(dir, { recursive: true })
})

test('--explain sends nothing; --verbose tells each request', async () => {
  const before = sent()
  const plan = await here('query', 'etf_minute', ...days, '--explain', ...at())
  expect([plan.code, plan.err, sent()]).toEqual([0, '', before])
  expect(plan.out.split('\n').slice(0, 2)).toEqual([
    'etf_minute: 8 requests; each reply below the cap of 6000 rows; one at the cap is asked again in halves',
    '  1  2 symbols from 159915 to 510300, 20260720',
  ])
  const { code, err } = await keyed('query', 'etf_minute', ...days, '--verbose', ...at())
  const lines = err.trimEnd().split('\n')
  expect([code, lines.length, service?.requests.at(-1)?.apikey]).toEqual([0, 8, key])
  const one = /^etf_minute symbols=159915\+510300 period=15m tradedate=202607\d\d http:\S+: 34 rows, \d+ kB, \d+ ms$/
  for (const line of lines) expect(line).toMatch(one)
})

test('nodes by name are asked in the order of the contract; the backup serves no intraday operation', async () => {
  const url = service?.url
  const named = (source: string) => keyed('query', 'st', '--format', 'csv', '--source', source)
  expect(await named(`sh_http=${url},backup=http://127.0.0.1:9`)).toMatchObject({ code: 0, err: '' })
  expect(await keyed('query', 'theme_daily', 'type=tj', '--source', `backup=${url}`)).toMatchObject({
    code: 2,
    err: 'quotebook: none of the nodes given serves theme_daily; it is served by sz, sh, sz_http, sh_http\n',
  })
  expect(await named(`sz=${url},http://127.0.0.1:9`)).toMatchObject({
    code: 2,
    err: "quotebook: --source: 'http://127.0.0.1:9' has no name before it, the others have\n",
  })
  expect((await named(`szz=${url}`)).err).toContain("Did you mean 'sz'?")
})
