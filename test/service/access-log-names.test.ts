import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runService } from '../helper/running-service.js'
import { bytesOf, putTicks, tell } from '../helper/share.js'
import { tempDir } from '../helper/temp.js'

test('the log names the operation of a request that was refused, and of one that could not be answered', async () => {
  const dir = tempDir()
  await putTicks(dir, { 20260105: bytesOf('20260105', 10) })
  const service = await runService({ dir })
  const ask = (body: object): Promise<unknown> =>
    tell({ port: service.port, method: 'POST', path: '/api', body: JSON.stringify({ apikey: 'k', ...body }) })
  await ask({ apiname: 'theme_daily' })
  await ask({ apiname: 'made\nup' })
  await ask({ apiname: 5 })
  rmSync(join(dir, 'manifest.json'))
  await ask({ apiname: 'st' })
  const lines = service.log().split('\n')
  expect(lines.map((line) => JSON.parse(line)).map(({ apiname, code }) => [apiname, code])).toEqual([
    ['theme_daily', 422],
    ['other', 422],
    [undefined, 422],
    ['st', 503],
  ])
  await service.close()
})
