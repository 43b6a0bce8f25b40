import { checkFields } from '../../contract/check-fields.js'
import { checkParams } from '../../contract/check-params.js'
import { codes, messageOf, QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { selectRows } from '../../data/archive/answer/select-rows.js'
import { answerHeader, archiveHeaderName } from '../../data/source/reply/archive-identity.js'
import { type ApiRequest, parseBody, type RawRequest, readApikey, readOperation } from './api-request.js'
import type { Caller } from './authenticator.js'
import { encodeAnswer } from './encode/encode-answer.js'
import { requestKey } from './encode/encoded-cache.js'
import {
  bodyOf,
  envelope,
  forbidden,
  invalid,
  jsonAnswer,
  type ServiceAnswer,
  tooManyRequests,
  unavailable,
} from './service-answer.js'
import type { ServiceContext } from './service-context.js'

/** Who asks, where an answer is cached, and the address that links begin with. */
interface Asked {
  readonly caller: Caller
  readonly apikey: string
  readonly cacheKey: string | undefined
  readonly base: () => string
}

/** The answer with the rows of an operation, out of the archive or of the running day. */
async function respondRows(
  { archive, encoded, originHeaders, live }: ServiceContext,
  request: ApiRequest,
  { caller, apikey, cacheKey }: Asked,
): Promise<ServiceAnswer> {
  const { dataset, params, fields } = request
  const current = await live?.ask(request)
  return archive.read(async (snapshot, manifest) => {
    const { state } = snapshot
    const selected = current?.selected ?? (await selectRows(snapshot, dataset, params, { fields }))
    const { rows, total, complete, note } = selected
    const origin = live
      ? await live.headers(archive, manifest, { state, dataset, at: current?.at })
      : originHeaders(manifest, state)
    const about = { total, ...(!complete && rows >= total && { unproven: note }) }
    const named = origin[archiveHeaderName]
    const headers = { ...origin, ...(named && { [archiveHeaderName]: answerHeader(named, about) }) }
    const names = { apiname: dataset.name, caller: caller.name }
    if (rows === 0) return envelope(codes.noData, 'no data', { headers, ...names })
    const body = bodyOf(rows, () => encodeAnswer(encoded, dataset, selected))
    const answer = { ...jsonAnswer([], headers), ...body, rows, ...names }
    return body.pieces ? answer : encoded.addAnswer(cacheKey, { apikey, state, answer })
  })
}

/** The share of a year: its files, its link and its password, a level deeper than other answers. */
async function respondShare(
  { archive, shares, originHeaders }: ServiceContext,
  { dataset, fields, params }: ApiRequest,
  { caller, base }: Asked,
): Promise<ServiceAnswer> {
  const origin = () => archive.read(async ({ state }, manifest) => ({ state, headers: originHeaders(manifest, state) }))
  const { state, headers } = await origin()
  const query = checkParams(dataset, params)
  const { code, message, data: share } = await shares.offer(caller, Number(query.year), base())
  // The answer names the state of the archive where that did not change meanwhile.
  const own = (await origin()).state === state ? headers : {}
  const names = { apiname: dataset.name, caller: caller.name }
  if (code === codes.noData) return envelope(codes.noData, 'no data', { headers: own, ...names })
  const data = share && Object.fromEntries(checkFields(dataset, fields, query).map((name) => [name, share[name]]))
  // Files that are still being prepared: HTTP says too when to come again.
  const wait = Number(share?.retry_after) > 0 ? { 'retry-after': String(share?.retry_after) } : {}
  const body = JSON.stringify({ code: codes.ok, message: 'success', data: { code, data, message } })
  const answer = jsonAnswer([Buffer.from(body)], { 'cache-control': 'no-store', ...wait })
  return { ...answer, headers: { ...own, ...answer.headers }, rows: 1, ...names }
}

/** An error as the envelope that it means. What the contract does not know is for the operator, not for the caller. */
function respondError(error: unknown, onFault: ServiceContext['onFault']): ServiceAnswer {
  const code = error instanceof QuotebookError ? error.code : undefined
  if (code === 'FORBIDDEN') return forbidden(messageOf(error))
  if (code === 'UNSUPPORTED_MARKET') return unavailable('UNSUPPORTED_MARKET')
  if (code === 'INVALID_PARAMS') return invalid(messageOf(error))
  onFault?.(error)
  return unavailable(sentence`temporarily unavailable`)
}

/** The answer of an operation, once it is known who asks. */
async function respondOperation(context: ServiceContext, request: RawRequest, asked: Asked): Promise<ServiceAnswer> {
  const { apiname } = request
  try {
    const operation = readOperation(request)
    const answerOf = operation.dataset.name === 'file_download' ? respondShare : respondRows
    return await answerOf(context, operation, asked)
  } catch (error) {
    const names = { caller: asked.caller.name, ...(typeof apiname === 'string' ? { apiname } : {}) }
    return { ...respondError(error, context.onFault), ...names }
  }
}

/**
 * The answer to the body of a request: `(request, archive) → answer`. It never throws.
 * @param base address of this service as the caller sees it, for links
 */
export async function respond(context: ServiceContext, body: Uint8Array, base: () => string): Promise<ServiceAnswer> {
  const { archive, encoded, authenticator, live } = context
  try {
    // What is live is no answer of one state.
    const cacheKey = live ? undefined : requestKey(body)
    const known = encoded.answer(cacheKey, archive.knownState)
    const request = known ? { apikey: known.apikey } : parseBody(body)
    const apikey = readApikey(request)
    const admission = await authenticator.authenticate(apikey)
    if ('refused' in admission) {
      const { message } = admission
      if (admission.refused === 'forbidden') return forbidden(message)
      return tooManyRequests(message, admission.retryAfter, admission.name)
    }
    const { caller } = admission
    if (known) return { ...known.answer, caller: caller.name }
    return await respondOperation(context, request, { caller, apikey, cacheKey, base })
  } catch (error) {
    return respondError(error, context.onFault)
  }
}
