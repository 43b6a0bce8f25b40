import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatKeys, hashOfKey, type KeyEntry } from '../../../src/service/keys/key-file.js'
import { runService } from '../../helper/running-service.js'
import { tempDir } from '../../helper/temp.js'

const entry = (name: string, more: Partial<KeyEntry> & { key?: string } = {}): KeyEntry => {
  const { key = name, ...rest } = more
  return { name, sha256: hashOfKey(key), plan: 'flagship', expiry: null, rate: null, added: null, ...rest }
}

test('a link ends with the key that asked for it, or its plan; those of other keys live', async () => {
  const file = join(tempDir(), 'keys.json')
  const write = (...keys: KeyEntry[]): void => writeFileSync(file, formatKeys(keys))
  const all = ['stays', 'revoked', 'replaced', 'demoted', 'slowed']
  write(...all.map((name) => entry(name)))
  let now = 0
  const service = await runService({ keys: file, clock: { now: () => now } })
  const links = await Promise.all(
    all.map(async (apikey) => {
      const params = { data_type: 'auction_tick', year: 2026 }
      const body = JSON.stringify({ apikey, apiname: 'file_download', params })
      const reply = await (await fetch(`${service.url}/api`, { method: 'POST', body })).json()
      return (reply as { data: { data: { url: string; password: string } } }).data.data
    }),
  )
  const statuses = (): Promise<number[]> =>
    Promise.all(
      links.map(async ({ url, password }) => {
        const authorization = `Basic ${Buffer.from(`any:${password}`).toString('base64')}`
        const reply = await fetch(url, { headers: { authorization } })
        await reply.arrayBuffer()
        return reply.status
      }),
    )
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  const others = [
    entry('replaced', { key: 'another' }),
    entry('demoted', { plan: 'free' }),
    entry('slowed', { rate: 6 }),
  ]
  write(entry('stays'), ...others)
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  now += 1000
  expect(await statuses()).toEqual([200, 410, 410, 410, 200])
  await service.close()
})
