import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { performance } from '../../src/analysis/performance/performance.js'
import { datasetNames, datasets } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { linkTo, readLink } from '../../src/mcp/agent-link.js'
import { queryTools, sqlTool } from '../../src/mcp/query-tools.js'
import { researchPrompts } from '../../src/mcp/research-prompts.js'
import { workTools } from '../../src/mcp/work-tools.js'
import { type Agent, agentHere } from '../helper/agent.js'
import { quotebook } from '../helper/cli.js'

let agent: Agent
beforeAll(async () => {
  agent = await agentHere()
})
afterAll(() => agent.close())

const tools = [...queryTools, sqlTool, ...workTools]
const ajv = new Ajv2020({ strict: false })

test('every tool is listed with schemas that are valid, and its example fits them', async () => {
  const listed = (await agent.client.listTools()).tools
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(listed).toHaveLength(datasetNames.length + 7)
  for (const { name, inputSchema, outputSchema, annotations } of listed) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    // What models and clients take: an object at the top, nothing that refers elsewhere.
    expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object'])
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(\$ref|oneOf|allOf|dependentSchemas)"/)
    expect(Object.keys(inputSchema)).not.toContain('anyOf')
    const example = tools.find((tool) => tool.name === name)?.example
    const isValid = ajv.compile(inputSchema)
    expect([name, isValid(example), isValid.errors]).toEqual([name, true, null])
    const { object } = await agent.call(name, { ...example })
    const fits = ajv.compile(outputSchema as object)
    expect([name, fits(object), fits.errors]).toEqual([name, true, null])
  }
})

describe.each(datasets as readonly Dataset[])('query_$name', ({ name, example, columns }) => {
  test('gives what the command gives, every cell, and its whole as CSV is the same bytes', async () => {
    const secret = Object.keys(columns).filter((column) => columns[column]?.secret)
    const { object, links } = await agent.call(`query_${name}`, { params: example, max_rows: 1000 })
    const asked = ['query', name, '--params', JSON.stringify(example)]
    const json = JSON.parse(quotebook([...asked, '--format', 'json']).out) as Record<string, unknown>[]
    expect(object.total_rows).toBe(json.length)
    const names = object.columns.map((column: { name: string }) => column.name)
    expect(names).not.toEqual(expect.arrayContaining(secret.length > 0 ? secret : ['none']))
    const short = (cell: unknown): unknown => {
      const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
      return text.length > 300 ? `${text.slice(0, 300)}…` : cell
    }
    const rows = json.map((row) => names.map((column: string) => short(row[column] ?? null)))
    expect(object.rows).toEqual(rows.slice(0, object.rows.length))
    expect(object.rows.length).toBeGreaterThan(Math.min(rows.length, 20) - 1)
    const [csv = '', parquet = ''] = links
    if (['convertible_daily', 'news', 'hotstock'].includes(name))
      expect(await agent.read(csv)).toBe(quotebook([...asked, '--format', 'csv']).out)
    expect((await agent.read(parquet)).slice(0, 4)).toBe('PAR1')
  })
})

test('rows are passed over and bounded; the total and the proof stay', async () => {
  const params = { startdate: '20260506' }
  const whole = await agent.call('query_convertible_daily', { params, fields: ['code'], max_rows: 1000 })
  const part = await agent.call('query_convertible_daily', { params, fields: ['code'], offset: 990, max_rows: 10 })
  expect(part.object.rows).toEqual(whole.object.rows.slice(990))
  expect(part.object).toMatchObject({ total_rows: 1194, offset: 990, complete: true, proof: 'calendar' })
  const { object, bytes } = await agent.call('query_news', { params: { limit: 300 }, max_rows: 1000 })
  expect(bytes).toBeLessThan(200_000)
  expect(object.rows.length).toBeLessThan(object.total_rows)
})

test('check, compare_days, report and performance are what the library says', async () => {
  const { object } = await agent.call('check', { check: 'vwap', days: 5, all_rows: true, max_rows: 0 })
  const csv = quotebook(['check', 'vwap', '--days', '5', '--format', 'csv']).out
  const { links } = await agent.call('check', { check: 'vwap', days: 5, all_rows: true, max_rows: 0 })
  expect(await agent.read(links[0] ?? '')).toBe(csv)
  expect(object.total_rows).toBe(csv.trimEnd().split('\n').length - 1)
  expect(object.holds).toBe(true)
  const health = await agent.call('check', { check: 'all', days: 2, max_rows: 100 })
  const lines = JSON.parse(quotebook(['check', 'all', '--days', '2', '--format', 'json']).out)
  expect(health.object.rows).toEqual(lines.map((line: object) => Object.values(line)))

  const days = { dataset: 'convertible_daily', fields: ['close'], first_day: '20260728', second_day: '20260729' }
  const compared = (await agent.call('compare_days', days)).object
  const text = `select coalesce(a.code, b.code) as code, a.close as first, b.close as second,
      (b.close::decimal(18, 6) - a.close::decimal(18, 6))::double as more
    from (from convertible_daily where tradedate = '20260728') a
    full join (from convertible_daily where tradedate = '20260729') b on a.code = b.code`
  const joined = (await agent.call('sql', { text })).object
  const byCode = (rows: unknown[][]): unknown[][] => [...rows].sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  expect(compared.columns.map(({ name }: { name: string }) => name)).toEqual([
    'code',
    'close_20260728',
    'close_20260729',
    'close_change',
  ])
  expect(byCode(compared.rows)).toEqual(byCode(joined.rows))

  const page = await agent.call('report', { days: 5, sections: ['convertible'] })
  expect((await agent.read(page.links[0] ?? '')).length).toBe(page.object.characters)
  const figures = await agent.call('performance', { days: ['20260728', '20260729'], equity: [110, 99], start: 100 })
  expect(figures.object).toEqual(
    JSON.parse(JSON.stringify(performance({ days: ['20260728', '20260729'], equity: [110, 99], start: 100 }))),
  )
})

