import type { Language } from '../../contract/language.js'
import type { Say } from '../../contract/say.js'
import { sentence } from '../../contract/sentence.js'
import { version } from '../../contract/version.js'
import { type Protocol, protocolServer } from './protocol-server.js'
import type { ToolServer } from './tool-server.js'

/** What became of one thing that was tried. */
export interface TriedTool {
  readonly name: string
  readonly ok: boolean
  /** Its size, or what was wrong. */
  readonly said: string
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''

/** Lists the tools as a client does and calls one of each with its example; the first link, page and prompt are read too. */
export async function checkTools(
  protocol: Protocol,
  own: ToolServer,
  language: Language,
  say: Say,
): Promise<readonly TriedTool[]> {
  const [near, far] = protocol.InMemoryTransport.createLinkedPair()
  const server = protocolServer(protocol, own, language, say)
  const client = new protocol.Client({ name: 'quotebook', version })
  await Promise.all([server.connect(far as never), client.connect(near as never)])
  const tried: TriedTool[] = []
  const attempt = async (name: string, work: () => Promise<string>): Promise<void> => {
    const done = await work().then(
      (said) => ({ ok: true, said }),
      (error: unknown) => ({ ok: false, said: firstLine(String(error)) }),
    )
    tried.push({ name, ...done })
  }
  let link: string | undefined
  const { tools } = await client.listTools()
  for (const { name } of tools) {
    const example = own.tools.find((tool) => tool.name === name)?.example
    if (!example) continue
    await attempt(name, async () => {
      const reply = await client.callTool({ name, arguments: { ...example } })
      const content = reply.content as readonly {
        readonly type: string
        readonly text?: string
        readonly uri?: string
      }[]
      if (reply.isError) throw new Error(content[0]?.text)
      link ??= content.find(({ type }) => type === 'resource_link')?.uri
      const shown = firstLine(content[0]?.text ?? '').slice(0, 72)
      return say(sentence`${shown} (${JSON.stringify(reply).length} bytes)`)
    })
  }
  const read = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri })
    return say(sentence`${JSON.stringify(contents).length} bytes`)
  }
  const { resources } = await client.listResources()
  await attempt('resource', () => read(resources.at(-1)?.uri ?? ''))
  await attempt('resource link', () => read(link ?? ''))
  const { prompts } = await client.listPrompts()
  await attempt('prompt', async () => {
    const { messages } = await client.getPrompt({ name: prompts[0]?.name ?? '' })
    return say(sentence`${prompts.length} prompts, ${JSON.stringify(messages).length} bytes`)
  })
  await client.close()
  return tried
}
