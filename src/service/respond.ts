import type { Manifest } from '../archive/manifest.js'
import { checkFields } from '../contract/check-fields.js'
import { checkParams } from '../contract/check-params.js'
import { codes, messageOf, ParamsError, QuotebookError } from '../contract/error.js'
import { answerHeader } from '../source/answer/identity.js'
import { type Answer, bare, forbidden, invalid, json, tooMany, unavailable } from './answer.js'
import type { Caller, Doorkeeper } from './caller.js'
import type { HeldRows } from './encode/held-rows.js'
import { find, type Shelves } from './operation.js'
import type { Remembered } from './remembered.js'
import { type Asked, askedIn, keyIn, type RawRequest, readRequest } from './request.js'
import type { Shares } from './share-offer.js'

/** What answers a request: nothing else enters an answer. */
export interface Desk {
  readonly archive: Shelves
  readonly door: Doorkeeper
  readonly shares: Shares
  readonly held: HeldRows
  readonly remembered: Remembered
  /** What the answers of one state say of where they come from. */
  readonly headers: (manifest: Manifest, state: string) => Readonly<Record<string, string>>
  /** Told of a failure that nobody foresaw, or of a damaged archive; the caller only hears that it is unavailable. */
  readonly onFault?: ((error: unknown) => void) | undefined
}

interface Who {
  readonly apiname: string
  readonly caller: string
}

/** Files that are still being prepared: HTTP says too when to come again. */
function waitOf(seconds: unknown): Record<string, string> {
  return typeof seconds === 'number' && seconds > 0 ? { 'retry-after': String(seconds) } : {}
}

/** The share of a year: its files, its link and its password, a level deeper than other answers. */
async function shareOf(
  { shares }: Desk,
  { dataset, fields, params }: Asked,
  caller: Caller,
  base: string,
  who: Who,
): Promise<Answer> {
  const query = checkParams(dataset, params)
  if (caller.plan === 'free') return forbidden('file_download needs a professional or flagship plan.', who)
  const result = await shares.offer(caller, Number(query.year), base)
  if (result.code === codes.noData) return bare(codes.noData, 'no data', who)
  const names = checkFields(dataset, fields, query)
  const data = result.data && Object.fromEntries(names.map((name) => [name, result.data?.[name]]))
  const body = { code: codes.ok, message: 'success', data: { code: result.code, data, message: result.message } }
  return {
    status: 200,
    headers: { 'content-type': json, 'cache-control': 'no-store', ...waitOf(result.data?.retry_after) },
    chunks: [Buffer.from(JSON.stringify(body))],
    code: codes.ok,
    message: 'success',
    rows: 1,
    ...who,
  }
}

/** The present state, and what answers say of it. */
function originNow({ archive, headers }: Desk): Promise<{ state: string; headers: Readonly<Record<string, string>> }> {
  return archive.read(async ({ state }, manifest) => ({ state, headers: headers(manifest, state) }))
}

/** A request that was read, before it is held against the contract. */
interface Put {
  readonly request: RawRequest
  /** What it is remembered by. */
  readonly text: string | undefined
  readonly caller: Caller
  readonly base: string
}

async function answered(desk: Desk, { request, text, caller, base }: Put): Promise<Answer> {
  const asked = askedIn(request)
  const who = { apiname: asked.dataset.name, caller: caller.name }
  if (who.apiname === 'file_download') {
    const before = await originNow(desk)
    const answer = await shareOf(desk, asked, caller, base, who)
    const isSame = (await originNow(desk)).state === before.state
    return isSame ? { ...answer, headers: { ...before.headers, ...answer.headers } } : answer
  }
  return desk.archive.read(async (shelf, manifest) => {
    const { rows, chunks, ...about } = await find(shelf, asked, desk.held)
    const origin = desk.headers(manifest, shelf.state)
    const told = Object.entries(origin).map(([name, text]) => [name, answerHeader(text, about)])
    const headers = { 'content-type': json, ...Object.fromEntries(told) }
    if (rows === 0) return bare(codes.noData, 'no data', { headers, ...who })
    const answer = { status: 200, headers, chunks, code: codes.ok, message: 'success', rows, ...who }
    return desk.remembered.keep(text, shelf.state, keyIn(request), answer)
  })
}

/** The present state; undefined while there is none to read, of which the caller hears once the request is known. */
async function stateOf({ archive }: Desk): Promise<string | undefined> {
  try {
    return await archive.state()
  } catch {
    return undefined
  }
}

/** An error as the envelope that it means. What the contract does not know is told to the operator, not to the caller. */
function failed(error: unknown, onFault: Desk['onFault']): Answer {
  if (error instanceof ParamsError) return invalid(error.message)
  if (error instanceof QuotebookError && error.code === 'UNSUPPORTED_MARKET') return unavailable('UNSUPPORTED_MARKET')
  if (error instanceof QuotebookError && error.code === 'INVALID_PARAMS') return invalid(messageOf(error))
  onFault?.(error)
  return unavailable('temporarily unavailable')
}

/**
 * The answer to the body of a request: `(request, archive) → answer`. It never throws.
 * @param base address of this service as the caller sees it, for links
 */
export async function respond(desk: Desk, body: Uint8Array, base: string): Promise<Answer> {
  let who: { readonly caller?: string; readonly apiname?: string } = {}
  try {
    const text = desk.remembered.textOf(body)
    const known = desk.remembered.get(text, await stateOf(desk))
    const request = known ? undefined : readRequest(body)
    const admission = desk.door.admit(known ? known.apikey : keyIn(request as RawRequest))
    if ('refused' in admission) {
      if (admission.refused === 'forbidden') return forbidden(admission.message)
      return tooMany(admission.message, admission.retryAfter, { caller: admission.name })
    }
    const { caller } = admission
    if (known) return { ...known.answer, caller: caller.name }
    const { apiname } = request as RawRequest
    who = { caller: caller.name, ...(typeof apiname === 'string' ? { apiname } : {}) }
    return await answered(desk, { request: request as RawRequest, text, caller, base })
  } catch (error) {
    return { ...failed(error, desk.onFault), ...who }
  }
}
