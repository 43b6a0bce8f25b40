import { createServer } from 'node:http'
import { Archive, datasetOf, importFiles, provenance, QuotebookError, rowsOf, type Source } from 'quotebook'
import { afterAll } from 'vitest'
import { listen } from '../../helper/listen.js'
import { file, newPlace } from './files.js'

type Row = Readonly<Record<string, unknown>>

export interface Request {
  readonly apiname: string
  readonly fields?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** A small world of rows that a vendor publishes and corrects, as a source of this process and behind HTTP. */
export class Vendor {
  readonly dir = newPlace('vendor')
  readonly archive = new Archive(this.dir, 'vendor')
  /** What was asked, over either way. */
  readonly requests: Request[] = []
  /** Status of the replies over HTTP, where it is not 200. */
  status = 200

  /** Adds rows, or puts them in the place of those with their key. */
  async publish(name: string, rows: readonly Row[]): Promise<void> {
    await importFiles(this.dir, datasetOf(name), [file('rows.json', JSON.stringify(rows))])
  }

  /** The vendor as a source of this process, which counts what is asked. */
  get source(): Source {
    return {
      name: 'vendor',
      query: (dataset, params, options) => {
        this.requests.push({ apiname: dataset.name, params: params as Row })
        return this.archive.query(dataset, params, options)
      },
    }
  }

  /** Names of the datasets that an action asks for, in order. */
  async askedBy(action: () => Promise<unknown>): Promise<readonly Request[]> {
    const before = this.requests.length
    await action()
    return this.requests.slice(before)
  }

  /** A reply, and how many rows match, as a service of one's own tells. */
  async answer(request: Request): Promise<{ readonly reply: object; readonly total: number }> {
    this.requests.push(request)
    const dataset = datasetOf(request.apiname)
    try {
      const { fields } = request
      const table = await this.archive.query(dataset, request.params, fields === undefined ? {} : { fields })
      const { beside, total = 0 } = provenance(table) ?? {}
      if (table.numRows === 0) return { reply: { code: 1002, message: 'no data', data: null }, total }
      const names = table.schema.fields.map(({ name }) => name)
      const data = { fields: names, items: rowsOf(table), ...beside }
      return { reply: { code: 200, message: 'success', data }, total }
    } catch (error) {
      if (error instanceof QuotebookError) return { reply: { code: 422, message: error.message, data: null }, total: 0 }
      throw error
    }
  }
}

/** A vendor behind HTTP at a free port of this machine; its server ends with the file's tests. */
export async function listening(vendor: Vendor): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    if (vendor.status !== 200) return void response.writeHead(vendor.status).end()
    const { reply, total } = await vendor.answer(JSON.parse(body))
    const archive = encodeURIComponent(JSON.stringify({ name: 'vendor', state: 'a'.repeat(64), total }))
    const head = { 'content-type': 'application/json', 'quotebook-archive': archive }
    return void response.writeHead(200, head).end(JSON.stringify(reply))
  })
  const { url, close } = await listen(server)
  afterAll(close)
  return url
}
