// Deep: some thirty processes of the service.
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
