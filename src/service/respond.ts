import { type SelectedRows, selectRows } from '../archive/answer/select-rows.js'
import type { Snapshot } from '../archive/snapshot.js'
import { checkFields } from '../contract/check-fields.js'
import { checkParams } from '../contract/check-params.js'
import { codes, messageOf, ParamsError, QuotebookError } from '../contract/error.js'
import { answerHeader, archiveHeaderName } from '../source/reply/archive-identity.js'
import { type ApiRequest, parseBody, type RawRequest, readApikey, readOperation } from './api-request.js'
import type { Admission, Caller } from './authenticator.js'
import { encodeAnswer } from './encode/encode-answer.js'
import type { EncodedRowCache } from './encode/encoded-row-cache.js'
import { selectedLive } from './live-answers.js'
import {
  envelope,
  forbidden,
  invalid,
  jsonType,
  type ServiceAnswer,
  tooManyRequests,
  unavailable,
} from './service-answer.js'
import type { ServiceContext } from './service-context.js'
import type { Shares } from './share/tick-shares.js'

/** What an operation finds: nothing, or the envelope with its rows. */
export interface QueryAnswer {
  readonly rows: number
  /** Rows that match. */
  readonly total: number
  /** Why the archive does not know its rows to be all. */
  readonly unproven?: string | undefined
  readonly chunks: readonly Uint8Array[]
}

/**
 * The rows of one state of an archive as an envelope; no chunks when none matches.
 * @throws ParamsError for a request that the contract does not allow
 */
export async function answerQuery(
  snapshot: Snapshot,
  request: ApiRequest,
  cache: EncodedRowCache,
): Promise<QueryAnswer> {
  const { dataset, fields, params } = request
  return answerOf(request, await selectRows(snapshot, dataset, params, { fields }), cache)
}

async function answerOf({ dataset }: ApiRequest, selected: SelectedRows, cache: EncodedRowCache): Promise<QueryAnswer> {
  const { rows, total, complete, note } = selected
  const unproven = complete || rows < total ? {} : { unproven: note }
  return { rows, total, ...unproven, chunks: rows === 0 ? [] : await encodeAnswer(cache, dataset, selected) }
}

/** The answer with the rows of an operation; one that was given before is added to the cache of responses. */
async function respondRows(
  { archive, encodedRows, responses, originHeaders, live }: ServiceContext,
  request: ApiRequest,
  caller: Caller,
  cache: { readonly key: string | undefined; readonly apikey: string },
): Promise<ServiceAnswer> {
  const current = await live?.ask(request)
  return archive.read(async (snapshot, manifest) => {
    const { rows, chunks, ...about } = current
      ? await answerOf(request, selectedLive(request, current), encodedRows)
      : await answerQuery(snapshot, request, encodedRows)
    const { state } = snapshot
    const origin = live
      ? await live.headers(archive, manifest, { state, dataset: request.dataset, live: current })
      : originHeaders(manifest, state)
    const named = origin[archiveHeaderName]
    const headers = { ...origin, ...(named && { [archiveHeaderName]: answerHeader(named, about) }) }
    const names = { apiname: request.dataset.name, caller: caller.name }
    if (rows === 0) return envelope(codes.noData, 'no data', { headers, ...names })
    return responses.add(cache.key, snapshot.state, cache.apikey, {
      status: 200,
      headers: { 'content-type': jsonType, ...headers },
      chunks,
      code: codes.ok,
      message: 'success',
      rows,
      ...names,
    })
  })
}