test('an error has a code and says what would be right', async () => {
  const cases: [string, object, RegExp][] = [
    ['query_etf_minute', { params: { symbol: '510300' } }, /^INVALID_PARAMS: .*Did you mean 'symbols'/],
    ['query_etf_minute', { params: { period: '5m' } }, /^INVALID_PARAMS: .*15m/],
    ['query_etf_minute', { fields: ['clos'] }, /^INVALID_PARAMS: .*Did you mean 'close'/],
    ['query_etf_minute', { param: {} }, /^INVALID_PARAMS: .*Did you mean 'params'/],
    ['query_etf_minute', { max_rows: 5000 }, /^INVALID_PARAMS: .*max_rows must be <= 1000/],
    ['query_hotstock', {}, /^INVALID_PARAMS: .*type/],
    [
      'query_file_download',
      { params: { data_type: 'auction_tick', year: 2026 }, fields: ['password'] },
      /INVALID_PARAMS/,
    ],
    ['query_etf_minutes', {}, /^INVALID_PARAMS: .*Did you mean 'query_etf_minute'/],
    ['sql', { text: 'select * from convertible_dayly' }, /^SQL: unknown table .* did you mean 'convertible_daily'/],
    ['sql', { text: "copy (select 1) to '/tmp/x.csv'" }, /^SQL: /],
    ['sql', { text: "select * from read_csv('/etc/passwd')" }, /^SQL: /],
    ['sql', { text: "attach '/tmp/x.db'" }, /^SQL: /],
    ['sql', { text: 'select sql from duckdb_views()' }, /^SQL: duckdb_views is not for here/],
    ['check', { check: 'vwap', end: '20260704' }, /^INVALID_VALUE: end: the exchanges are closed/],
    ['compare_days', { dataset: 'news', first_day: '20260728', second_day: '20260729' }, /^USAGE: news has no days/],
    ['performance', { days: ['20260729', '20260728'], equity: [1, 2], start: 1 }, /^INVALID_VALUE: .*days must ascend/],
    ['report', { end: '20260704' }, /^INVALID_VALUE/],
  ]
  for (const [name, given, said] of cases) {
    const { isError, text } = await agent.call(name, { ...given })
    expect([name, isError, text]).toEqual([name, true, expect.stringMatching(said)])
  }
})

test('resources and prompts are there to be read', async () => {
  const { resources } = await agent.client.listResources()
  expect(resources).toHaveLength(datasetNames.length + 1)
  for (const { uri } of resources) expect((await agent.read(uri)).length).toBeGreaterThan(500)
  expect(JSON.parse(await agent.read('quotebook://archive/status'))).toEqual(
    JSON.parse(quotebook(['status', '--source', 'data/sample', '--format', 'json']).out),
  )
  const { prompts } = await agent.client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(researchPrompts.map(({ name }) => name))
  for (const { name } of prompts) {
    const [message] = (await agent.client.getPrompt({ name })).messages
    const { text } = (message ?? { content: { text: '' } }).content as { text: string }
    // What they name exists.
    for (const [, tool = ''] of text.matchAll(/Call (\w+)/g)) expect(tools.map((one) => one.name)).toContain(tool)
    for (const [, check] of text.matchAll(/"check":"([^"]+)"/g))
      expect((await agent.call('check', { check, days: 1 })).isError).toBe(false)
  }
  await expect(agent.client.getPrompt({ name: 'anomalys' })).rejects.toThrow(/Did you mean 'anomalies'/)
  await expect(agent.read('quotebook://contract/etf')).rejects.toThrow(/INVALID_PARAMS/)
  await expect(agent.read('file:///etc/passwd')).rejects.toThrow(/INVALID_PARAMS/)
})

test('a link reads back as what it was made of', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
      (args, state) => {
        const given = JSON.parse(JSON.stringify(args))
        const link = { tool: 'query_st', form: 'csv', given, state: state ?? undefined }
        expect(readLink(linkTo(link))).toEqual(link)
      },
    ),
  )
})
