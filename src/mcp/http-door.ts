import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { LRUCache } from 'lru-cache'
import type { Authenticator, Caller } from '../service/authenticator.js'
import { readBody, TooLargeError } from '../service/http/read-body.js'
import type { AgentDoor } from './agent-door.js'
import { agentServer, type Protocol } from './agent-server.js'

/** Sessions at most, of them so many of one key, and how long one stays that nobody uses. */
export interface SessionLimits {
  readonly sessions: number
  readonly ofOneKey: number
  readonly idle: number
  /** Bytes of a message. */
  readonly body: number
}

const usual: SessionLimits = { sessions: 1000, ofOneKey: 200, idle: 1_800_000, body: 2 ** 20 }

interface Session {
  readonly transport: StreamableHTTPServerTransport
  readonly owner: string
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(body)
}

/** The key of a request: `Authorization: Bearer KEY`. */
function keyOf({ headers: { authorization = '' } }: IncomingMessage): string {
  return /^bearer +(\S+)\s*$/i.exec(authorization)?.[1] ?? ''
}

/** A page of another site may not speak for its reader. */
function isForeign({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}

/**
 * Streamable HTTP over a door, what `/mcp` of the service answers: with the keys and rates of the service, where every message
 * counts as a request. A session is of the key that began it.
 */
export class HttpDoor {
  readonly #protocol: Protocol
  readonly #door: AgentDoor
  readonly #authenticator: Authenticator
  readonly #limits: SessionLimits
  readonly #sessions: LRUCache<string, Session>

  constructor(protocol: Protocol, door: AgentDoor, authenticator: Authenticator, limits: Partial<SessionLimits> = {}) {
    this.#protocol = protocol
    this.#door = door
    this.#authenticator = authenticator
    this.#limits = { ...usual, ...limits }
    this.#sessions = new LRUCache<string, Session>({
      max: this.#limits.sessions,
      ttl: this.#limits.idle,
      updateAgeOnGet: true,
      dispose: ({ transport }) => void transport.close().catch(() => undefined),
    })
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    if (isForeign(request)) return refuse(response, 403, 'this is not for pages of other sites')
    if (request.method !== 'POST' && request.method !== 'DELETE')
      return refuse(response, 405, 'this path takes POST and DELETE', { allow: 'POST, DELETE' })
    const caller = this.#admitted(request, response)
    if (caller) await this.#answer(request, response, caller)
  }

  async close(): Promise<void> {
    this.#sessions.clear()
  }

  /** Whose request it is; undefined once it is refused. */
  #admitted(request: IncomingMessage, response: ServerResponse): Caller | undefined {
    const anyone = this.#authenticator.acceptsAnyKey ? 'anyone' : ''
    const admission = this.#authenticator.authenticate(keyOf(request) || anyone)
    if ('caller' in admission) return admission.caller
    const { message, refused } = admission
    if (refused === 'too many') refuse(response, 429, message, { 'retry-after': String(admission.retryAfter) })
    else refuse(response, 401, `${message}; send Authorization: Bearer KEY`, { 'www-authenticate': 'Bearer' })
    return undefined
  }

  async #answer(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined
    if (id !== undefined && session?.owner !== caller.name) return refuse(response, 404, 'Session not found')
    const message = request.method === 'POST' ? await this.#message(request, response) : null
    if (message === undefined) return
    if (!session && !this.#protocol.isInitializeRequest(message))
      return refuse(response, 400, 'a session begins with initialize')
    const gone = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the client is gone'))
    })
    const extra = { gone: gone.signal, hasTicks: caller.plan === 'flagship' }
    const auth = { token: '', clientId: caller.name, scopes: [], extra }
    const transport = session?.transport ?? (await this.#begin(caller))
    await transport.handleRequest(Object.assign(request, { auth }), response, message ?? undefined)
  }

  /** The message of a request; undefined once it is refused. */
  async #message(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { body: most } = this.#limits
    try {
      const body: unknown = JSON.parse(Buffer.from(await readBody(request, most)).toString())
      // Many calls in one would count as one against the rate of the key.
      if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
      refuse(response, 400, 'a request carries one message, a JSON object')
    } catch (error) {
      if (request.destroyed && !request.complete) throw error
      if (error instanceof TooLargeError) refuse(response, 413, `a message has at most ${most} bytes`)
      else refuse(response, 400, 'the body is no JSON')
    }
    return undefined
  }

  async #begin({ name: owner }: Caller): Promise<StreamableHTTPServerTransport> {
    const own = [...this.#sessions.entries()].filter(([, session]) => session.owner === owner)
    // The one that was not used for longest makes room.
    if (own.length >= this.#limits.ofOneKey) this.#sessions.delete(own.at(-1)?.[0] ?? '')
    const transport = new this.#protocol.StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, owner }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    })
    await agentServer(this.#protocol, this.#door).connect(transport as never)
    return transport
  }
}
