// Deep: processes that serve and follow.
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../../helper/listen.js'
import { archiveCopy, endAll, served } from '../../helper/served.js'

afterAll(endAll)

test('a vendor that refuses the key from the start, and a follower that is killed: the archive is served, and says so', async () => {
  const vendor = await listen(
    createServer((_, response) => response.writeHead(403).end('{"code":403,"message":"no","data":null}')),
  )
  const dir = archiveCopy()
  const one = await served('--archive', dir, '--source', vendor.url, '--follow', '--port', '0', '--no-log')
  const health = async () => {
    const { data } = (await (await fetch(`${one.url}/healthz`)).json()) as { data: { source: Record<string, string> } }
    return data.source
  }
  const until = async (isIt: (source: Record<string, string>) => boolean): Promise<Record<string, string>> => {
    for (;;) {
      const source = await health()
      if (isIt(source)) return source
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const away = await until(({ status }) => status === 'away')
  expect(away).toMatchObject({
    since: expect.any(String),
    why: expect.stringContaining('set QUOTEBOOK_APIKEY to your key'),
    last: null,
  })
  const pid = Number(
    /process (\d+)/.exec(
      JSON.stringify(
        await import('node:fs').then(({ readFileSync }) => readFileSync(`${dir}/sync-status.json`, 'utf8')),
      ),
    )?.[1],
  )
  process.kill(pid, 'SIGKILL')
  await until(({ next }) => next === null)
  expect(one.err()).toContain('(SIGKILL); the archive is served as it is, and followed again in 60 s')
  const body = JSON.stringify({ apikey: 'k', apiname: 'theme_daily', params: { type: 'tj' } })
  expect(await (await fetch(`${one.url}/api`, { method: 'POST', body })).json()).toMatchObject({ code: 200 })
  one.child.kill('SIGTERM')
  expect(await one.ended).toEqual([0, null])
  await vendor.close()
})
