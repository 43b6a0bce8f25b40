// Deep: some thirty processes of the service.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quotebook } from '../../helper/cli.js'
import { served } from '../../helper/served.js'
import { tempDir } from '../../helper/temp.js'

const dir = tempDir()
const keys = join(dir, 'keys.json')

/** `quotebook serve`, once it has said where it listens; how it is told to end gives its exit code. */
async function serve(...words: string[]) {
  const { url, child, err, out, ended } = await served('--port', '0', ...words)
  const end = async (signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> => {
    child.kill(signal)
    return (await ended)[0]
  }
  return { url, child, said: err, printed: out, end }
}

async function ask(url: string, apikey: string, more: object = {}): Promise<[number, number, string]> {
  const body = JSON.stringify({ apikey, apiname: 'st', ...more })
  const reply = await fetch(`${url}/api`, { method: 'POST', body })
  const { code, message } = (await reply.json()) as { code: number; message: string }
  return [reply.status, code, message]
}

test('without a key file: any key, on this machine only, and it says so; Ctrl-C ends it well', async () => {
  const { url, said, printed, end } = await serve()
  expect(said()).toMatch(/^serving sample, \d+ rows of 14 datasets and \d+ auction ticks of 60 days \(SYNTHETIC: /)
  expect(await ask(url, 'any')).toEqual([200, 200, 'success'])
  expect(await ask(url, '')).toEqual([200, 403, 'apikey is missing or empty; any text will do here'])
  expect(said()).toContain('takes any key as flagship')
  expect(await end()).toBe(0)
  const [first, ...others] = printed().trim().split('\n')
  expect(JSON.parse(first as string)).toMatchObject({
    route: 'api',
    apiname: 'st',
    status: 200,
    code: 200,
    caller: 'anyone',
  })
  expect(others).toHaveLength(1)
})

test('with a key file: its keys and no others, a plan, a rate; a revoked key ends without a restart', async () => {
  const add = (...words: string[]): string => quotebook(['keys', 'add', '--keys', keys, ...words]).out.trim()
  const [free, slow] = [add('研究员', '--plan', 'free'), add('cron', '--rate', '6')]
  const { url, said, printed, end } = await serve('--keys', keys)
  expect(said()).not.toContain('any key')
  expect(await ask(url, 'any')).toEqual([200, 403, 'apikey is not valid'])
  expect(await ask(url, free)).toEqual([200, 200, 'success'])
  const share = { apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } }
  expect(await ask(url, free, share)).toEqual([200, 403, 'file_download needs a professional or flagship plan.'])
  expect(await ask(url, slow, share)).toEqual([200, 200, 'success'])
  expect((await ask(url, slow)).slice(0, 2)).toEqual([429, 429])
  expect(quotebook(['keys', 'revoke', '研究员', '--keys', keys]).code).toBe(0)
  for (;;) {
    const [, code] = await ask(url, free)
    if (code === 403) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(await end('SIGTERM')).toBe(0)
  for (const key of [free, slow]) expect(said() + printed()).not.toContain(key)
  expect(printed()).toContain('"caller":"研究员"')
})

test('--no-log prints nothing; --url begins the links', async () => {
  const apikey = quotebook(['keys', 'add', 'proxy', '--keys', keys]).out.trim()
  const { url, printed, end } = await serve('--no-log', '--url', 'https://quotes.example.com/q/', '--keys', keys)
  const body = { apikey, apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } }
  const reply = await fetch(`${url}/api`, { method: 'POST', body: JSON.stringify(body) })
  const { data } = (await reply.json()) as { data: { data: { url: string } } }
  expect(data.data.url).toMatch(/^https:\/\/quotes\.example\.com\/q\/share\//)
  expect(await end()).toBe(0)
  expect(printed()).toBe('')
})

test('a log that nobody reads is told of once, and the service goes on', async () => {
  const { url, child, said, end } = await serve()
  child.stdout?.destroy()
  while (!said().includes('access log')) expect(await ask(url, 'any')).toEqual([200, 200, 'success'])
  for (let i = 0; i < 5; i++) expect(await ask(url, 'any')).toEqual([200, 200, 'success'])
  expect(await end('SIGTERM')).toBe(0)
  expect(said().match(/^access log: lines are lost, nobody reads them$/gm)).toHaveLength(1)
})

test('what can not be served is told in a line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const wrong: [string[], number, RegExp][] = [
    [['--source', join(dir, 'nowhere')], 1, /nowhere does not exist/],
    [['--host', '0.0.0.0'], 2, /without a key file .* not on 0\.0\.0\.0/],
    [['--keys', join(dir, 'no-keys.json')], 1, /no-keys\.json/],
    [['--port', '70000'], 2, /up to 65535/],
    [['--port', String(port)], 2, /something else listens there/],
    [['--url', 'quotes.example.com'], 2, /--url .*http/],
    [['--url', 'https://quotes.example.com'], 2, /it requires --keys/],
    [['--keys', ''], 2, /--keys .* is empty/],
    [['--workers', '2', '--port', String(port)], 2, /something else listens there/],
    [['--link-secret', join(dir, 'none')], 2, /--link-secret .*none: can not be read/],
  ]
  for (const [words, code, said] of wrong) {
    const ran = quotebook(['serve', ...words], { env: { QUOTEBOOK_KEYS: undefined } })
    expect([words, ran.code, ran.out]).toEqual([words, code, ''])
    expect(ran.err).toMatch(said)
    if (code === 1) expect(ran.err.trim().split('\n')).toHaveLength(1)
  }
  taken.close()
})
