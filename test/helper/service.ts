import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { codes, ParamsError, QuotebookError } from '../../src/contract/error.js'
import { answerHeader, archiveHeader, archiveHeaderName } from '../../src/data/source/reply/archive-identity.js'
import type { Source } from '../../src/data/source/source.js'
import { columnNames, rowsOf } from '../../src/frame/read-columns.js'
import { provenance } from '../../src/frame/table/provenance.js'
import { listen } from './listen.js'

export interface Request {
  readonly apikey: string
  readonly apiname: string
  readonly fields?: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface Envelope {
  readonly code: number
  readonly message: string
  readonly data: unknown
  /** Rows that match. */
  readonly total?: number | undefined
  /** Why the source does not know its rows to be all. */
  readonly unproven?: string | undefined
}

const isJson = new Map(
  datasetNames.map((name) => {
    const { columns } = datasetOf(name)
    return [
      name as string,
      new Set(Object.entries(columns).flatMap(([column, { kind }]) => (kind === 'json' ? [column] : []))),
    ]
  }),
)

/** A cell of a JSON column is its text in a table and a value on the wire. */
function onWire(name: string, fields: readonly string[], row: readonly unknown[]): unknown[] {
  const json = isJson.get(name)
  return row.map((cell, i) => (json?.has(fields[i] as string) && typeof cell === 'string' ? JSON.parse(cell) : cell))
}

async function answer(source: Source, request: Request): Promise<Envelope> {
  const dataset = datasetOf(request.apiname)
  const table = await source.query(
    dataset,
    request.params,
    request.fields === undefined ? {} : { fields: request.fields },
  )
  const { beside = {}, total, complete, note } = provenance(table) ?? {}
  const told = { total, unproven: complete || table.numRows < Number(total) ? undefined : note && String(note) }
  if (table.numRows === 0) return { code: codes.noData, message: 'no data', data: null, ...told }
  const fields = columnNames(table)
  const items = rowsOf(table).map((row) => onWire(dataset.name, fields, row))
  if (dataset.shape === 'rows')
    return { code: codes.ok, message: 'success', data: { fields, items, ...beside }, ...told }
  const record = Object.fromEntries(fields.map((name, i) => [name, items[0]?.[i]]))
  const data = dataset.name === 'file_download' ? { code: 0, data: record, message: 'success' } : record
  return { code: codes.ok, message: 'success', data, ...told }
}

/** What the contract answers to a request, over a source. */
export async function envelopeOf(source: Source, request: Request): Promise<Envelope> {
  try {
    return await answer(source, request)
  } catch (error) {
    if (error instanceof ParamsError) return { code: codes.invalid, message: error.message, data: null }
    if (error instanceof QuotebookError && error.code === 'UNSUPPORTED_MARKET') {
      return { code: codes.unavailable, message: error.message, data: null }
    }
    throw error
  }
}

async function bodyOf(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Request
}

export interface Service {
  readonly url: string
  readonly requests: readonly Request[]
  close(): Promise<void>
}

/** A source behind HTTP on this machine, as the contract describes the service; it tells how many rows match, as our own does. */
export async function serve(
  source: Source,
  before: (request: Request, response: ServerResponse) => boolean = () => false,
  /** Of the archive that the answers tell to be of; without it nothing is told, as the vendor does. */
  state?: string,
): Promise<Service> {
  const requests: Request[] = []
  const server: Server = createServer((incoming, response) => {
    const done = async (): Promise<void> => {
      const request = await bodyOf(incoming)
      requests.push(request)
      if (before(request, response)) return
      const { total, unproven, ...envelope } = await envelopeOf(source, request)
      const told =
        response.getHeader(archiveHeaderName) ?? (state && archiveHeader({ name: String(source.name), state }))
      if (typeof told === 'string' && total !== undefined)
        response.setHeader(archiveHeaderName, answerHeader(told, { total, unproven }))
      const text = JSON.stringify(envelope)
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(text)
    }
    done().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const { url, close } = await listen(server)
  return { url, requests, close }
}
