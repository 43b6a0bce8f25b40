/* Deep: processes that are replaced and killed under load. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { agentAt } from '../../helper/agent.js'
import {
  answeredBy,
  asking,
  figure,
  keyFile,
  keysText,
  question,
  send,
  until,
  withWorkers,
  workersOf,
} from '../../helper/many.js'
import { endAll, served } from '../../helper/served.js'
import { freePort } from '../../helper/server-process.js'
import { tempFile } from '../../helper/temp.js'

afterAll(endAll)

const start = async (...words: string[]) =>
  withWorkers(await served('--port', String(await freePort()), '--workers', '2', ...words))

test('workers are replaced under load, and no request is lost', async () => {
  const one = await start()
  const clients = asking(`${one.url}/api`, 16, question('any'))
  // Somebody who kept a connection, and asks on it when the worker behind it has been told to end.
  const kept = connect(one.port, '127.0.0.1')
  let heard = ''
  kept.setEncoding('utf8').on('data', (piece) => {
    heard += piece
  })
  kept.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await until(() => heard.includes('"status":"ok"'))
  for (const round of [1, 2]) {
    const before = clients.count()
    one.child.kill('SIGUSR2')
    await until(() => one.err().split('2 new workers answer').length === round + 1)
    await until(() => clients.count() > before + 100)
    if (round > 1) continue
    heard = ''
    kept.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(kept, 'close')
    expect(heard).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*"status":"ok"/i)
  }
  const replies = await clients.end()
  expect(replies.filter((reply) => reply instanceof Error)).toEqual([])
  expect(
    new Set(replies.map((reply) => (reply instanceof Error ? reply.message : `${reply.status} ${reply.text}`))).size,
  ).toBe(1)
  const count = replies.length + 2
  await until(() => workersOf(one).length === 2)
  expect(await figure(one.url, 'quotebook_requests_total')).toBe(count)
  expect(await figure(one.url, 'quotebook_request_duration_seconds_count')).toBe(count + 1)
  expect(await figure(one.url, 'quotebook_workers')).toBe(2)
  expect(await figure(one.url, 'quotebook_worker_restarts_total')).toBe(0)
  one.child.kill('SIGINT')
  expect(await one.ended).toEqual([0, null])
  const lines = one.out().trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { worker: number; id: number })
  expect(entries).toHaveLength(count + 4)
  expect(new Set(entries.map(({ worker, id }) => `${worker} ${id}`)).size).toBe(count + 4)
  expect(new Set(entries.map(({ worker }) => worker)).size).toBe(6)
})

test('a worker that is killed while it is replaced does not come back beside the new one', async () => {
  const one = await start()
  const [, old = 0] = workersOf(one)
  one.child.kill('SIGUSR2')
  await until(() => one.err().includes('replacing the workers'))
  process.kill(old, 'SIGKILL')
  await until(() => one.err().includes('new workers answer'))
  // Time in which one too many would begin.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect(workersOf(one)).toHaveLength(2)
  expect(await figure(one.url, 'quotebook_workers')).toBe(2)
  one.child.kill('SIGTERM')
  expect(await one.ended).toEqual([0, null])
})

/** The link of a year, and who asks with its password. */
async function linkOf(url: string, apikey: string): Promise<{ url: string; ask(): Promise<number> }> {
  const body = question(apikey, { apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } })
  const { data } = JSON.parse((await send(`${url}/api`, { body })).text)
  const link = data.data as { url: string; password: string }
  const headers = { authorization: `Basic ${Buffer.from(`any:${link.password}`).toString('base64')}` }
  return { url: link.url, ask: async () => (await send(link.url, { headers })).status }
}

test('a link holds at every worker, after a restart, and ends at all of them with its key', async () => {
  const keys = keyFile({ name: 'ada' }, { name: 'bob' })
  const words = ['--keys', keys, '--link-secret', tempFile('secret', `${'s'.repeat(40)}\n`)]
  const first = await start(...words)
  const [ada, bob] = [await linkOf(first.url, 'ada'), await linkOf(first.url, 'bob')]
  await until(async () => (await ada.ask()) === 200 && (await bob.ask()) === 200)
  for (let i = 0; i < 12; i++) expect(await ada.ask()).toBe(200)
  await until(() => answeredBy(first, 'share').size === 2)
  first.child.kill('SIGUSR2')
  await until(() => first.err().includes('2 new workers answer'))
  for (let i = 0; i < 6; i++) expect(await ada.ask()).toBe(200)
  first.child.kill('SIGINT')
  await first.ended
  const second = await withWorkers(await served('--port', String(first.port), '--workers', '2', ...words))
  for (let i = 0; i < 6; i++) expect([await ada.ask(), await bob.ask()]).toEqual([200, 200])
  writeFileSync(keys, keysText({ name: 'bob' }))
  const gone = async (): Promise<boolean> =>
    (await Promise.all(Array.from({ length: 8 }, ada.ask))).every((status) => status === 410)
  await until(gone)
  for (let i = 0; i < 6; i++) expect([await ada.ask(), await bob.ask()]).toEqual([410, 200])
  second.child.kill('SIGINT')
  await second.ended
})

test('any worker answers the next message of an agent, and ends a call that another one runs', async () => {
  const one = await start()
  const agents = await Promise.all(Array.from({ length: 4 }, () => agentAt(one.url)))
  await Promise.all(
    agents.map(async (agent) => {
      for (let i = 0; i < 5; i++) expect((await agent.call('query_st')).isError).toBe(false)
    }),
  )
  expect(answeredBy(one, 'mcp').size).toBe(2)
  const slow = { text: 'select count(*) as n from range(100000000) a, range(1000) b where a.range + b.range = 7' }
  for (let i = 0; i < 6; i++) {
    const controller = new AbortController()
    const call = agents[i % 4]?.call('sql', slow, { signal: controller.signal })
    await new Promise((resolve) => setTimeout(resolve, 200))
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow()
  }
  // Two calls of one caller run at once in a worker: each that went on would have held up others until its minute was over.
  for (const agent of agents) expect((await agent.call('sql', { text: 'select 1 as one' })).isError).toBe(false)
  await until(() => (one.out().match(/"route":"mcp"/g)?.length ?? 0) >= 44)
  const long = one.out().match(/"milliseconds":(?:[3-9]\d{4}|\d{6})/g)
  expect(long).toBeNull()
  for (const agent of agents) await agent.close()
  one.child.kill('SIGINT')
  await one.ended
})

test('when the process that started them is killed, no worker stays', async () => {
  const one = await start()
  const pids = workersOf(one)
  expect(pids).toHaveLength(2)
  one.child.kill('SIGKILL')
  await one.ended
  const lives = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await until(() => !pids.some(lives))
})
