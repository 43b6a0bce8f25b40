import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { allNames, datasetOf } from '../../contract/catalogue.js'
import { datasetText } from '../../contract/dataset-text.js'
import { worded } from '../../contract/error.js'
import type { Language } from '../../contract/language.js'
import { unknownName } from '../../contract/nearest.js'
import { type Say, sayIn } from '../../contract/say.js'
import { isFact, sentence } from '../../contract/sentence.js'
import { version } from '../../contract/version.js'
import { archiveStatus, statusTable } from '../../data/archive/archive-status.js'
import { toJson } from '../../frame/write-data.js'
import type { Schema } from '../service/openapi/json-schema.js'
import { datasetPage } from './contract-page.js'
import { promptText, researchPrompts } from './research-prompts.js'
import { outsideMark } from './table-reply.js'
import type { Tool } from './tool.js'
import { type Calling, ToolServer, type ToolServerOptions } from './tool-server.js'

/** The pages that a client may read without a call. */
const pageUris = () => allNames().map((name) => [name, `quotebook://contract/${name}`] as const)
const statusUri = 'quotebook://archive/status'

/** The protocol's library, loaded when it is wanted. */
export type Protocol = typeof import('./protocol.js')

/** What every client is told at first. */
const instructions = [
  sentence`Quotebook: Chinese securities data that is complete or says that it is not.`,
  sentence`list_datasets shows what there is, describe_dataset the params and columns of a dataset, query its rows.`,
  sentence`An answer keeps to budget, in tokens, and shows up to max_rows. If it has next, repeat the call with that for the rows after. Links hold the whole.`,
  sentence`complete: true rests on a proof; without it rows may be missing.`,
  sentence`Null is not known, never zero. Days are Beijing days, YYYYMMDD; codes are text. Without a date it is the latest day.`,
  sentence`Columns marked outside hold ${outsideMark}`,
]

/** Schemas with what they say of themselves in a language. */
function saidSchema<S>(schema: S, say: Say): S {
  return JSON.parse(
    JSON.stringify(schema, (name, part: unknown) => (name === 'description' && isFact(part) ? say(part) : part)),
  ) as S
}

