import type { IncomingMessage } from 'node:http'
import type { Table } from 'apache-arrow'
import type { Dataset } from '../../../contract/dataset.js'
import { codes, ParamsError, QuotebookError } from '../../../contract/error.js'
import { unknownName } from '../../../contract/nearest.js'
import { sentence } from '../../../contract/sentence.js'
import { archiveStatus, statusTable } from '../../../data/archive/archive-status.js'
import { archiveHeaderName, readArchiveHeader } from '../../../data/source/reply/archive-identity.js'
import type { QueryOptions, Source } from '../../../data/source/source.js'
import { jsonNames } from '../../../frame/read-columns.js'
import { writeCsv } from '../../../frame/table/csv.js'
import { rowsFrom } from '../../../frame/table/gather-cells.js'
import { ipcPieces } from '../../../frame/table/ipc.js'
import { plainCells } from '../../../frame/table/plain-rows.js'
import { provenance } from '../../../frame/table/provenance.js'
import { bytesOf } from '../../../frame/table/size.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import type { ColumnData, RecordColumns } from '../../../frame/table/values.js'
import { Market } from '../../../market.js'
import { parseBody } from '../api-request.js'
import { admitByHeader, type Caller } from '../authenticator.js'
import { busy } from '../refused-error.js'
import { bodyOf, content, type ServiceAnswer } from '../service-answer.js'
import type { ServiceContext, Visit } from '../service-context.js'
import { guardedSql, untilGone } from './guarded-sql.js'
import {
  type AskedWords,
  askedOf,
  formatOf,
  saidInTarget,
  type WholeFormat,
  type WholeRequest,
  wholeFormats,
  wholeRequest,
} from './whole-request.js'

/** Rows that are written in one turn of the event loop. */
const rowsATurn = 10_000

/** The cells of a column to be written in parts: more words than a part has rows would be spelled anew for each. */
function inParts(values: ColumnData): ColumnData {
  if (values.type !== 'dictionary' || values.dictionary.length <= rowsATurn) return values
  return { type: 'string', data: Array.from(values.data, (code) => values.dictionary[code] ?? null) }
}

/** Parts of columns, each for a turn of its own. */
function* parts({ length, columns }: RecordColumns): Generator<RecordColumns> {
  const whole = { length, columns: new Map([...columns].map(([name, values]) => [name, inParts(values)])) }
  for (let from = 0; from === 0 || from < length; from += rowsATurn)
    yield length <= rowsATurn ? whole : rowsFrom(whole, from, Math.min(from + rowsATurn, length))
}

function* csvOf(table: Table): Generator<Uint8Array> {
  let isFirst = true
  for (const part of parts(columnsOf(table))) {
    const text = writeCsv(part)
    yield Buffer.from(isFirst ? text : text.slice(text.indexOf('\n') + 1))
    isFirst = false
  }
}

/** An envelope whose data has a list for each column. */
function* jsonOf(table: Table): Generator<Uint8Array> {
  const json = jsonNames(table)
  const { length, columns } = columnsOf(table)
  yield Buffer.from(`{"code":${codes.ok},"message":"success","data":{"columns":{`)
  let before = ''
  for (const [name, values] of columns) {
    before += `${JSON.stringify(name)}:[`
    for (const part of parts({ length, columns: new Map([[name, values]]) })) {
      const cells = plainCells(name, part.columns.get(name) as ColumnData, json.has(name))
      yield Buffer.from(before + JSON.stringify(cells).slice(1, -1))
      before = ','
    }
    before = '],'
  }
  yield Buffer.from(`${columns.size > 0 ? ']' : ''}}}}`)
}

type Pieces = () => Iterable<Uint8Array>

const encoders: Readonly<Record<WholeFormat, (table: Table) => Pieces | Promise<Pieces>>> = {
  arrow: async (table) => {
    const pieces = await ipcPieces(table)
    return () => pieces
  },
  csv: (table) => () => csvOf(table),
  json: (table) => () => jsonOf(table),
}

const percent = (value: unknown): string =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))

/** Bytes of a header that every client and proxy takes, beside the others of an answer. */
const mostOfHead = 4096

/** Name, kind and unit of each column, for clients that read no Arrow, whose schema has them; nothing of hundreds of columns. */
function columnsHeader({ schema: { fields } }: Table): Record<string, string> {
  const text = percent(
    fields.map(({ name, metadata }) => {
      const [kind, unit] = [metadata.get('kind'), metadata.get('unit')]
      return { name, ...(kind && { kind }), ...(unit && { unit }) }
    }),
  )
  return text.length > mostOfHead ? {} : { 'quotebook-columns': text }
}

