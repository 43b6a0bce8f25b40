import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../src/index.js'
import { formatKeys, hashOfKey } from '../../../src/service/keys/key-file.js'
import { quotebookBeside } from '../../helper/cli.js'
import { failure } from '../../helper/failure.js'
import { type Running, runService } from '../../helper/running-service.js'
import { tempDir } from '../../helper/temp.js'

/** A key with a blank at an end is another key, on both sides of the line. */
const [plain, spaced] = ['key-of-plain-5e1f00aa', 'key-of-spaced-77b2c1d0 ']
let service: Running

beforeAll(async () => {
  const file = join(tempDir(), 'keys.json')
  const entry = (name: string, key: string) =>
    ({ name, sha256: hashOfKey(key), plan: 'flagship', expiry: null, rate: null, added: null }) as const
  writeFileSync(file, formatKeys([entry('plain', plain), entry('spaced', spaced)]))
  service = await runService({ keys: file })
})

afterAll(() => service.close())

async function answerTo(apikey: unknown): Promise<readonly [code: number, message: string]> {
  const params = { startdate: '20260729', enddate: '20260729' }
  const body = JSON.stringify({ apikey, apiname: 'st', params })
  const reply = await fetch(`${service.url}/api`, { method: 'POST', body })
  const { code, message } = (await reply.json()) as { code: number; message: string }
  return [code, message]
}

test('the service takes a key as it comes', async () => {
  expect(await answerTo(plain)).toEqual([200, 'success'])
  expect(await answerTo(spaced)).toEqual([200, 'success'])
  for (const other of [`${plain} `, ` ${plain}`, `${plain}\n`, `${plain}\u00a0`, spaced.trim(), `${spaced} `])
    expect(await answerTo(other)).toEqual([403, 'apikey is not valid'])
  for (const none of ['', ' ', '\t\n', undefined, null])
    expect(await answerTo(none)).toEqual([403, 'apikey is missing or empty'])
})

test('a client sends a key as it is given, and says of one that is refused that it has a blank at an end', async () => {
  const ask = async (apikey: string) => {
    const market = await connect({ nodes: service.url, apikey, retry: { attempts: 1 } })
    return market.table.st({ startdate: '20260729', enddate: '20260729' })
  }
  expect((await ask(spaced)).numRows).toBeGreaterThan(0)
  const refused = await failure(ask(`${plain} `))
  expect(refused.code).toBe('FORBIDDEN')
  expect(refused.message).toContain('check the key, which begins or ends with a blank, and its plan')
  expect(refused.message).not.toContain(plain)
  expect((await failure(ask(spaced.trim()))).message).toContain('check the key and its plan')
})

test('the command sends what QUOTEBOOK_APIKEY holds', async () => {
  const words = ['query', 'st', 'startdate=20260729', 'enddate=20260729', '--source', service.url, '--format', 'json']
  const ask = (key: string, lang = 'en') => quotebookBeside([...words, '--lang', lang], { QUOTEBOOK_APIKEY: key })
  expect((await ask(spaced)).code).toBe(0)
  const [refused, chinese] = [await ask(`${plain} `), await ask(`${plain} `, 'zh')]
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('begins or ends with a blank')])
  expect([chinese.code, chinese.err]).toEqual([1, expect.stringContaining('首尾有空格')])
})
