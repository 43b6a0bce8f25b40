import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import type { Language } from '../../../src/contract/language.js'
import type { Source } from '../../../src/data/source/source.js'
import { provenance, withProvenance } from '../../../src/frame/table/provenance.js'
import { filter } from '../../../src/frame/verb/filter.js'
import { Market } from '../../../src/market.js'
import { queryTools, sqlTool } from '../../../src/server/mcp/query-tools.js'
import type { StrategyDesk } from '../../../src/server/mcp/strategy-tools.js'
import { workTools } from '../../../src/server/mcp/work-tools.js'
import { type Agent, agentHere } from '../../helper/agent.js'
import { englishRuns } from '../../helper/english-runs.js'

let agent: Agent
beforeAll(async () => {
  agent = await agentHere()
})
afterAll(() => agent.close())

const tools = [...queryTools, sqlTool, ...workTools]
const ajv = new Ajv2020({ strict: false })

test('every tool is listed with a schema that is valid, its example fits, and its answer keeps to its budget', async () => {
  const listed = (await agent.client.listTools()).tools
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  for (const { name, inputSchema, outputSchema, annotations } of listed) {
    expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
    // Rows go once, as text: clients that are given a structured answer too show the model that alone, or both.
    expect([name, inputSchema.type, outputSchema]).toEqual([name, 'object', undefined])
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(\$ref|oneOf|allOf|dependentSchemas)"/)
    const example = tools.find((tool) => tool.name === name)?.example
    const isValid = ajv.compile(inputSchema)
    expect([name, isValid(example), isValid.errors]).toEqual([name, true, null])
    const said = await agent.call(name, { ...example, budget: 1000 })
    expect([name, said.isError, said.isStructured, said.tokens <= 1000]).toEqual([name, false, false, true])
  }
})

const desk = {} as StrategyDesk

test.each<Language>(['en', 'zh'])('the list of all tools takes at most 16 KB: %s', async (language) => {
  const own = await agentHere({ strategies: desk }, language)
  const { tools: all } = await own.client.listTools()
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['query', 'report', 'chart', 'backtest', 'account']),
  )
  expect(Buffer.byteLength(JSON.stringify({ tools: all }))).toBeLessThanOrEqual(16_384)
  await own.close()
})

/** All rows of an answer, by `next`. */
async function allRows(name: string, given: Record<string, unknown>): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for (let next: string | undefined, pages = 0; pages === 0 || next; pages++) {
    const said = await agent.call(name, { ...given, ...(next && { next }) })
    expect(said.tokens).toBeLessThanOrEqual(Number(given.budget ?? 6000))
    expect(said.object.rows.length).toBeGreaterThan(0)
    expect(said.object.offset ?? 0).toBe(rows.length)
    rows.push(...said.object.rows)
    next = said.object.next
  }
  return rows
}

test.each([
  ['query', { dataset: 'convertible_daily', params: { startdate: '20260720' } }, 2000],
  ['query', { dataset: 'news', params: { limit: 60 } }, 1500],
  ['sql', { text: 'select * from interactive_qa order by 1, 2, 3' }, 6000],
  ['describe_dataset', { dataset: 'anomaly_forecast' }, 1500],
  ['report', { days: 3, section: 'convertible' }, 3000],
  ['check', { check: 'vwap', days: 2, all_rows: true }, 3000],
])('next leads through all rows of %s, none twice: %o', async (name, given, tokens) => {
  const few = await agent.call(name, { ...given, budget: tokens })
  const rows = await allRows(name, { ...given, budget: tokens })
  expect(rows).toHaveLength(few.object.total_rows)
  const large = await agent.call(name, { ...given, budget: 50_000, max_rows: rows.length })
  expect(rows.slice(0, large.object.rows.length)).toEqual(large.object.rows)
})

