import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames } from '../../../src/contract/catalogue.js'
import { queryTools, sqlTool } from '../../../src/server/mcp/query-tools.js'
import { workTools } from '../../../src/server/mcp/work-tools.js'
import { type Agent, agentHere } from '../../helper/agent.js'
import { englishRuns } from '../../helper/english-runs.js'

let agent: Agent
beforeAll(async () => {
  agent = await agentHere()
})
afterAll(() => agent.close())

const tools = [...queryTools(), sqlTool, ...workTools]
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

test('answers, pages, prompts and refusals are said in Chinese, the same object beside them', async () => {
  const chinese = await agentHere({}, 'zh')
  const one = { params: { symbols: '123124', tradedate: '20260729' } }
  const cut = { params: { limit: 2 }, max_rows: 0 }
  const asked: readonly (readonly [tool: string, given: object, said: string])[] = [
    ['query_convertible_daily', { ...one, max_rows: 0 }, '没有行（共 1 行）；完整（依据：'],
    ['query_news', cut, '没有行（共 2 行）；未证明完整：共 300 行，这是第 1 至 2 行；数据源：sample'],
    ['check', { check: 'vwap', days: 2, max_rows: 0 }, '列：'],
    ['describe_dataset', { dataset: 'convertible_daily' }, '价格对转股价值的溢价率。'],
    ['list_datasets', {}, '何时可知：'],
    ['report', { days: 3, sections: ['convertible'] }, '个字符；请读取资源。'],
  ]
  for (const [tool, given, said] of asked) {
    const [here, there] = await Promise.all([chinese.call(tool, { ...given }), agent.call(tool, { ...given })])
    expect(here.text).toContain(said)
    if (tool !== 'describe_dataset') expect([tool, englishRuns(here.text)]).toEqual([tool, []])
    expect(here.object).toEqual(there.object)
  }
  const { messages } = await chinese.client.getPrompt({ name: 'anomalies', arguments: { days: '3' } })
  expect(JSON.stringify(messages)).toContain('{\\"check\\":\\"anomaly\\",\\"days\\":3}：候选自身及相互之间')
  expect(englishRuns(JSON.stringify(messages))).toEqual([])
  expect(englishRuns(JSON.stringify((await chinese.client.listPrompts()).prompts))).toEqual([])
  expect((await chinese.call('query_st', { params: { from: '1' } })).text).toMatch(/^INVALID_PARAMS: .*没有 'from'/)
  await chinese.close()
})
