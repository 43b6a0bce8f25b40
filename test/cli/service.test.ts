import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { sampleDir } from '../../src/connect.js'
import { quotebook, quotebookBeside } from '../helper/cli.js'
import { type Service, serve } from '../helper/service.js'
import { tempDir } from '../helper/temp.js'

const key = 'qk-5e1f-not-to-be-seen'
const params = JSON.stringify({ symbols: ['510300', '159915'], period: '15m' })
const range = ['--from', '20260720', '--to', '20260729']

let service: Service
let refusing: Service
beforeAll(async () => {
  const source = new Archive(sampleDir, 'sample')
  service = await serve(source, undefined, await source.state())
  refusing = await serve(source, (_, response) => {
    response.writeHead(200).end(JSON.stringify({ code: 403, message: `unknown key ${key}`, data: null }))
    return true
  })
})
afterAll(async () => {
  await Promise.all([service.close(), refusing.close()])
})

test('a service gives the rows that its archive gives', async () => {
  for (const rest of [
    ['etf_minute', '--params', params, ...range],
    ['convertible_daily', '--params', '{"startdate":"20260701"}', '--fields', 'code,close'],
    ['interactive_qa'],
    ['theme_lib_detail_kp', '--params', '{"theme_id":"1001"}'],
  ]) {
    const args = ['query', ...rest, '--format', 'json']
    const live = await quotebookBeside([...args, '--source', service.url], { QUOTEBOOK_APIKEY: key })
    expect([live.code, live.err]).toEqual([0, ''])
    expect(live.out).toBe(quotebook(args).out)
  }
})

test('--explain sends nothing and needs no key', async () => {
  const before = service.requests.length
  const ran = await quotebookBeside([
    'query',
    'etf_minute',
    '--params',
    params,
    ...range,
    '--explain',
    '--source',
    service.url,
  ])
  expect([ran.code, ran.err, service.requests.length]).toEqual([0, '', before])
  expect(ran.out.split('\n').slice(0, 2)).toEqual([
    'etf_minute: 8 requests; each reply below the cap of 6000 rows; one at the cap is asked again in halves',
    '  1  2 symbols from 159915 to 510300, 20260720',
  ])
  expect(quotebook(['query', 'st', '--explain']).out).toBe('st: no request; sample is on this machine\n')
})

test('--verbose tells each request, and the key nowhere', async () => {
  const args = ['query', 'etf_minute', '--params', params, ...range, '--verbose', '--source', service.url]
  const { code, out, err } = await quotebookBeside(args, { QUOTEBOOK_APIKEY: key })
  const lines = err.trimEnd().split('\n')
  expect([code, lines.length]).toEqual([0, 8])
  const one = /^etf_minute symbols=159915\+510300 period=15m tradedate=202607\d\d http:\S+: 34 rows, \d+ kB, \d+ ms$/
  for (const line of lines) expect(line).toMatch(one)
  expect(service.requests.at(-1)?.apikey).toBe(key)
  expect(out + err).not.toContain(key)
})

test('nodes by name are asked in the order of the contract; the backup serves no intraday operation', async () => {
  const env = { QUOTEBOOK_APIKEY: key }
  const named = (source: string) => quotebookBeside(['query', 'st', '--format', 'csv', '--source', source], env)
  const fine = await named(`sh_http=${service.url},backup=http://127.0.0.1:9`)
  expect([fine.code, fine.err]).toEqual([0, ''])
  const daily = await quotebookBeside(
    ['query', 'theme_daily', '--params', '{"type":"tj"}', '--source', `backup=${service.url}`],
    env,
  )
  expect([daily.code, daily.err]).toEqual([
    2,
    'quotebook: none of the nodes given serves theme_daily; it is served by sz, sh, sz_http, sh_http\n',
  ])
  expect(await named(`sz=${service.url},http://127.0.0.1:9`)).toMatchObject({
    code: 2,
    err: "quotebook: --source: 'http://127.0.0.1:9' has no name before it, the others have\n",
  })
  expect((await named(`szz=${service.url}`)).err).toContain("Did you mean 'sz'?")
})

test('a refusal is one line without the key', async () => {
  const ran = await quotebookBeside(['query', 'st', '--source', refusing.url], { QUOTEBOOK_APIKEY: key })
  expect(ran).toEqual({
    code: 1,
    out: '',
    err: `quotebook: st: ${refusing.url} answers 403 unknown key •••; check the key and its plan\n`,
  })
})

test('a service elsewhere needs a key', async () => {
  const ran = await quotebookBeside(['query', 'st', '--source', 'https://quotes.example.com'])
  expect(ran).toEqual({ code: 2, out: '', err: 'quotebook: no key: set QUOTEBOOK_APIKEY to your key at the service\n' })
})

test('checks and the report read a service too', async () => {
  const env = { QUOTEBOOK_APIKEY: key, QUOTEBOOK_SOURCE: service.url }
  const check = ['check', 'southbound', '--params', '{"startdate":"20260720"}', '--format', 'csv']
  expect((await quotebookBeside(check, env)).out).toBe(quotebook(check).out)
  const file = join(tempDir(), 'live.html')
  const ran = await quotebookBeside(['report', '--days', '3', '--out', file], env)
  expect(ran).toEqual({ code: 0, out: `${file}\n`, err: '' })
  const page = readFileSync(file, 'utf8')
  expect(page).toContain(service.url)
  expect(page).not.toContain(key)
})

test('--cache keeps settled days, says what it keeps and lets go of it', async () => {
  const dir = join(tempDir(), 'kept')
  const env = { QUOTEBOOK_APIKEY: key, QUOTEBOOK_SOURCE: service.url, QUOTEBOOK_CACHE: dir }
  const args = ['query', 'etf_minute', '--params', params, ...range, '--format', 'csv']
  const answers: string[] = []
  const sent: number[] = []
  for (const _ of [1, 2]) {
    const before = service.requests.length
    answers.push((await quotebookBeside(args, env)).out)
    sent.push(service.requests.length - before)
  }
  expect(answers).toEqual([quotebook(args).out, quotebook(args).out])
  expect(sent).toEqual([9, 2])
  const listed = await quotebookBeside(['cache'], env)
  expect(listed.out.split('\n')[1]).toMatch(/^etf_minute +15m +2 +20260720 +20260728 +7 +238 +\d+$/)
  const dropped = await quotebookBeside(['cache', dir, '--drop', 'etf_minute'])
  expect(dropped.err).toBe(`${dir}: dropped 238 rows of etf_minute\n`)
  expect((await quotebookBeside(['cache', dir])).err).toBe(`${dir} keeps no answers of a service\n`)
  const own = await quotebookBeside(['cache', sampleDir, '--drop'])
  expect(own).toMatchObject({ code: 2, out: '' })
  expect(own.err).toMatch(/is an archive that keeps no answers of a service; nothing was dropped\n$/)
  expect(await quotebookBeside(['cache'])).toMatchObject({
    code: 2,
    err: 'quotebook: which cache? Name its directory, or set QUOTEBOOK_CACHE\n',
  })
})
