import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  columnNames,
  connect,
  datasetOf,
  type Market,
  provenance,
  QuotebookError,
  rowsOf,
  type ServiceConnection,
} from 'quotebook'
import { listen } from '../../helper/listen.js'

/** A request of the contract as it came. */
export interface Asked {
  readonly apikey: string
  readonly apiname: string
  readonly fields?: string
  readonly params: Readonly<Record<string, unknown>>
}

export type Row = Readonly<Record<string, unknown>>
export type Items = readonly (readonly unknown[])[]

export interface Envelope {
  readonly code: number
  readonly message: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever a test lets a service say
  readonly data: any
  readonly [other: string]: unknown
}

/** What is sent: an envelope, a body of any text with status and headers, or what a function writes. */
export type Sent = Envelope | Body | ((response: ServerResponse) => void)

interface Body {
  readonly text: string | Uint8Array
  readonly status?: number | undefined
  readonly headers?: Record<string, string> | undefined
}

const isBody = (sent: Envelope | Body): sent is Body => 'text' in sent

export interface Vendor {
  readonly url: string
  /** The requests so far. */
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const open: { close(): Promise<void> }[] = []

/** Closes vendors and markets of the test when it is over: `afterEach(closeAll)`. */
export async function closeAll(): Promise<void> {
  for (const one of open.splice(0)) await one.close()
}

/** A service on this machine that answers as it is told; `number` counts the requests from 1. */
export async function vendor(answer: (asked: Asked, number: number) => Sent | Promise<Sent>): Promise<Vendor> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const body = JSON.parse(await textOf(request)) as Asked
      asked.push(body)
      const sent = await answer(body, asked.length)
      if (typeof sent === 'function') return sent(response)
      const { text, status = 200, headers = {} } = isBody(sent) ? sent : { text: JSON.stringify(sent) }
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }
    respond().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const { url, close } = await listen(server)
  const made = { url, asked, close }
  open.push(made)
  return made
}

/** A market of some nodes, with little patience, closed after the test. */
export async function marketOf(
  nodes: ServiceConnection['nodes'],
  options: Partial<ServiceConnection> = {},
): Promise<Market> {
  const retry = { attempts: 3, baseMs: 1, capMs: 5, budgetMs: 3000 }
  const market = await connect({ nodes, apikey: 'promise-key-0123456789', retry, ...options })
  open.push(market)
  return market
}

export const noData: Envelope = { code: 1002, message: 'no data', data: null }

export function success(fields: readonly string[], items: Items, beside: Row = {}): Envelope {
  return { code: 200, message: 'success', data: { fields, items, ...beside } }
}

let sample: Promise<Market> | undefined
const known = new Map<string, Promise<Envelope>>()

/** The answer of the contract over the sample, as the vendor words it: nothing is told of an archive. */
export function ofSample({ apiname, fields, params }: Asked): Promise<Envelope> {
  const key = JSON.stringify([apiname, fields, params])
  const made = known.get(key) ?? answerOf(apiname, fields, params)
  known.set(key, made)
  return made
}

async function answerOf(apiname: string, fields: string | undefined, params: Row): Promise<Envelope> {
  sample ??= connect()
  const dataset = datasetOf(apiname)
  try {
    const table = await (await sample).source.query(dataset, params, { fields })
    if (table.numRows === 0) return noData
    const names = columnNames(table)
    const isJson = names.map((name) => dataset.columns[name]?.kind === 'json')
    const items = rowsOf(table).map((row) =>
      row.map((cell, i) => (isJson[i] && typeof cell === 'string' ? JSON.parse(cell) : cell)),
    )
    if (dataset.shape === 'rows') return success(names, items, provenance(table)?.beside)
    const record = Object.fromEntries(names.map((name, i) => [name, items[0]?.[i]]))
    const data = apiname === 'file_download' ? { code: 0, message: 'success', data: record } : record
    return { code: 200, message: 'success', data }
  } catch (error) {
    if (error instanceof QuotebookError && error.code === 'INVALID_PARAMS')
      return { code: 422, message: error.message, data: null }
    throw error
  }
}

/** Rows that match a request by code, day and bucket, in the order given; at most `cap` of them in one answer. */
export function ofRows(rows: readonly Row[], cap = Number.POSITIVE_INFINITY): (asked: Asked) => Envelope {
  return ({ fields = '', params }) => {
    const { symbols, tradedate, startdate, enddate, trademin, offset = 0, limit = cap } = params
    const codes = Array.isArray(symbols) ? new Set(symbols.map((code) => String(code).slice(0, 6))) : undefined
    const day = tradedate ?? (startdate === undefined ? (enddate ?? rows.at(-1)?.tradedate) : undefined)
    const found = rows.filter((row) => {
      const on = row.tradedate as string | undefined
      const isDay = on === undefined || (day === undefined ? on >= String(startdate) : on === day)
      const isBefore = on === undefined || day !== undefined || enddate === undefined || on <= String(enddate)
      const isCode = !codes || codes.has(String(row.code ?? row.symbol).slice(0, 6))
      return isDay && isBefore && isCode && (trademin === undefined || row.trademin === trademin)
    })
    const names = fields.split(',')
    const sent = found.slice(Number(offset), Number(offset) + Math.min(cap, Number(limit)))
    const items = sent.map((row) => names.map((name) => row[name] ?? null))
    return items.length === 0
      ? noData
      : success(names, items, rows[0] && 'qa_id' in rows[0] ? { total: found.length } : {})
  }
}

/** Bars of 15 minutes, every bucket of every code. */
export function bars(symbols: readonly string[], tradedate: string): Row[] {
  return symbols.flatMap((symbol) =>
    closes.map((trademin, i) => ({
      tradedate,
      symbol,
      trademin,
      time: `${trademin.slice(0, 2)}:${trademin.slice(2)}:00`,
      ...{ open: 1 + i, high: 2 + i, low: 1, close: 1.5 + i, vol: 100 * i, amount: 1e5 * i },
    })),
  )
}
const closes = [
  ...['0930', '0945', '1000', '1015', '1030', '1045', '1100', '1115', '1130'],
  ...['1315', '1330', '1345', '1400', '1415', '1430', '1445', '1500'],
]

/** What was thrown; what came instead is no error. */
export async function errorOf(promise: Promise<unknown>): Promise<{ code?: string; message: string } & Row> {
  return promise.then(
    () => ({ message: 'no error' }),
    (error: unknown) => error as { message: string } & Row,
  )
}
