import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames } from '../../../src/contract/catalogue.js'
import { queryTools, sqlTool } from '../../../src/server/mcp/query-tools.js'
import { workTools } from '../../../src/server/mcp/work-tools.js'
import { type Agent, agentHere } from '../../helper/agent.js'

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
