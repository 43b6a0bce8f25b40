import { createRequire } from 'node:module'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { connect } from '../../src/connect.js'
import type { Language } from '../../src/contract/language.js'
import { sayIn } from '../../src/contract/say.js'
import type { Market } from '../../src/market.js'
import { type Protocol, protocolServer, toolServer } from '../../src/server/mcp/protocol-server.js'
import type { ToolServerOptions } from '../../src/server/mcp/tool-server.js'
import { main } from './cli.js'

/** The build's own copy of the protocol; clients of the tests use that of the package. */
export const protocol = createRequire(import.meta.url)('#mcp') as Protocol

/** Tokens as the guide counts them: ASCII by four characters, any other character by itself. */
export const tokensIn = (text: string): number => [...text].reduce((sum, sign) => sum + (sign < '\x80' ? 0.25 : 1), 0)

/** What a tool said, as a client sees it. */
export interface Said {
  readonly isError: boolean
  readonly text: string
  /** Its text read as JSON; nothing of a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly object: Record<string, any>
  readonly isStructured: boolean
  /** A picture, in base64. */
  readonly picture: string | undefined
  /** Tokens of all that a client gets, by the rule of the guide. */
  readonly tokens: number
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
      const content = reply.content as { type: string; text?: string; uri?: string; data?: string }[]
      const text = content[0]?.text ?? ''
      return {
        isError: reply.isError === true,
        text,
        object: reply.isError ? {} : JSON.parse(text),
        isStructured: 'structuredContent' in reply,
        picture: content.find(({ type }) => type === 'image')?.data,
        tokens: tokensIn(
          content.map((part) => (part.type === 'text' ? part.text : JSON.stringify({ ...part, data: '' }))).join(''),
        ),
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
    protocolServer(protocol, door, language, sayIn(language)).connect(far as never),
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

/** An agent of the built command, over stdin and stdout. */
export async function agentOfCommand(args: readonly string[]): Promise<Agent> {
  const client = newClient()
  const words = [main, 'mcp', ...args]
  await client.connect(new StdioClientTransport({ command: process.execPath, args: words, stderr: 'ignore' }))
  return agentOf(client)
}
