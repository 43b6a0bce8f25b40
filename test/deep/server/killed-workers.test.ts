/* Deep: kills processes while connections are handed to them. */
import { Agent } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { figure, question, send, until, withWorkers, workersOf } from '../../helper/many.js'
import { endAll, served } from '../../helper/served.js'
import { freePort } from '../../helper/server-process.js'

afterAll(endAll)

/** Clients that ask on and on and count what became of it. */
function crowd(url: string, clients: number, agent: Agent | false) {
  const counts = { begun: 0, answered: 0, broken: 0 }
  let isEnding = false
  const client = async (): Promise<void> => {
    while (!isEnding) {
      counts.begun++
      await send(url, { body: question('any'), agent }).then(
        ({ status }) => {
          if (status === 200) counts.answered++
        },
        () => {
          counts.broken++
        },
      )
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return {
    counts,
    end: () => {
      isEnding = true
      return all
    },
  }
}

test.each([
  ['a connection for each request', false],
  ['connections that are kept', new Agent({ keepAlive: true })],
] as const)('workers are killed under load, with %s: none of their requests hangs', async (_, agent) => {
  const one = await withWorkers(await served('--port', String(await freePort()), '--workers', '2', '--no-log'))
  const { counts, end } = crowd(`${one.url}/api`, 32, agent)
  const more = async (): Promise<void> => {
    const before = counts.answered
    await until(() => counts.answered > before + 1000)
  }
  const kills = 4
  for (let kill = 1; kill <= kills; kill++) {
    await more()
    // The one that has lived longest, so that the other one answers meanwhile.
    process.kill(workersOf(one)[0] ?? 0, 'SIGKILL')
    await until(() => one.err().match(/^worker \d+ has ended \(SIGKILL\)/gm)?.length === kill)
    await until(async () => (await figure(one.url, 'quotebook_workers')) === 2)
  }
  await more()
  // An answer takes milliseconds: what is open after so long is open for ever.
  await Promise.race([end(), new Promise((resolve) => setTimeout(resolve, 15_000).unref())])
  expect(counts.begun - counts.answered - counts.broken).toBe(0)
  expect(counts.broken).toBeGreaterThan(0)
  expect(await figure(one.url, 'quotebook_worker_deaths_total')).toBe(kills)
  expect(await figure(one.url, 'quotebook_worker_restarts_total')).toBe(kills)
  // What the dead held is no longer counted.
  expect(await figure(one.url, 'quotebook_requests_in_flight')).toBe(1)
  one.child.kill('SIGTERM')
  await one.ended
})