function listed({ name, title, about, input }: Tool, say: Say) {
  return {
    name,
    title: say(title),
    description: say(about),
    inputSchema: saidSchema(input as { type: 'object' }, say),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

/** The tools of a market. @param protocol `#mcp` */
export function toolServer(protocol: Protocol, options: ToolServerOptions): ToolServer {
  const provider = new protocol.AjvJsonSchemaValidator()
  return new ToolServer(options, (schema: Schema) => provider.getValidator(schema as never) as never)
}

/** How the protocol hands over a call. */
interface Extra {
  readonly signal: AbortSignal
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  readonly authInfo?:
    | { readonly clientId: string; readonly extra?: Readonly<Record<string, unknown>> | undefined }
    | undefined
  sendNotification(message: never): Promise<void>
}

function callingOf({ signal, _meta, authInfo, sendNotification }: Extra, language: Language): Calling {
  const { gone, hasTicks = true } = authInfo?.extra ?? {}
  const progressToken = _meta?.progressToken
  let progress = 0
  return {
    caller: authInfo?.clientId ?? '',
    signal: gone instanceof AbortSignal ? AbortSignal.any([signal, gone]) : signal,
    hasTicks: hasTicks === true,
    language,
    onStep: (done, total, message) => {
      if (progressToken === undefined) return
      // It must grow, though each of several queries counts from 0.
      progress = Math.max(progress + 0.001, done)
      const params = { progressToken, progress, total: Math.max(total, progress), message }
      sendNotification({ method: 'notifications/progress', params } as never).catch(() => undefined)
    },
  }
}

/** What lies under the address of a resource. @throws ParamsError for one that there is not */
export async function readResource(tools: ToolServer, uri: string, calling: Calling): Promise<ReadResourceResult> {
  const { language } = calling
  const { archive } = tools.market
  const page = pageUris().find((one) => one[1] === uri)
  if (page) return { contents: [{ uri, mimeType: 'text/markdown', text: datasetPage(datasetOf(page[0]), language) }] }
  if (uri === statusUri && archive) {
    const text = toJson(await archive.read(async (snapshot) => statusTable(await archiveStatus(snapshot))))
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  }
  if (!uri.startsWith('quotebook://answer/')) {
    const known = pageUris().map((one) => one[1])
    throw unknownName('uri', uri, known, sentence`resource`)
  }
  const { type: mimeType, content } = await tools.file(uri, calling)
  if (typeof content === 'string') return { contents: [{ uri, mimeType, text: content }] }
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  return { contents: [{ uri, mimeType, blob: bytes.toString('base64') }] }
}

function listedPrompts(say: Say) {
  return researchPrompts.map(({ name, title, description, args }) => {
    const optional = args.map((arg) => {
      return { name: arg.name, description: say(sentence`${arg.description} Default: ${arg.usual}.`) }
    })
    return { name, title: say(title), description: say(description), arguments: optional }
  })
}

/** What a tool said: rows once, as text, which every client hands to its model; several hand over nothing else beside structured content. */
function replyOf({ title, text, links, picture }: Awaited<ReturnType<ToolServer['call']>>, say: Say): CallToolResult {
  const described = links.map((link) => ({ ...link, description: say(sentence`${title}: all of it`) }))
  const drawn = picture
    ? [{ type: 'image' as const, data: Buffer.from(picture).toString('base64'), mimeType: 'image/png' }]
    : []
  return { content: [{ type: 'text', text }, ...drawn, ...described] }
}

export function listedResources({ market }: ToolServer, language: Language, say: Say) {
  const pages = pageUris().map(([name, uri]) => {
    return { uri, name, title: datasetText(datasetOf(name), language).title, mimeType: 'text/markdown' }
  })
  const status = {
    uri: statusUri,
    name: 'status',
    title: say(sentence`What the archive has`),
    mimeType: 'application/json',
  }
  return market.archive ? [...pages, status] : pages
}

/**
 * A server of the protocol over the tools of a market: one for each client.
 * @param language of what it says of the tools
 * @param say says an error in it
 */
export function protocolServer(
  protocol: Protocol,
  tools: ToolServer,
  language: Language = 'en',
  say: Say = sayIn(),
): Server {
  const { Server: Made, ErrorCode } = protocol
  const capabilities = { tools: {}, resources: {}, prompts: {} }
  const about = { capabilities, instructions: instructions.map((one) => say(one)).join('\n') }
  const server = new Made({ name: 'quotebook', title: 'Quotebook', version }, about)
  const failing = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      const { code, message } = tools.refusal(error, say)
      throw Object.assign(worded(Error, sentence`${code}: ${message}`), {
        code: ErrorCode.InvalidParams,
        data: { code },
      })
    })
  server.setRequestHandler(protocol.ListToolsRequestSchema, async () => ({
    tools: tools.tools.map((tool) => listed(tool, say)),
  }))
  server.setRequestHandler(protocol.CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    try {
      return replyOf(await tools.call(params.name, params.arguments ?? {}, callingOf(extra, language), say), say)
    } catch (error) {
      const { code, message } = tools.refusal(error, say)
      return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }], _meta: { code } }
    }
  })
  server.setRequestHandler(protocol.ListResourcesRequestSchema, async () => ({
    resources: listedResources(tools, language, say),
  }))
  server.setRequestHandler(protocol.ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      {
        uriTemplate: 'quotebook://contract/{dataset}',
        name: 'contract',
        title: say(sentence`What the contract says of a dataset`),
      },
    ],
  }))
  server.setRequestHandler(protocol.ReadResourceRequestSchema, ({ params }, extra) =>
    failing(() => readResource(tools, params.uri, callingOf(extra, language))),
  )
  server.setRequestHandler(protocol.ListPromptsRequestSchema, async () => ({ prompts: listedPrompts(say) }))
  server.setRequestHandler(protocol.GetPromptRequestSchema, ({ params }) =>
    failing(async (): Promise<GetPromptResult> => {
      const text = promptText(params.name, params.arguments ?? {}, say)
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    }),
  )
  return server
}
