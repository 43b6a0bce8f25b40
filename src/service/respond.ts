import { type Picked, pick } from '../archive/answer/pick.js'
import { join, slice } from '../archive/answer/piece.js'
import type { Manifest } from '../archive/manifest.js'
import type { Shelf } from '../archive/shelf.js'
import { checkFields, defaultFields } from '../contract/check-fields.js'
import { checkParams } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import { codes, messageOf, ParamsError, QuotebookError } from '../contract/error.js'
import { answerHeader } from '../source/answer/identity.js'
import { type ColumnData, cellOf, texts } from '../table/values.js'
import { type ApiRequest, type RawRequest, readApikey, readOperation, readRequest } from './api-request.js'
import type { Authenticator, Caller } from './authenticator.js'
import type { EncodedRowCache } from './encode/encoded-row-cache.js'
import type { ResponseCache } from './response-cache.js'
import {
  envelope,
  forbidden,
  invalid,
  jsonType,
  type ServiceAnswer,
  tooManyRequests,
  unavailable,
} from './service-answer.js'
import type { Shares } from './share/tick-shares.js'

/** What answers a request: nothing else enters an answer. */
export interface HandlerContext {
  readonly archive: SnapshotStore
  readonly authenticator: Authenticator
  readonly shares: Shares
  readonly encodedRows: EncodedRowCache
  readonly responses: ResponseCache
  /** What the answers of one state say of where they come from. */
  readonly originHeaders: (manifest: Manifest, state: string) => Readonly<Record<string, string>>
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
  { shares }: HandlerContext,
  { dataset, fields, params }: ApiRequest,
  caller: Caller,
  base: string,
  who: Who,
): Promise<ServiceAnswer> {
  const query = checkParams(dataset, params)
  if (caller.plan === 'free') return forbidden('file_download needs a professional or flagship plan.', who)
  const result = await shares.offer(caller, Number(query.year), base)
  if (result.code === codes.noData) return envelope(codes.noData, 'no data', who)
  const names = checkFields(dataset, fields, query)
  const data = result.data && Object.fromEntries(names.map((name) => [name, result.data?.[name]]))
  const body = { code: codes.ok, message: 'success', data: { code: result.code, data, message: result.message } }
  return {
    status: 200,
    headers: { 'content-type': jsonType, 'cache-control': 'no-store', ...waitOf(result.data?.retry_after) },
    chunks: [Buffer.from(JSON.stringify(body))],
    code: codes.ok,
    message: 'success',
    rows: 1,
    ...who,
  }
}

/** The present state, and what answers say of it. */
function originNow({
  archive,
  originHeaders,
}: HandlerContext): Promise<{ state: string; headers: Readonly<Record<string, string>> }> {
  return archive.read(async ({ state }, manifest) => ({ state, headers: originHeaders(manifest, state) }))
}

/** A request that was read, before it is held against the contract. */
interface Put {
  readonly request: RawRequest
  /** What it is remembered by. */
  readonly text: string | undefined
  readonly caller: Caller
  readonly base: string
}

async function answered(desk: HandlerContext, { request, text, caller, base }: Put): Promise<ServiceAnswer> {
  const asked = readOperation(request)
  const who = { apiname: asked.dataset.name, caller: caller.name }
  if (who.apiname === 'file_download') {
    const before = await originNow(desk)
    const answer = await shareOf(desk, asked, caller, base, who)
    const isSame = (await originNow(desk)).state === before.state
    return isSame ? { ...answer, headers: { ...before.headers, ...answer.headers } } : answer
  }
  return desk.archive.read(async (shelf, manifest) => {
    const { rows, chunks, ...about } = await answerQuery(shelf, asked, desk.encodedRows)
    const origin = desk.originHeaders(manifest, shelf.state)
    const told = Object.entries(origin).map(([name, text]) => [name, answerHeader(text, about)])
    const headers = { 'content-type': jsonType, ...Object.fromEntries(told) }
    if (rows === 0) return envelope(codes.noData, 'no data', { headers, ...who })
    const answer = { status: 200, headers, chunks, code: codes.ok, message: 'success', rows, ...who }
    return desk.responses.add(text, shelf.state, readApikey(request), answer)
  })
}

/** The present state; undefined while there is none to read, of which the caller hears once the request is known. */
async function stateOf({ archive }: HandlerContext): Promise<string | undefined> {
  try {
    return await archive.state()
  } catch {
    return undefined
  }
}

