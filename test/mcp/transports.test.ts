import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Archive } from '../../src/archive/archive.js'
import { Market } from '../../src/market.js'
import { agentDoor } from '../../src/mcp/agent-server.js'
import { HttpDoor } from '../../src/mcp/http-door.js'
import { queryTools, sqlTool } from '../../src/mcp/query-tools.js'
import { workTools } from '../../src/mcp/work-tools.js'
import type { Authenticator } from '../../src/service/authenticator.js'
import { hashOfKey } from '../../src/service/keys/key-file.js'
import { type Agent, agentAt, agentHere, agentOnStdio, protocol } from '../helper/agent.js'
import { main } from '../helper/cli.js'
import { type Running, runService } from '../helper/running-service.js'
import { tempDir } from '../helper/temp.js'

const doorOf = (archive: Archive, authenticator: Authenticator): HttpDoor =>
  new HttpDoor(protocol, agentDoor(protocol, { market: new Market(archive), isPublic: true }), authenticator)

let service: Running
beforeAll(async () => {
  service = await runService({ agents: doorOf })
})
afterAll(() => service.close())

const known = [...queryTools, sqlTool, ...workTools]

/** Every tool with an example of its own, every kind of resource, every prompt. */
async function everything(agent: Agent): Promise<unknown[]> {
  const { tools } = await agent.client.listTools()
  const found: unknown[] = [tools]
  for (const { name } of tools) {
    const said = await agent.call(name, { ...known.find((tool) => tool.name === name)?.example })
    expect([name, said.isError ? said.text : '']).toEqual([name, ''])
    found.push(said)
    if (said.links[0]) found.push(await agent.read(said.links[0]))
  }
  for (const { uri } of (await agent.client.listResources()).resources) found.push(await agent.read(uri))
  for (const { name } of (await agent.client.listPrompts()).prompts) found.push(await agent.client.getPrompt({ name }))
  return found
}

test('stdio, HTTP and memory list and answer the same, to the byte', async () => {
  const agents = [await agentHere(), await agentOnStdio(), await agentAt(service.url)]
  const all: unknown[][] = []
  for (const agent of agents) all.push(await everything(agent))
  expect(all[0]?.length).toBeGreaterThan(60)
  expect(all[1]).toEqual(all[0])
  expect(all[2]).toEqual(all[0])
  for (const agent of agents) await agent.close()
})

test('keys and rates are those of the service', async () => {
  const keys = join(tempDir(), 'keys.json')
  const entry = (name: string, plan: string, rate: number) => {
    return {
      name,
      sha256: hashOfKey(`key of ${name}`.replaceAll(' ', '-')),
      plan,
      expiry: '20991231',
      rate,
      added: null,
    }
  }
  const all = [entry('ada', 'flagship', 6000), entry('bob', 'free', 6000), entry('cy', 'free', 30)]
  writeFileSync(keys, JSON.stringify({ format: 1, keys: all }), { mode: 0o600 })
  const own = await runService({ keys, agents: doorOf })
  await expect(agentAt(own.url)).rejects.toThrow(/apikey is missing/)
  await expect(agentAt(own.url, 'wrong')).rejects.toThrow(/apikey is not valid/)
  const [ada, bob] = [await agentAt(own.url, 'key-of-ada'), await agentAt(own.url, 'key-of-bob')]
  const ticks = { text: 'select count(*) as n from Ticks' }
  expect((await ada.call('sql', ticks)).object.total_rows).toBe(1)
  expect((await bob.call('sql', ticks)).text).toMatch(/^FORBIDDEN: .*plan/)
  expect((await bob.call('query_st')).isError).toBe(false)
  const page = await bob.call('report', { days: 3, sections: ['auction'] })
  expect(await bob.read(page.links[0] ?? '')).toContain('the plan of the key does not include')
  // A session holds nothing: it is neither known nor of a key, and any process takes it.
  const session = (ada.client.transport as unknown as { sessionId: string }).sessionId
  const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' })
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': session,
  }
  const ask = (key: string) =>
    fetch(`${own.url}/mcp`, { method: 'POST', body, headers: { ...headers, authorization: `Bearer ${key}` } })
  expect((await ask('key-of-bob')).status).toBe(200)
  expect((await ask('key-of-ada')).status).toBe(200)
  expect((await ask('wrong')).status).toBe(401)
  const cy = await agentAt(own.url, 'key-of-cy')
  await expect(
    (async () => {
      for (let i = 0; i < 30; i++) await cy.call('list_datasets')
    })(),
  ).rejects.toThrow(/too many requests: this key has 30 a minute/)
  // Neither the log nor a reply has a key.
  expect(own.log()).not.toContain('key-of')
  expect(own.entries.filter(({ route }) => route === 'mcp').length).toBeGreaterThan(10)
  for (const agent of [ada, bob]) await agent.close()
  await own.close()
})

test('progress is told, and a call that is cancelled or late ends', async () => {
  const agent = await agentHere()
  const steps: number[] = []
  await agent.call(
    'check',
    { check: 'all', days: 2 },
    { onprogress: ({ progress }: { progress: number }) => steps.push(progress) },
  )
  expect(steps.length).toBeGreaterThan(10)
  expect(steps).toEqual([...steps].sort((a, b) => a - b))
  const slow = { text: 'select count(*) as n from range(100000000) a, range(1000) b where a.range + b.range = 7' }
  const controller = new AbortController()
  const call = agent.call('sql', slow, { signal: controller.signal })
  await wait(300)
  controller.abort(new Error('enough'))
  await expect(call).rejects.toThrow(/enough/)
  // Its place is free again: two such calls would hold up all others.
  for (let i = 0; i < 3; i++) {
    const again = new AbortController()
    const late = agent.call('sql', slow, { signal: again.signal })
    await wait(100)
    again.abort(new Error('enough'))
    await expect(late).rejects.toThrow()
  }
  expect((await agent.call('sql', { text: 'select 1 as one' })).object.rows).toEqual([[1]])
  await agent.close()
  const hasty = await agentHere({ patience: 300 })
  expect((await hasty.call('sql', slow)).text).toMatch(/^BUDGET: it takes longer than 0.3 s/)
  await hasty.close()
})

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

test('the command ends when its client goes, and stdout is the protocol alone', async () => {
  const child = spawn(process.execPath, [main, 'mcp', '--source', 'sample'])
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'x', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  send({ method: 'notifications/initialized' })
  child.stdin.write('no JSON\n{"jsonrpc":"1.0"}\n')
  send({ id: 2, method: 'tools/call', params: { name: 'check', arguments: { check: 'all', days: 1 } } })
  while (out.split('\n').length < 3) await wait(20)
  child.stdin.end()
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ id }) => id)).toEqual([1, 2])
  expect(err).toMatch(/agents may ask sample/)
})

test('a hundred sessions at once, each with its own answers', async () => {
  const agents = await Promise.all(Array.from({ length: 100 }, () => agentAt(service.url)))
  const days = ['20260727', '20260728', '20260729']
  const answers = await Promise.all(
    agents.map((agent, i) =>
      agent.call('query_convertible_daily', { params: { tradedate: days[i % 3] }, fields: ['tradedate', 'code'] }),
    ),
  )
  answers.forEach(({ object }, i) => {
    expect(new Set(object.rows.map(([day]: string[]) => day))).toEqual(new Set([days[i % 3]]))
  })
  const ids = new Set(agents.map(({ client }) => (client.transport as unknown as { sessionId: string }).sessionId))
  expect(ids.size).toBe(100)
  for (const agent of agents) await agent.close()
})
