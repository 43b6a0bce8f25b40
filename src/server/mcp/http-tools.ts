import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { worded } from '../../contract/error.js'
import { errorText } from '../../contract/error-message.js'
import { sayIn } from '../../contract/say.js'
import { sentence } from '../../contract/sentence.js'
import { type Authenticator, admitByHeader, type Caller } from '../service/authenticator.js'
import { languageAsked } from '../service/http/client-address.js'
import { readBody, TooLargeError } from '../service/http/read-body.js'
import { refuseForeign } from '../service/http/routes.js'
import { RefusedError } from '../service/refused-error.js'
import { type Protocol, protocolServer } from './protocol-server.js'
import type { ToolServer } from './tool-server.js'

/** Bytes of a message. */
const most = 2 ** 20
const sessionPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Why a call ends before it is answered. */
function endedBy(message: unknown): string | undefined {
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } }
  return method === 'notifications/cancelled' ? JSON.stringify(params?.requestId) : undefined
}

/** The message of a request. */
async function readMessage(request: IncomingMessage): Promise<object> {
  let body: unknown
  try {
    body = JSON.parse(Buffer.from(await readBody(request, most)).toString())
  } catch (error) {
    if (request.destroyed && !request.complete) throw error
    if (error instanceof TooLargeError) throw new RefusedError(413, sentence`a message has at most ${most} bytes`)
    throw new RefusedError(400, sentence`the body is no JSON`)
  }
  // Many calls in one would count as one against the rate of the key.
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new RefusedError(400, sentence`a request carries one message, a JSON object`)
}

/**
 * Streamable HTTP over the tools of a market, what `/mcp` of the service answers: with the keys and rates of the service, where every message
 * counts as a request. Nothing is kept of a session, so that any process can answer its next message: its id only tells whose
 * call a client cancels.
 */
export class HttpTools {
  readonly #protocol: Protocol
  readonly #tools: ToolServer
  readonly #authenticator: Authenticator
  readonly #calls = new Map<string, AbortController>()
  readonly #cancelElsewhere: ((call: string) => void) | undefined

  /** @param cancelElsewhere is told of a call to be cancelled that does not run here */
  constructor(
    protocol: Protocol,
    tools: ToolServer,
    authenticator: Authenticator,
    cancelElsewhere?: (call: string) => void,
  ) {
    this.#protocol = protocol
    this.#tools = tools
    this.#authenticator = authenticator
    this.#cancelElsewhere = cancelElsewhere
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    try {
      refuseForeign(request)
      if (request.method !== 'POST' && request.method !== 'DELETE')
        throw new RefusedError(405, sentence`this path takes POST and DELETE`, { headers: { allow: 'POST, DELETE' } })
      await this.#answer(request, response, await admitByHeader(this.#authenticator, request))
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const { status, about } = error
      const message = await errorText(error, languageAsked(request))
      const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
      response
        .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...about.headers })
        .end(body)
    }
  }

  /** Ends a call that a client has cancelled, if it runs here. */
  cancel(call: string): boolean {
    this.#calls.get(call)?.abort(worded(Error, sentence`the client has cancelled`))
    return this.#calls.has(call)
  }

  async #answer(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const session = request.headers['mcp-session-id']
    if (session !== undefined && !sessionPattern.test(String(session)))
      throw new RefusedError(404, sentence`Session not found`)
    const message = request.method === 'POST' ? await readMessage(request) : undefined
    const isFirst = this.#protocol.isInitializeRequest(message)
    if (session === undefined && !isFirst) throw new RefusedError(400, sentence`a session begins with initialize`)
    if (message === undefined) return void response.writeHead(200).end()
    if (isFirst) response.setHeader('mcp-session-id', randomUUID())
    const call = (id: string): string => `${caller.name} ${session} ${id}`
    const cancelled = endedBy(message)
    if (cancelled !== undefined && !this.cancel(call(cancelled))) this.#cancelElsewhere?.(call(cancelled))
    await this.#run(request, response, {
      caller,
      message,
      call: call(JSON.stringify((message as { id?: unknown }).id)),
    })
  }

  /** Hands a message to a server of its own. */
  async #run(
    request: IncomingMessage,
    response: ServerResponse,
    { caller, message, call }: { readonly caller: Caller; readonly message: unknown; readonly call: string },
  ): Promise<void> {
    const gone = new AbortController()
    this.#calls.set(call, gone)
    const language = languageAsked(request)
    const server = protocolServer(this.#protocol, this.#tools, language, sayIn(language))
    response.on('close', () => {
      if (!response.writableFinished) gone.abort(worded(Error, sentence`the client is gone`))
      if (this.#calls.get(call) === gone) this.#calls.delete(call)
      void server.close().catch(() => undefined)
    })
    const extra = { gone: gone.signal, hasTicks: caller.plan === 'flagship' }
    const auth = { token: '', clientId: caller.name, scopes: [], extra }
    const transport = new this.#protocol.StreamableHTTPServerTransport()
    await server.connect(transport as never)
    await transport.handleRequest(Object.assign(request, { auth }), response, message)
  }
}
