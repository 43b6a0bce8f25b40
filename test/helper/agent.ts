import { createRequire } from 'node:module'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { connect } from '../../src/connect.js'
import { sentencesIn } from '../../src/contract/error-message.js'
import type { Language } from '../../src/contract/language.js'
import type { Market } from '../../src/market.js'
import { type Protocol, protocolServer, toolServer } from '../../src/server/mcp/protocol-server.js'
import type { ToolServerOptions } from '../../src/server/mcp/tool-server.js'

/** The build's own copy of the protocol; clients of the tests use that of the package. */
export const protocol = createRequire(import.meta.url)('#mcp') as Protocol

/** What a tool said, as a client sees it. */
export interface Said {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly object: Record<string, any>
  readonly links: readonly string[]
  readonly bytes: number
}

/** A client of the SDK with what tests ask of it. */
export interface Agent {
  readonly client: Client
  call(name: string, given?: Record<string, unknown>, options?: object): Promise<Said>
  read(uri: string): Promise<string>
  close(): Promise<void>
}

function agentOf(client: Client): Agent {
  return {
    client,
    async call(name, given = {}, options = {}) {
      const reply = await client.callTool({ name, arguments: given }, undefined, options)
      const content = reply.content as { type: string; text?: string; uri?: string }[]
      return {
        isError: reply.isError === true,
        text: content[0]?.text ?? '',
        object: (reply.structuredContent ?? {}) as Said['object'],
        links: content.flatMap(({ uri }) => uri ?? []),
        bytes: JSON.stringify(reply).length,
      }
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      const [first] = contents as { text?: string; blob?: string }[]
      return first?.text ?? Buffer.from(first?.blob ?? '', 'base64').toString('latin1')
    },
    close: () => client.close(),
  }
}

const newClient = (): Client => new Client({ name: 'test', version: '1' })

/** An agent in this process. */
export async function agentHere(
  options: Partial<ToolServerOptions> & { readonly market?: Market } = {},
  language: Language = 'en',
): Promise<Agent> {
  const door = toolServer(protocol, { market: options.market ?? (await connect()), ...options })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = newClient()
  await Promise.all([
    protocolServer(protocol, door, language, await sentencesIn(language)).connect(far as never),
    client.connect(near),
  ])
  return agentOf(client)
}

/** An agent over HTTP. */
export async function agentAt(url: string, key?: string): Promise<Agent> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  const client = newClient()
  await client.connect(transport as never)
  return agentOf(client)
}
