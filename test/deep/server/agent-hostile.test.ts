/* Deep: floods, and messages without an end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { Market } from '../../../src/market.js'
import { HttpTools } from '../../../src/server/mcp/http-tools.js'
import { toolServer } from '../../../src/server/mcp/protocol-server.js'
import { budget } from '../../../src/server/mcp/tool.js'
import { type Agent, agentHere, protocol } from '../../helper/agent.js'
import { main } from '../../helper/cli.js'
import { type Running, runService } from '../../helper/running-service.js'
import { useOwnTemp } from '../../helper/temp.js'

useOwnTemp()

let [service, agent]: [Running, Agent] = [] as never
beforeAll(async () => {
  service = await runService({
    agents: (archive, authenticator) => {
      const door = toolServer(protocol, { market: new Market(archive), isPublic: true })
      return new HttpTools(protocol, door, authenticator)
    },
  })
  agent = await agentHere()
})
afterAll(async () => {
  await agent.close()
  await service.close()
})

test('words of our own are not marked as others; reasons, which may quote them, are', async () => {
  const marked = async (name: string, given: Record<string, unknown>) => {
    const { object } = await agent.call(name, given)
    return object.outside?.split(':')[0].split(', ') ?? []
  }
  expect(await marked('check', { check: 'all', days: 1 })).toEqual(['worst'])
  expect(await marked('check', { check: 'southbound', days: 1 })).toEqual(['name', 'why'])
  expect(await marked('check', { check: 'vwap', days: 1, all_rows: true })).toEqual(['why'])
  const days = { dataset: 'convertible_daily', first_day: '20260728', second_day: '20260729' }
  expect(await marked('compare_days', { ...days, fields: ['name', 'close'] })).toEqual([
    'name_20260728',
    'name_20260729',
  ])
})

test('no call spends more than its budget', async () => {
  const market = await connect({ nodes: [service.url], apikey: 'secret-key' })
  const far = await agentHere({ market })
  const before = service.entries.length
  const days = { from: '20260506', to: '20260729' }
  const bars = await far.call('query_etf_minute', { params: { symbols: 'all', period: '15m' }, days })
  expect(bars.text).toMatch(/^BUDGET: it takes \d+ requests, and a call may send 300; ask for fewer days/)
  expect(service.entries.length).toBe(before)
  const good = await far.call('query_convertible_daily', { params: { startdate: '20260601' } })
  expect(good.object).toMatchObject({ complete: true })
  expect(JSON.stringify(good)).not.toContain('secret-key')
  expect((await far.call('sql', { text: 'select 1' })).text).toMatch(/^INVALID_PARAMS: unknown tool 'sql'/)
  const share = await far.call('query_file_download', { params: { data_type: 'auction_tick', year: 2026 } })
  expect(share.object.columns).not.toContain('password')
  await far.close()
  await market.close()

  const { rows } = budget
  budget.rows = 1000
  const all = await agent.call('query_convertible_daily', { params: { startdate: '20260506' } })
  budget.rows = rows
  expect(all.text).toMatch(/^BUDGET: it reads more than 1000 rows/)
  const large = await agent.call('sql', { text: "select repeat('x', 10000) as t from range(100000)" })
  expect(large.text).toMatch(/^SQL: the query needs more memory/)
  const wide = await agent.call('sql', { text: "select repeat('x', 1000) as t from range(50000)" })
  await expect(agent.read(wide.links[0] ?? '')).rejects.toThrow(/BUDGET: the file has more than/)
  expect(wide.bytes).toBeLessThan(200_000)
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('quotebook-sql-'))).toEqual([])
})

test('a flood is answered, with the word busy where it is too much', async () => {
  const calls = Array.from({ length: 1000 }, () => agent.call('query_st'))
  const said = await Promise.all(calls)
  expect(said.some(({ isError }) => !isError)).toBe(true)
  const refused = said.filter(({ isError }) => isError)
  expect(refused.length).toBeGreaterThan(500)
  for (const { text } of refused) expect(text).toMatch(/^UNAVAILABLE: busy/)
  expect((await agent.call('query_st')).isError).toBe(false)
})

test('whatever is given, a tool answers with rows or with a code and a line', async () => {
  const names = (await agent.client.listTools()).tools.map(({ name }) => name)
  const keys = [
    'params',
    'fields',
    'days',
    'text',
    'dataset',
    'check',
    'max_rows',
    'next',
    'budget',
    'x',
    'y',
    'equity',
    'first_day',
    '__proto__',
  ]
  const words = fc.constantFrom('st', 'all', 'vwap', 'select 1', '20260729', 'close', '\u0000', "'; drop table st")
  const value = fc.oneof(
    words,
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(fc.constantFrom('tradedate', 'symbols', 'type'), words),
  )
  const given = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names, 'no_tool'), given, async (name, args) => {
      const { isError, text } = await agent.call(name, args)
      if (isError) expect(text).toMatch(/^[A-Z_]+: .+$/s)
      expect(text).not.toMatch(/INTERNAL|node_modules|\/work\/|^ +at /)
    }),
    { numRuns: 300 },
  )
})

test('a message without an end ends the command, not the machine', async () => {
  const child = spawn(process.execPath, [main, 'mcp', '--source', 'sample'])
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  for (let i = 0; i < 12; i++) {
    child.stdin.write('x'.repeat(2 ** 20))
    await wait(20)
  }
  const [code] = await ended
  expect(code).toBe(0)
})