/** The archive, and of the running day the source behind it: what a question of today is answered from. */
function liveSource({ archive, live }: ServiceContext): Source {
  if (!live) return archive
  return {
    name: archive.name,
    query: async (dataset: Dataset, params?: unknown, options: QueryOptions = {}) => {
      const fields = options.fields === undefined ? undefined : [...(options.fields ?? [])].join()
      const now = options.days ? undefined : await live.ask({ dataset, params, fields, whole: true })
      return now?.table ?? archive.query(dataset, params, options)
    },
  }
}

/** Rows that are not proven to be all are an answer only where they are taken as such, or a part was asked for. @throws QuotebookError TRUNCATED */
function refuseIncomplete({ dataset, params, partial }: WholeRequest, table: Table): void {
  const { complete, note } = provenance(table) ?? { complete: false }
  const isPart = params.limit !== undefined || params.offset !== undefined
  if (complete || partial || isPart) return
  const why = note ?? sentence`nothing proves them to be all`
  throw new QuotebookError('TRUNCATED', sentence`${dataset.name}: ${why}; partial=true takes what there is`)
}

/** What is asked, and by whom. */
interface Asked {
  readonly asked: ReturnType<typeof askedOf>
  readonly said: AskedWords
  readonly caller: Caller
  readonly request: IncomingMessage
}

const sqlWords = ['sql', 'params', 'format']

/** The rows of a SQL query; whoever goes away ends it. */
async function sqlRows({ archive }: ServiceContext, { said, caller, request }: Asked): Promise<Table> {
  const { sql: text, params, format: _, ...others } = said
  for (const name in others) throw unknownName(name, name, sqlWords, 'param', 'sql')
  if (typeof text !== 'string') throw new ParamsError('sql', sentence`sql must be one query, ending with a select.`)
  const hasTicks = caller.plan === 'flagship'
  return untilGone(request, (signal) => guardedSql(new Market(archive), { text, params, hasTicks, signal }))
}

async function rowsOf(context: ServiceContext, asking: Asked): Promise<Table> {
  const { asked, said } = asking
  if (asked === 'sql') return sqlRows(context, asking)
  if (asked === 'status') return context.archive.read(async (snapshot) => statusTable(await archiveStatus(snapshot)))
  const whole = wholeRequest(asked, said)
  const { params, fields, days } = whole
  const table = await new Market(liveSource(context)).query(asked.name, params, { fields, days, allowTruncated: true })
  refuseIncomplete(whole, table)
  return table
}

/** What is known of the rows, for clients that read no Arrow. Texts are percent-encoded. */
async function headersOf(context: ServiceContext, table: Table): Promise<Record<string, string>> {
  const { complete, note, state } = provenance(table) ?? {}
  const now = await context.archive.state()
  const named = context.originHeaders(await context.archive.manifest(), state ?? now)[archiveHeaderName]
  const about = readArchiveHeader(named)?.about
  return {
    ...(state !== undefined && named !== undefined && { [archiveHeaderName]: named }),
    'quotebook-rows': String(table.numRows),
    ...columnsHeader(table),
    ...(complete !== undefined && { 'quotebook-complete': String(complete) }),
    ...(note !== undefined && { 'quotebook-note': percent(note) }),
    ...(about !== undefined && { 'quotebook-about': percent(about) }),
    'cache-control': 'no-store',
    vary: 'accept',
  }
}

/**
 * The answer to `GET /query/NAME?…` and `POST /query/NAME` with the same words as a JSON object: every row of a dataset that
 * matches, proven to be all, past the caps of `/api`; what SQL gives, or what the archive has.
 * @throws RefusedError and errors that say why there is none
 */
export async function answerQuery(context: ServiceContext, visit: Visit, body: Uint8Array): Promise<ServiceAnswer> {
  const { authenticator, load } = context
  const { request, told } = visit
  const caller = await admitByHeader(authenticator, request)
  told.caller = caller.name
  const said = { ...saidInTarget(request.url ?? ''), ...(body.length > 0 ? parseBody(body) : {}) }
  const format = formatOf(said.format, request.headers.accept)
  const asked = askedOf(request.url ?? '')
  if (typeof asked !== 'string') told.apiname = asked.name
  const hold = typeof asked === 'string' ? load.hold(visit) : await load.room(visit)
  if (!hold) throw busy()
  const table = await rowsOf(context, { asked, said, caller, request })
  hold(bytesOf(columnsOf(table)))
  const answer = content('', wholeFormats[format], await headersOf(context, table))
  const pieces = await encoders[format](table)
  return { ...answer, ...bodyOf(table.numRows, pieces), rows: table.numRows }
}