test('next is of its own question and of the rows as they were', async () => {
  const given = { dataset: 'st', params: { startdate: '20260701' }, max_rows: 2 }
  const { next } = (await agent.call('query', given)).object
  // The same question in other words of JSON.
  const again = await agent.call('query', { max_rows: 1, next, params: { startdate: '20260701' }, dataset: 'st' })
  expect(again.object).toMatchObject({ offset: 2, rows: [expect.anything()] })
  const other = { ...given, params: { startdate: '20260702' } }
  for (const wrong of [
    { ...other, next },
    { ...given, next: `9${next}` },
    { ...given, next: 'x' },
    { ...given, next: '' },
  ])
    expect((await agent.call('query', wrong)).text).toMatch(/^INVALID_PARAMS: next is of another question/)
  const market = await connect()
  let fewer = false
  const source: Source = {
    name: 'service',
    query: async (...asked) => {
      const table = await market.source.query(...asked)
      const { state: _, ...about } = provenance(table) as NonNullable<ReturnType<typeof provenance>>
      return withProvenance(fewer ? filter(table, ({ symbol }) => symbol !== '000000') : table, about as never)
    },
  }
  const changing = await agentHere({ market: new Market(source) })
  const first = (await changing.call('query', given)).object
  expect((await changing.call('query', { ...given, next: first.next })).object.offset).toBe(2)
  fewer = true
  source.query = async (...asked) => {
    const table = await market.source.query(...asked)
    const [head] = first.rows[0]
    return withProvenance(
      filter(table, ({ tradedate }) => tradedate !== head),
      provenance(table) as never,
    )
  }
  expect((await changing.call('query', { ...given, next: first.next })).text).toMatch(
    /^ARCHIVE_CHANGED: the rows have changed/,
  )
  await changing.close()
})

test('a report is figures by section, with what is wrong; a section is all of its figures; the page is behind a link', async () => {
  const { object, links, tokens } = await agent.call('report', { days: 5 })
  expect(object).toMatchObject({
    day: '20260729',
    light: 'red',
    wrong: [expect.stringMatching(/^contradicted: southbound/)],
  })
  expect(object.columns).toEqual(['section', 'figure', 'value', 'unit', 'day', 'mean_20'])
  expect(new Set(object.rows.map(([section]: string[]) => section))).toContain('convertible')
  expect(tokens).toBeLessThan(2000)
  const { object: median } = await agent.call('sql', {
    text: "select median(cb_over_rate) from convertible_daily where tradedate = '20260729'",
  })
  const [, , premium] = object.rows.find(([, figure]: string[]) => figure === 'Median conversion premium')
  expect(premium).toBeCloseTo(median.rows[0][0], 9)
  expect(links).toHaveLength(1)
  expect(await agent.read(links[0] ?? '')).toMatch(/^<!doctype html>/i)
})

test('a chart is a PNG of the columns, of a query or of sql', async () => {
  const one = { params: { symbols: '123124', startdate: '20260701' }, x: 'tradedate', y: ['close'] }
  const drawn = await agent.call('chart', { dataset: 'convertible_daily', ...one })
  expect(drawn.object.shows).toContain('last 148.875')
  expect(
    Buffer.from(drawn.picture ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  const text =
    "select tradedate, close from convertible_daily where code = '123124.SZ' and tradedate >= '20260701' order by 1"
  const again = await agent.call('chart', { sql: text, x: 'tradedate', y: ['close'] })
  expect(again.picture?.length).toBeGreaterThan(5000)
})

test('answers, pages, prompts and refusals are said in Chinese', async () => {
  const chinese = await agentHere({}, 'zh')
  const one = { params: { symbols: '123124', tradedate: '20260729' } }
  const cut = { params: { limit: 2 }, max_rows: 0 }
  const asked: readonly (readonly [tool: string, given: object, said: string])[] = [
    ['query', { dataset: 'convertible_daily', ...one }, '"元":"pre_close'],
    ['query', { dataset: 'news', ...cut }, '共 300 行，这是第 1 至 2 行'],
    ['describe_dataset', { dataset: 'convertible_daily' }, '价格对转股价值的溢价率。'],
    ['list_datasets', {}, '可转债'],
    ['report', { days: 3 }, '有矛盾：'],
  ]
  for (const [tool, given, said] of asked) {
    const here = await chinese.call(tool, { ...given })
    expect(here.text).toContain(said)
    if (!['describe_dataset', 'query'].includes(tool)) expect([tool, englishRuns(here.text)]).toEqual([tool, []])
  }
  const { messages } = await chinese.client.getPrompt({ name: 'anomalies', arguments: { days: '3' } })
  expect(JSON.stringify(messages)).toContain('{\\"check\\":\\"anomaly\\",\\"days\\":3}：候选自身及相互之间')
  expect(englishRuns(JSON.stringify(messages))).toEqual([])
  expect(englishRuns(JSON.stringify((await chinese.client.listPrompts()).prompts))).toEqual([])
  expect((await chinese.call('query_st', { params: { from: '1' } })).text).toMatch(/^INVALID_PARAMS: .*没有 'from'/)
  await chinese.close()
})
