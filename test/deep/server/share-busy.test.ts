/* Deep: readers that are slow on purpose. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { runService } from '../../helper/running-service.js'
import { basic, bytesOf, putTicks, tell } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'

test('downloads at the pace of slow readers hold up further downloads, and no question', async () => {
  const dir = tempDir()
  // More than a socket takes in on its own.
  await putTicks(dir, { 20260105: bytesOf('20260105', 2 ** 25) })
  const service = await runService({ dir, limits: { concurrentRequests: 2 } })
  const { port } = service
  const ask = async (
    apiname: string,
    params = {},
  ): Promise<{ code: number; data: { data: Record<string, string> } }> => {
    const body = JSON.stringify({ apikey: 'k', apiname, params })
    return JSON.parse((await tell({ port, method: 'POST', path: '/api', body })).body.toString())
  }
  const { data } = (await ask('file_download', { data_type: 'auction_tick', year: 2026 })).data
  const [path, headers] = [
    `${new URL(String(data?.url)).pathname}20260105_aucde.parquet`,
    basic(String(data?.password)),
  ]
  const slow: IncomingMessage[] = []
  for (let i = 0; i < 2; i++) {
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }).end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    expect(reply.statusCode).toBe(200)
    slow.push(reply.on('error', () => undefined))
  }
  const third = await tell({ port, path, headers })
  expect([third.status, third.headers['retry-after']]).toEqual([503, '1'])
  for (let i = 0; i < 10; i++) expect((await ask('st')).code).toBe(1002)
  for (const reply of slow) reply.destroy()
  await expect.poll(async () => (await tell({ port, path, headers, method: 'HEAD' })).status).toBe(200)
  await service.close()
})
