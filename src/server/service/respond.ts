import { checkFields } from '../../contract/check-fields.js'
import { checkParams } from '../../contract/check-params.js'
import { codes } from '../../contract/error.js'
import { selectRows } from '../../data/archive/answer/select-rows.js'
import { answerHeader, archiveHeaderName } from '../../data/source/reply/archive-identity.js'
import { type ApiRequest, parseBody, type RawRequest, readApikey, readOperation } from './api-request.js'
import type { Caller } from './authenticator.js'
import { encodeAnswer } from './encode/encode-answer.js'
import { requestKey } from './encode/encoded-cache.js'
import { bodyOf, content, envelope, type ServiceAnswer } from './service-answer.js'
import type { ServiceContext, Visit } from './service-context.js'

/** Who asks, and where an answer is cached. */
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
  { apikey, cacheKey }: Asked,
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
    if (rows === 0) return envelope(codes.noData, 'no data', { headers })
    const body = bodyOf(rows, () => encodeAnswer(encoded, dataset, selected))
    const answer = { ...content('', undefined, headers), ...body, rows }
    return body.pieces ? answer : encoded.addAnswer(cacheKey, { apikey, apiname: dataset.name, state, answer })
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
  if (code === codes.noData) return envelope(codes.noData, 'no data', { headers: own })
  const data = share && Object.fromEntries(checkFields(dataset, fields, query).map((name) => [name, share[name]]))
  // Files that are still being prepared: HTTP says too when to come again.
  const wait = Number(share?.retry_after) > 0 ? { 'retry-after': String(share?.retry_after) } : {}
  const body = JSON.stringify({ code: codes.ok, message: 'success', data: { code, data, message } })
  return { ...content(body, undefined, { ...own, 'cache-control': 'no-store', ...wait }), rows: 1 }
}

/**
 * The answer to the body of a request: `(request, archive) → answer`.
 * @param base address of this service as the caller sees it, for links
 * @throws RefusedError and errors that say why there is none
 */
export async function respond(
  context: ServiceContext,
  body: Uint8Array,
  told: Visit['told'],
  base: () => string,
): Promise<ServiceAnswer> {
  const { archive, encoded, authenticator, live } = context
  // What is live is no answer of one state.
  const cacheKey = live ? undefined : requestKey(body)
  const known = encoded.answer(cacheKey, archive.knownState)
  const request: RawRequest = known ? { apikey: known.apikey, apiname: known.apiname } : parseBody(body)
  const apikey = readApikey(request)
  const caller = await authenticator.authenticate(apikey)
  told.caller = caller.name
  if (typeof request.apiname === 'string') told.apiname = request.apiname
  if (known) return known.answer
  const operation = readOperation(request)
  const answerOf = operation.dataset.name === 'file_download' ? respondShare : respondRows
  return answerOf(context, operation, { caller, apikey, cacheKey, base })
}
