import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { StreamOptions } from '../../source/transport/http-client.js'
import { headerOf } from '../../source/transport/http-headers.js'
import type { HttpResponse, HttpStream } from '../../source/transport/http-stream.js'

/** What may be asked of an address, and what comes with it wherever it leads. */
interface RedirectableRequest {
  readonly address: string
  readonly method?: 'GET' | 'PROPFIND'
  readonly headers: Readonly<Record<string, string>>
  /** Goes to the origin of the address and to no other. */
  readonly authorization: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer, and where it was found. */
export interface FinalAnswer<T> {
  readonly answer: T
  readonly address: string
  /** Undefined once it was left behind. */
  readonly authorization: string | undefined
}

const redirects: readonly number[] = [301, 302, 303, 307, 308]
const most = 5

function refused(node: string, why: Words): QuotebookError {
  return new QuotebookError('FILE', sentence`the share of auction ticks at ${node} ${why}`)
}

function targetOf(from: string, { headers, node }: HttpResponse | HttpStream): URL {
  const location = headerOf(headers, 'location')
  const target = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (!target || !/^https?:$/.test(target.protocol) || target.username !== '' || target.password !== '') {
    throw refused(node, sentence`leads to what is no address of http or https`)
  }
  if (new URL(from).protocol === 'https:' && target.protocol === 'http:') {
    throw refused(node, sentence`leads from https to http, where anybody may read along: ${target.host}`)
  }
  target.hash = ''
  return target
}

/**
 * Asks, and goes where redirects lead, five times at most. Another origin gets no password, nor does any after it.
 * @throws what asking throws; QuotebookError FILE for redirects that are not followed
 */
export async function followRedirects<T extends HttpResponse | HttpStream>(
  ask: (address: string, options: StreamOptions) => Promise<T>,
  { address: first, method: asked = 'GET', headers, authorization: given, signal }: RedirectableRequest,
): Promise<FinalAnswer<T>> {
  let [address, method, authorization] = [first, asked, given]
  for (let turn = 0; ; turn++) {
    const sent = authorization === undefined ? headers : { ...headers, authorization }
    const answer = await ask(address, { method, headers: sent, signal })
    if (!redirects.includes(answer.status)) return { answer, address, authorization }
    if ('discard' in answer) answer.discard()
    const target = targetOf(address, answer)
    if (target.origin !== new URL(address).origin) authorization = undefined
    if (answer.status === 303) method = 'GET'
    address = target.href
    if (turn === most) throw refused(answer.node, sentence`leads into a redirect loop`)
  }
}