/** The share of a year: its files, its link and its password, a level deeper than other answers. */
async function offerShare(
  shares: Shares,
  { dataset, fields, params }: ApiRequest,
  caller: Caller,
  base: string,
): Promise<ServiceAnswer> {
  const names = { apiname: dataset.name, caller: caller.name }
  const query = checkParams(dataset, params)
  const { code, message, data: share } = await shares.offer(caller, Number(query.year), base)
  if (code === codes.noData) return envelope(codes.noData, 'no data', names)
  const data = share && Object.fromEntries(checkFields(dataset, fields, query).map((name) => [name, share[name]]))
  // Files that are still being prepared: HTTP says too when to come again.
  const wait = Number(share?.retry_after) > 0 ? { 'retry-after': String(share?.retry_after) } : {}
  return {
    status: 200,
    headers: { 'content-type': jsonType, 'cache-control': 'no-store', ...wait },
    chunks: [Buffer.from(JSON.stringify({ code: codes.ok, message: 'success', data: { code, data, message } }))],
    code: codes.ok,
    message: 'success',
    rows: 1,
    ...names,
  }
}

/** The answer with the share of a year. It names the state of the archive where that did not change meanwhile. */
async function respondShare(
  { archive, shares, originHeaders }: ServiceContext,
  request: ApiRequest,
  caller: Caller,
  base: string,
): Promise<ServiceAnswer> {
  const origin = () => archive.read(async ({ state }, manifest) => ({ state, headers: originHeaders(manifest, state) }))
  const { state, headers } = await origin()
  const answer = await offerShare(shares, request, caller, base)
  return (await origin()).state === state ? { ...answer, headers: { ...headers, ...answer.headers } } : answer
}

/** An error as the envelope that it means. What the contract does not know is for the operator, not for the caller. */
function respondError(error: unknown, onFault: ServiceContext['onFault']): ServiceAnswer {
  if (error instanceof ParamsError) return invalid(error.message)
  if (error instanceof QuotebookError && error.code === 'FORBIDDEN') return forbidden(messageOf(error))
  if (error instanceof QuotebookError && error.code === 'UNSUPPORTED_MARKET') return unavailable('UNSUPPORTED_MARKET')
  if (error instanceof QuotebookError && error.code === 'INVALID_PARAMS') return invalid(messageOf(error))
  onFault?.(error)
  return unavailable('temporarily unavailable')
}

/** The answer of an operation, once it is known who asks. */
async function respondOperation(
  context: ServiceContext,
  request: RawRequest,
  caller: Caller,
  cache: { readonly key: string | undefined; readonly apikey: string },
  base: () => string,
): Promise<ServiceAnswer> {
  const { apiname } = request
  try {
    const operation = readOperation(request)
    return operation.dataset.name === 'file_download'
      ? await respondShare(context, operation, caller, base())
      : await respondRows(context, operation, caller, cache)
  } catch (error) {
    const names = { caller: caller.name, ...(typeof apiname === 'string' ? { apiname } : {}) }
    return { ...respondError(error, context.onFault), ...names }
  }
}

/**
 * The answer to the body of a request: `(request, archive) → answer`; at once where it was given before, or nobody may have
 * it. It never throws.
 * @param base address of this service as the caller sees it, for links
 */
export function respond(
  context: ServiceContext,
  body: Uint8Array,
  base: () => string,
): ServiceAnswer | Promise<ServiceAnswer> {
  const { archive, responses, authenticator, live } = context
  try {
    // What is live is no answer of one state.
    const key = live ? undefined : responses.keyOf(body)
    const known = responses.get(key, archive.knownState)
    const request = known ? { apikey: known.apikey } : parseBody(body)
    const apikey = readApikey(request)
    const answer = (admission: Admission): ServiceAnswer | Promise<ServiceAnswer> => {
      if ('refused' in admission) {
        if (admission.refused === 'forbidden') return forbidden(admission.message)
        return tooManyRequests(admission.message, admission.retryAfter, admission.name)
      }
      const { caller } = admission
      if (known) return known.answer.caller === caller.name ? known.answer : { ...known.answer, caller: caller.name }
      return respondOperation(context, request, caller, { key, apikey }, base)
    }
    const admission = authenticator.authenticate(apikey)
    return admission instanceof Promise ? admission.then(answer) : answer(admission)
  } catch (error) {
    return respondError(error, context.onFault)
  }
}
