import { datasetOf } from '../../src/contract/catalogue.js'
import { daysBetween } from '../../src/contract/day-list.js'
import { parseCode } from '../../src/contract/symbol.js'
import { answerTable } from '../../src/data/source/answer-table.js'
import { ObservedSizes } from '../../src/data/source/completeness/reply-sizes.js'
import { fetchQuery } from '../../src/data/source/fetch-query.js'
import { planQuery } from '../../src/data/source/plan/query-plan.js'
import { requestFields, requestParams } from '../../src/data/source/plan/request-params.js'
import { QueryRequests } from '../../src/data/source/query-requests.js'
import { readReply } from '../../src/data/source/reply/read-reply.js'
import { normalizeSpelling, validateReply } from '../../src/data/source/reply/validate-reply.js'
import type { RangeRequest } from '../../src/data/source/requester.js'
import type { QueryOptions } from '../../src/data/source/source.js'
import { toObjects } from '../../src/frame/read-columns.js'
import { type Provenance, provenance } from '../../src/frame/table/provenance.js'
import { type Asked, matching, type Row, truth } from './vendor.js'

/** What a vendor keeps back in every reply, without a word. */
export interface Caps {
  readonly rows?: number
  /** Codes of a request that are answered. */
  readonly symbols?: number
  /** Trading days of a range that are answered. */
  readonly days?: number
  /** The cap on days counts calendar days. */
  readonly isCalendar?: boolean
  /** Which rows, codes and days are kept: the first or the last, or rows in an order of the vendor's own. */
  readonly keeps?: 'first' | 'last' | 'scattered'
  /** Rows are cut before codes and days are. */
  readonly rowsFirst?: boolean
}

function keep<T>(list: readonly T[], most: number | undefined, keeps: Caps['keeps']): readonly T[] {
  if (most === undefined || list.length <= most) return list
  return keeps === 'last' ? list.slice(-most) : list.slice(0, most)
}

/** An order of rows that has nothing to do with their days or codes. */
function scattered(rows: readonly Row[]): Row[] {
  const mark = (row: Row): number => {
    let mixed = 7
    for (const char of JSON.stringify(row)) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193)
    return mixed >>> 0
  }
  return [...rows].sort((a, b) => mark(a) - mark(b))
}

/** The rows of a reply after all caps. */
function cappedRows(rows: readonly Row[], apiname: string, params: Record<string, unknown>, caps: Caps): Row[] {
  const dataset = datasetOf(apiname)
  const [day = '', column = ''] = [dataset.day, dataset.params.symbols?.columns?.[0]]
  let found: readonly Row[] = matching(rows, { apiname, params })
  const cutRows = (): void => {
    const kept = caps.keeps === 'scattered' ? scattered(found) : found
    const own = new Set(keep(kept, caps.rows, caps.keeps))
    found = found.filter((row) => own.has(row))
  }
  const cutCodes = (): void => {
    const named = Array.isArray(params.symbols)
      ? (params.symbols as string[]).map((code) => parseCode(code).bare)
      : undefined
    const codes = named ?? [...new Set(found.map((row) => String(row[column])))].sort()
    const own = new Set(keep(codes, caps.symbols, caps.keeps).map((code) => parseCode(code).bare))
    found = found.filter((row) => own.has(parseCode(String(row[column])).bare))
  }
  const cutDays = (): void => {
    const { startdate, enddate } = params
    if (startdate === undefined || caps.days === undefined) return
    const latest = rows
      .map((row) => String(row[day]))
      .sort()
      .at(-1)
    const range = daysBetween(String(startdate), String(enddate ?? latest))
    const first = caps.isCalendar ? Number(startdate) + caps.days : 0
    const own = new Set(
      caps.isCalendar && caps.keeps !== 'last'
        ? range.filter((on) => Number(on) < first)
        : keep(range, caps.days, caps.keeps),
    )
    found = found.filter((row) => own.has(String(row[day])))
  }
  if (caps.rowsFirst) cutRows()
  cutCodes()
  cutDays()
  if (!caps.rowsFirst) cutRows()
  return [...found]
}

export interface Outcome {
  readonly about: Provenance
  readonly rows: readonly unknown[]
  readonly truth: readonly Row[]
}

/** A connection to a vendor with caps, without a network between. */
export function connection(rows: readonly Row[], caps: Caps) {
  const shown = new Map<string, ObservedSizes>()
  let requests = 0
  const answer = ({ apiname, params, fields = '' }: Asked): unknown => {
    const sent = fields.split(',')
    const found = cappedRows(rows, apiname, params as Record<string, unknown>, caps)
    const items = found.map((row) => sent.map((name) => row[name] ?? null))
    return items.length === 0
      ? { code: 1002, message: 'no data', data: null }
      : { code: 200, message: 'success', data: { fields: sent, items } }
  }
  const send = async ({ dataset, query, fields, range, page }: RangeRequest) => {
    requests++
    if (requests > 5000) throw new Error('there is no end to the requests')
    const params = requestParams(dataset, query, range, page)
    const sent = requestFields(dataset, query, fields)
    const body = answer({ apiname: dataset.name, params, ...(sent ? { fields: sent.join(',') } : {}) })
    const bytes = Buffer.from(JSON.stringify(body))
    const response = { contentType: 'application/json', retryAfter: undefined, bytes, node: 'vendor', headers: {} }
    const context = { dataset, expected: sent ?? fields, request: { dataset: dataset.name, params }, key: 'key' }
    const read = readReply({ ...response, status: 200, received: bytes.length }, context)
    const chunk = normalizeSpelling(dataset, read)
    validateReply(dataset, query, range, chunk)
    return { chunk, cost: { requests: 1, bytes: bytes.length, node: 'vendor' } }
  }
  return async (name: string, params: Record<string, unknown>, options: QueryOptions = {}): Promise<Outcome> => {
    const intent = planQuery(datasetOf(name), params, { whole: true, ...options }, '20261231')
    const memory = shown.get(name) ?? new ObservedSizes()
    shown.set(name, memory)
    const asking = new QueryRequests(intent, options, { send }, memory)
    const table = answerTable(asking, await fetchQuery(asking), 'vendor', asking.call('', 0))
    const days = intent.days ?? [undefined]
    const all = days.flatMap((day) => truth(rows, name, day === undefined ? params : { ...params, tradedate: day }))
    return { about: provenance(table) as Provenance, rows: toObjects(table), truth: all }
  }
}