/** An error as the envelope that it means. What the contract does not know is told to the operator, not to the caller. */
function failed(error: unknown, onFault: HandlerContext['onFault']): ServiceAnswer {
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
export async function respond(desk: HandlerContext, body: Uint8Array, base: string): Promise<ServiceAnswer> {
  let who: { readonly caller?: string; readonly apiname?: string } = {}
  try {
    const text = desk.responses.keyOf(body)
    const known = desk.responses.get(text, await stateOf(desk))
    const request = known ? undefined : readRequest(body)
    const admission = desk.authenticator.authenticate(known ? known.apikey : readApikey(request as RawRequest))
    if ('refused' in admission) {
      if (admission.refused === 'forbidden') return forbidden(admission.message)
      return tooManyRequests(admission.message, admission.retryAfter, { caller: admission.name })
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

/** A place that rows come from, of which a request sees one state: an archive. */
export interface SnapshotStore {
  readonly name: string
  /** sha256 that names the present state. */
  state(): Promise<string>
  read<T>(ask: (shelf: Shelf, manifest: Manifest) => Promise<T>): Promise<T>
}

const tail = Buffer.from('}}')
const heads = new WeakMap<readonly string[], Buffer>()

/** The envelope up to the first row. */
function headOf(fields: readonly string[]): Buffer {
  let head = heads.get(fields)
  if (!head) {
    head = Buffer.from(`{"code":${codes.ok},"message":"success","data":{"fields":${JSON.stringify(fields)},"items":[`)
    heads.set(fields, head)
  }
  return head
}

/** The last row has no comma behind it. */
function withoutLast(chunks: Uint8Array[]): Uint8Array[] {
  const last = chunks.at(-1)
  if (last) chunks[chunks.length - 1] = last.subarray(0, last.length - 1)
  return chunks
}

function rowsOf(held: EncodedRowCache, dataset: Dataset, { pieces, fields, query }: Picked): Uint8Array[] {
  const all = defaultFields(dataset, query)
  const isAll = fields === all || fields.join() === all.join()
  return withoutLast(pieces.flatMap((piece) => held.chunks(dataset, piece, fields, isAll)))
}

/** The groups of the news by source: its rows once more, each source with its name. */
function groupsOf(held: EncodedRowCache, dataset: Dataset, picked: Picked): Uint8Array[] {
  const columns = join(dataset, picked.pieces, ['source', 'source_name'])
  const [sources, names] = [texts(columns, 'source'), texts(columns, 'source_name')]
  const out: Uint8Array[] = []
  for (let from = 0; from < sources.length; ) {
    let to = from
    while (to < sources.length && sources[to] === sources[from]) to++
    const about = `"source":${JSON.stringify(sources[from])},"source_name":${JSON.stringify(names[from])}`
    out.push(Buffer.from(`${from === 0 ? '' : ','}{${about},"count":${to - from},"items":[`))
    out.push(...rowsOf(held, dataset, { ...picked, pieces: slice(picked.pieces, from, to) }), Buffer.from(']}'))
    from = to
  }
  return out
}

/** `data` of an operation that answers rows, with what stands beside them. */
function tabular(held: EncodedRowCache, dataset: Dataset, picked: Picked): Uint8Array[] {
  const rows = rowsOf(held, dataset, picked)
  const { beside } = picked
  if (!beside) return [headOf(picked.fields), ...rows, Buffer.from(']'), tail]
  const more = JSON.stringify(beside).slice(1, -1)
  const chunks = [headOf(picked.fields), ...rows, Buffer.from(`],${more}`)]
  if (picked.query.view !== 'source') return [...chunks, tail]
  return [...chunks, Buffer.from(',"groups":['), ...groupsOf(held, dataset, picked), Buffer.from(']'), tail]
}

/** The one record of an operation that answers an object. */
export function recordOf(dataset: Dataset, { pieces, fields }: Picked): Record<string, unknown> {
  const columns = join(dataset, slice(pieces, 0, 1), fields)
  return Object.fromEntries(
    fields.map((name) => {
      const cell = cellOf(columns.of.get(name) as ColumnData, 0)
      const isJson = dataset.columns[name]?.kind === 'json' && typeof cell === 'string'
      return [name, isJson ? JSON.parse(cell) : cell]
    }),
  )
}

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
  shelf: Shelf,
  { dataset, fields, params }: ApiRequest,
  held: EncodedRowCache,
): Promise<QueryAnswer> {
  const picked = await pick(shelf, dataset, params, { fields })
  const { rows, total, complete, note } = picked
  const about = { rows, total, ...(complete || rows < total ? {} : { unproven: note }) }
  if (rows === 0) return { ...about, chunks: [] }
  if (dataset.shape === 'rows') return { ...about, chunks: tabular(held, dataset, picked) }
  const data = recordOf(dataset, picked)
  return { ...about, chunks: [Buffer.from(JSON.stringify({ code: codes.ok, message: 'success', data }))] }
}
