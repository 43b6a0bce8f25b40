import { datasetOf } from '../../src/contract/catalogue.js'
import { checkFields } from '../../src/contract/check-fields.js'
import { checkParams } from '../../src/contract/check-params.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { bucketCloses } from '../../src/contract/session.js'
import { codeMatcher } from '../../src/contract/symbol.js'
import { queryDays } from '../../src/data/source/plan/asked.js'

export type Row = Readonly<Record<string, unknown>>

export interface Asked {
  readonly apiname: string
  readonly fields?: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Data {
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
  readonly total?: number
  readonly limit?: unknown
  readonly offset?: unknown
}

export interface VendorOptions {
  /** Rows of a reply, the first of them; none are dropped without it. */
  readonly cap?: number
  /** The latest day, where it is not the last of the rows. */
  readonly latest?: string
}

/** One trading day of bars: every symbol with every bucket of the period. */
export function bars(symbols: readonly string[], day: string, period: '15m' | '30m' = '15m'): Row[] {
  return symbols.flatMap((symbol) =>
    bucketCloses[period].map((trademin, i) => ({
      tradedate: day,
      symbol,
      trademin,
      time: `${trademin.slice(0, 2)}:${trademin.slice(2)}:00`,
      open: 1 + i,
      high: 2 + i,
      low: 1,
      close: 1.5 + i,
      vol: i === 3 ? null : 100 * i,
      amount: 1e5 * i,
      vwap: null,
    })),
  )
}

function byOrder({ order, day }: Dataset): (a: Row, b: Row) => number {
  const names = [...(day === undefined || order.includes(day) || order.includes(`-${day}`) ? [] : [day]), ...order]
  return (a, b) => {
    for (const text of names) {
      const name = text.replace(/^-/, '')
      const [x, y] = [String(a[name] ?? ''), String(b[name] ?? '')]
      if (x !== y) return (x < y ? -1 : 1) * (text.startsWith('-') ? -1 : 1)
    }
    return 0
  }
}

/** The rows that match a request, as the vendor would have them: in order, before any limit. */
export function matching(rows: readonly Row[], { apiname, params }: Asked, latest?: string): Row[] {
  const dataset = datasetOf(apiname)
  const query = checkParams(dataset, params)
  const { day, from, to, isLatest } = queryDays(dataset, query, {})
  const days = rows.map((row) => String(row[dataset.day ?? '']))
  const last = latest ?? days.toSorted().at(-1)
  const one = isLatest ? last : day
  const tests = Object.entries(dataset.params).flatMap(([name, { role, kind, columns }]) => {
    const value = query[name]
    if (role !== 'match' || value === undefined) return []
    const list = Array.isArray(value) ? value.map(String) : [String(value)]
    const test = kind === 'codes' ? codeMatcher(list) : (cell: string) => list.includes(cell)
    return [{ column: columns?.[0] ?? '', test }]
  })
  const isWanted = (row: Row): boolean => {
    const on = String(row[dataset.day ?? ''])
    if (one !== undefined && on !== one) return false
    if ((from !== undefined && on < from) || (to !== undefined && on > to)) return false
    if (query.trademin !== undefined && row.trademin !== query.trademin) return false
    return tests.every(({ column, test }) => test(String(row[column])))
  }
  return rows.filter(isWanted).sort(byOrder(dataset))
}

/** `data` of an honest reply; undefined where no row matches. */
export function dataFor(
  rows: readonly Row[],
  asked: Asked,
  { cap = Infinity, latest }: VendorOptions = {},
): Data | undefined {
  const dataset = datasetOf(asked.apiname)
  const query = checkParams(dataset, asked.params)
  const fields = checkFields(dataset, asked.fields, query)
  const found = matching(rows, asked, latest)
  if (found.length === 0) return undefined
  const cells = (list: readonly Row[]): unknown[][] => list.map((row) => fields.map((name) => row[name] ?? null))
  if (dataset.limit.kind !== 'page') return { fields, items: cells(found.slice(0, cap)) }
  const [limit, offset] = [Number(query.limit), Number(query.offset)]
  return { fields, items: cells(found.slice(offset, offset + limit)), total: found.length, limit, offset }
}

export interface Envelope {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** An honest reply. */
export function replyFor(rows: readonly Row[], body: unknown, options: VendorOptions = {}): Envelope {
  const data = dataFor(rows, body as Asked, options)
  return data ? { code: 200, message: 'success', data } : { code: 1002, message: 'no data', data: null }
}

/** The rows of a reply as the client should hand them over: objects of the fields asked for. */
export function truth(rows: readonly Row[], apiname: string, params: Asked['params'], latest?: string): Row[] {
  const dataset = datasetOf(apiname)
  const fields = checkFields(dataset, undefined, checkParams(dataset, params))
  return matching(rows, { apiname, params }, latest).map((row) =>
    Object.fromEntries(fields.map((name) => [name, row[name] ?? null])),
  )
}
