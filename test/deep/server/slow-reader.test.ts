/* Deep: readers that are slow on purpose. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { decode } from '../../../src/frame/table/decode.js'
import { startService } from '../../../src/server/service/server.js'
import { createShares } from '../../../src/server/service/share/tick-shares.js'
import { tempDir } from '../../helper/temp.js'

const st = datasetOf('st')

async function archive(): Promise<Archive> {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  const name = 'n'.repeat(1000)
  const rows = Array.from({ length: 20_000 }, (_, i) => ['20260701', String(600_000 + i), name, 'ST', null])
  await writer.put(st, decode(st, Object.keys(st.columns), rows), 'test')
  await writer.commit()
  return new Archive(dir, 'test')
}

const body = (params: object): string => JSON.stringify({ apikey: 'k', apiname: 'st', params })

test('answers that nobody takes are bounded: others come again until they are gone', async () => {
  const source = await archive()
  const service = await startService({
    archive: source,
    shares: createShares(source),
    limits: { unsentBytes: 2 ** 23 },
  })
  const codeOf = async (): Promise<number> => {
    const reply = await fetch(`${service.url}/api`, { method: 'POST', body: body({ symbols: '600000' }) })
    return ((await reply.json()) as { code: number }).code
  }
  const until = async (code: number): Promise<void> => {
    while ((await codeOf()) !== code) await sleep(20)
  }
  try {
    expect(await codeOf()).toBe(200)
    const asked = body({})
    const reader = connect(Number(new URL(service.url).port), '127.0.0.1').pause()
    reader.write(`POST /api HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${asked.length}\r\n\r\n${asked}`)
    await until(503)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    reader.destroy()
    await once(reader, 'close')
    await until(200)
    const whole = await fetch(`${service.url}/api`, { method: 'POST', body: asked })
    expect((await whole.text()).length).toBeGreaterThan(20_000_000)
    await until(200)
  } finally {
    await service.close()
  }
})
