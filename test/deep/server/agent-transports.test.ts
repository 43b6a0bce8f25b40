import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Archive } from '../../../src/data/archive/archive.js'
import { Market } from '../../../src/market.js'
import { HttpTools } from '../../../src/server/mcp/http-tools.js'
import { toolServer } from '../../../src/server/mcp/protocol-server.js'
import type { Authenticator } from '../../../src/server/service/authenticator.js'
import { agentAt, protocol } from '../../helper/agent.js'
import { type Running, runService } from '../../helper/running-service.js'

const toolsOf = (archive: Archive, authenticator: Authenticator): HttpTools =>
  new HttpTools(protocol, toolServer(protocol, { market: new Market(archive), isPublic: true }), authenticator)

let service: Running
beforeAll(async () => {
  service = await runService({ agents: toolsOf })
})
afterAll(() => service.close())

test('at /mcp a call that its client cancels ends, and one of another client with the same id does not', async () => {
  const slow = { text: 'select count(*) as n from range(100000000) a, range(1000) b where a.range + b.range = 7' }
  const [one, other] = [await agentAt(service.url), await agentAt(service.url)]
  for (let i = 0; i < 3; i++) {
    const controller = new AbortController()
    const call = one.call('sql', slow, { signal: controller.signal })
    const long = other.call('sql', { text: 'select count(*) as n from range(3000000) where range % 7 = 1' })
    await wait(100)
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow()
    expect((await long).isError).toBe(false)
  }
  // Both turns of the caller are free again.
  for (let i = 0; i < 3; i++) expect((await one.call('sql', { text: 'select 1 as one' })).isError).toBe(false)
  for (const agent of [one, other]) await agent.close()
})

test('a client that is killed in the middle of a call leaves a service that answers', async () => {
  const slow = { text: 'select count(*) as n from range(100000000) a, range(1000) b where a.range + b.range = 7' }
  for (let i = 0; i < 3; i++) {
    const agent = await agentAt(service.url)
    const call = agent.call('sql', slow).catch(() => 'gone')
    await wait(100)
    await agent.close()
    expect(await call).toBe('gone')
  }
  const agent = await agentAt(service.url)
  expect((await agent.call('sql', { text: 'select 1 as one' })).object.rows).toEqual([[1]])
  await agent.close()
})
