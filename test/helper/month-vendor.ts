import dns from 'node:dns'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tradingDays } from '../../src/contract/calendar.js'
import { hotLists } from '../../src/contract/catalogue/hotstock.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { beijingTime } from '../../src/contract/date.js'
import { bucketCloses } from '../../src/contract/session.js'
import type { Clock } from '../../src/data/source/transport/clock.js'
import { chances } from './chance.js'
import type { Row } from './vendor.js'

/** Time that goes by where somebody sleeps, together for all who do, and a clock on the wall that may be wrong. */
export class MonthClock implements Clock {
  time: number
  /** Milliseconds that the clock on the wall is ahead of the time. */
  ahead: (time: number) => number = () => 0
  /** Called when time goes on. */
  onTime: (time: number) => Promise<void> | void = () => undefined
  readonly chance: () => number

  constructor(begin: number, seed: number) {
    this.time = begin
    this.chance = chances(seed)
  }

  now = (): number => this.time
  wall = (): number => this.time + this.ahead(this.time)
  sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    const until = this.time + milliseconds
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
    this.time = Math.max(this.time, until)
    await this.onTime(this.time)
  }
}

/** A number from 0 up to 1 that some words decide. */
function share(...words: readonly unknown[]): number {
  let mixed = 0x811c9dc5
  for (const char of words.join(' ')) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193)
  return chances(mixed >>> 0)()
}

const figure = (...words: readonly unknown[]): number => Math.round(1e5 * share(...words)) / 1e3 + 10
const codes = (count: number, first: number, exchange = ''): string[] =>
  Array.from({ length: count }, (_, i) => `${first + 7 * i}${exchange}`)
const etfs = [...codes(6, 510050, '.SH'), ...codes(4, 159901, '.SZ')].sort()
const iso = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

function prices(...words: readonly unknown[]): Row {
  const close = figure(...words)
  return {
    open: close - 0.25,
    high: close + 1,
    low: close - 1,
    close,
    vol: Math.floor(1e4 * close),
    amount: 1e6 * close,
  }
}

/** A dataset as this vendor has it. */
interface Series {
  readonly name: string
  /** Param that tells its scopes apart, and its values; those without are one. */
  readonly scope?: readonly [param: string, values: readonly string[]]
  readonly day?: string
  readonly code?: string
  /** When the rows of a day are published, of a minute when it is over. */
  readonly at: string
  /** A column that may be null. */
  readonly nullable?: string
  readonly rows: (day: string, scope: string) => readonly Row[]
}

const bars = (day: string, period: string): Row[] =>
  etfs.flatMap((symbol) =>
    bucketCloses[period as '15m'].map((trademin) => {
      const row = prices(symbol, day, period, trademin)
      const time = `${trademin.slice(0, 2)}:${trademin.slice(2)}:00`
      return { tradedate: day, symbol, trademin, time, ...row, vwap: row.close }
    }),
  )
const bonds = (tradedate: string): Row[] =>
  codes(12, 110030).map((symbol) => {
    const own = { tradedate, symbol, name: `转债${symbol}`, code: `${symbol}.SH`, ...prices(symbol, tradedate) }
    const more = { pre_close: 100, change: 1, pct_chg: 1, bond_value: 90, bond_over_rate: 2, cb_value: figure(symbol) }
    return { ...own, ...more, cb_over_rate: 3 }
  })
const indices = (tradedate: string): Row[] =>
  codes(12, 880001).map((symbol) => {
    const own = { tradedate, symbol, name: `指数${symbol}`, type: 'tj', ...prices(symbol, tradedate, 'i') }
    return { ...own, pre_close: 50, change: 1, pct_chg: 2, servertime: null }
  })
const southbound = (trade_date: string): Row[] =>
  ['2', '4'].flatMap((market_type) =>
    codes(10, market_type === '2' ? 10_001 : 10_501).map((code, i) => {
      const amount = (name: string): number => Math.round(1e8 * figure(code, trade_date, name))
      const names = 'amount net_amount sh_amount sh_net_amount sh_buy sh_sell sz_amount sz_net_amount sz_buy sz_sell'
      const amounts = Object.fromEntries(names.split(' ').map((name) => [name, amount(name)]))
      const own = { trade_date, code: `${code}.HK`, name: `港股${code}`, close: figure(code, trade_date), p_change: 1 }
      return { ...own, rank: i + 1, market_type, ...amounts }
    }),
  )
const questions = (day: string): Row[] =>
  codes(8, 600_000 + (Number(day.slice(6)) % 9)).map((symbol, i) => {
    const times = { question_time: `${iso(day)} 09:00:00`, answer_time: `${iso(day)} 1${9 - i}:30:00` }
    const own = { symbol, event_date: day, qa_id: `9${day}${String(i).padStart(4, '0')}`, question: `问 ${i}` }
    return { ...own, ...times, answer: `答 ${share(day, i)}`, revision_no: 1, version_ambiguous: false }
  })

const hotList = (tradedate: string, type: string): Row[] =>
  codes(10, 600_100 + Math.floor(50 * share(tradedate, type))).map((s, i) => ({ s, rank: i + 1, tradedate, type }))
const marked = (tradedate: string): Row[] =>
  codes(10, 600_201).map((symbol) => ({ tradedate, symbol, name: `*ST${symbol}`, type: '*ST', type_name: '退市风险' }))
const sectors = (day: string, level: string): Row[] =>
  codes(8, level === 'parent' ? 880_301 : 880_401).map((theme_symbol) => ({
    theme_symbol,
    symbols: codes(5, 600_000 + Math.floor(90 * share(day, theme_symbol))),
  }))

// biome-ignore format: a table, one series a line
export const monthSeries: readonly Series[] = [
  { name: 'etf_minute', scope: ['period', ['15m', '30m']], day: 'tradedate', code: 'symbol', at: '', nullable: 'vol', rows: bars },
  { name: 'convertible_daily', day: 'tradedate', code: 'code', at: '09:30', nullable: 'cb_value', rows: bonds },
  { name: 'theme_daily', day: 'tradedate', code: 'symbol', at: '09:30', nullable: 'amount', rows: indices },
  { name: 'southbound_top10', day: 'trade_date', code: 'code', at: '18:20', nullable: 'net_amount', rows: southbound },
  { name: 'hotstock', scope: ['type', hotLists], day: 'tradedate', code: 's', at: '15:00', rows: hotList },
  { name: 'st', day: 'tradedate', code: 'symbol', at: '09:00', nullable: 'type_name', rows: marked },
  { name: 'interactive_qa', day: 'event_date', code: 'symbol', at: '22:00', rows: questions },
  { name: 'thememembers_jx', scope: ['level', ['parent', 'child']], at: '', rows: sectors },
]

export interface Reply {
  status: number
  headers: Record<string, string>
  code: number
  message: string
  fields: string[]
  items: unknown[][]
  /** What stands beside the rows. */
  beside: Record<string, number>
}

/** A request and its honest reply, which a fault may change; what it returns is sent in the place of it. */
export interface Asked {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly series: Series
  readonly rows: readonly Row[]
  /** Number of the request since the fault began. */
  readonly turn: number
  /** The day, and the moment by which it is answered. */
  readonly today: string
  readonly now: number
}

/** What goes wrong, from a moment to another; ms since 1970. */
export interface Fault {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Rows of an answer, before it is cut into pages. */
  readonly rows?: (asked: Asked) => readonly Row[]
  /** An answer, where it is ready. */
  readonly reply?: (reply: Reply, asked: Asked) => void
  /** Sends something itself. */
  readonly send?: (asked: Asked, response: ServerResponse, body: () => string) => boolean
  /** Rows of a day as they are from then on, whenever they are asked for. */
  readonly truth?: { readonly day: string; readonly of: (rows: readonly Row[], series: Series) => readonly Row[] }
  /** Batches of its first day that come at its end. */
  readonly isLate?: true
  /** The port is closed, or the name of the host is not known. */
  readonly gone?: 'port' | 'name'
}

/** A vendor over HTTP whose rows grow day by day, with faults. */
export class MonthVendor {
  readonly #clock: MonthClock
  readonly #days: readonly string[]
  readonly #rows = new Map<string, readonly Row[]>()
  readonly #turns = new Map<Fault, number>()
  readonly #server: Server
  #port = 0
  faults: readonly Fault[] = []
  requests = 0

  constructor(clock: MonthClock, first: string, last: string) {
    this.#clock = clock
    this.#days = tradingDays(first, last)
    this.#server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    )
    clock.onTime = () => this.#openOrClose()
  }

  /** By its name, so that it may be unknown. */
  get url(): string {
    return `http://localhost:${this.#port}`
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as { port: number }).port
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  #active(): Fault[] {
    const { time } = this.#clock
    return this.faults.filter(({ from, to }) => from <= time && time < to)
  }

  async #openOrClose(): Promise<void> {
    const gone = this.#active().flatMap(({ gone }) => gone ?? [])
    if (gone.includes('name')) this.#server.closeAllConnections()
    if (gone.includes('port') && this.#server.listening) await this.close()
    else if (!gone.includes('port') && !this.#server.listening) await this.open()
  }

  /** Knows the host no more while a fault has it so. @returns undoes it */
  resolveNames(): () => void {
    const { lookup } = dns
    const isGone = (): boolean => this.#active().some(({ gone }) => gone === 'name')
    const own = (host: string, ...rest: unknown[]): void => {
      const done = rest.at(-1) as (error: Error | null) => void
      if (host !== 'localhost') Reflect.apply(lookup, dns, [host, ...rest])
      else if (isGone()) done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
      else Reflect.apply(lookup, dns, ['127.0.0.1', ...rest])
    }
    dns.lookup = own as typeof lookup
    return () => {
      dns.lookup = lookup
    }
  }

  /** All rows of a day when it is over, as they are at a moment: what nobody falsifies. */
  truth(series: Series, day: string, scope: string, time: number): readonly Row[] {
    const key = `${series.name} ${day} ${scope}`
    const known = this.#rows.get(key) ?? series.rows(day, scope)
    this.#rows.set(key, known)
    const changes = this.faults.flatMap(({ from, truth }) => (truth?.day === day && from <= time ? [truth.of] : []))
    return changes.reduce((rows, change) => change(rows, series), known)
  }

  /** Days of which anything was published by a moment. */
  days(series: Series, time: number): readonly string[] {
    const now = beijingTime(time).slice(0, 19)
    return this.#days.filter((day) => `${iso(day)}T${series.at || '09:30'}:00` <= now)
  }

  /** The rows of a day as they are published: bars by their minutes, quotes that still move before the close. */
  #published(series: Series, day: string, scope: string): readonly Row[] {
    const { time } = this.#clock
    const now = beijingTime(time).slice(0, 16)
    const isHeld = (minute?: string): boolean => {
      const late = this.faults.find(({ isLate, from }) => isLate && beijingTime(from).startsWith(iso(day)))
      return late !== undefined && time < late.to && (minute === undefined || minute > '1300')
    }
    const rows = this.truth(series, day, scope, time)
    const isBar = datasetOf(series.name).columns.trademin !== undefined
    if (isBar) {
      const isOver = (minute: string): boolean => `${iso(day)}T${minute.slice(0, 2)}:${minute.slice(2)}` <= now
      return rows.filter(({ trademin }) => isOver(String(trademin)) && !isHeld(String(trademin)))
    }
    if (series.day !== undefined && isHeld()) return []
    const isMoving = series.at === '09:30' && now < `${iso(day)}T15:00`
    return isMoving ? rows.map((row) => ({ ...row, close: Number(row.close) + 0.5 })) : rows
  }

  /** The rows that a request asks for. */
  #matching(series: Series, params: Readonly<Record<string, unknown>>, time: number): readonly Row[] {
    const { day: column, code, scope } = series
    const own = scope === undefined ? '' : String(params[scope[0]] ?? scope[1].at(scope[0] === 'period' ? -1 : 0))
    const days = this.days(series, time)
    const today = days.at(-1) ?? ''
    const [one, from] = [params.tradedate ?? params.date, params.startdate]
    const to = params.enddate
    const there = days.filter((day) => this.#published(series, day, own).length > 0)
    const isAsked = (day: string): boolean => {
      if (one !== undefined) return day === one
      if (from === undefined && to === undefined) return series.name === 'interactive_qa' || day === there.at(-1)
      return day >= String(from ?? (series.name === 'interactive_qa' ? '' : to)) && day <= String(to ?? '9')
    }
    if (column === undefined) return this.#published(series, today, own)
    const asked = days.filter(isAsked)
    const rows = (column === 'event_date' ? asked.reverse() : asked).flatMap((day) => this.#published(series, day, own))
    const names = [params.symbols ?? []].flat().flatMap((list) => String(list).split(','))
    const isNamed = (row: Row): boolean =>
      names.length === 0 || names.some((name) => String(row[code ?? '']).split('.')[0] === name.split('.')[0])
    const isBar = rows[0]?.trademin !== undefined
    const minute =
      params.trademin ??
      (isBar && names.length === 0
        ? rows
            .map((row) => row.trademin)
            .sort()
            .at(-1)
        : undefined)
    return rows.filter((row) => isNamed(row) && (minute === undefined || row.trademin === minute))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { apiname: name, params = {}, fields } = JSON.parse(Buffer.concat(pieces).toString())
    const series = monthSeries.find((one) => one.name === name) ?? { name, at: '', rows: () => [] }
    const faults = this.#active()
    for (const fault of faults) this.#turns.set(fault, (this.#turns.get(fault) ?? -1) + 1)
    this.requests++
    const { time: now } = this.#clock
    const today = beijingTime(now).slice(0, 10).replaceAll('-', '')
    const about = { name, params, series, today, now }
    const turn = (fault: Fault): number => this.#turns.get(fault) ?? 0
    const asked = (fault: Fault, rows: readonly Row[]): Asked => ({ ...about, rows, turn: turn(fault) })
    const honest = this.#matching(series, params, now)
    const rows = faults.reduce((all, fault) => fault.rows?.(asked(fault, all)) ?? all, honest)
    const isNow = name === 'hotstock' && params.tradedate === undefined
    const columns = isNow ? ['s', 'n', 'pc'] : Object.keys(rows[0] ?? {})
    const names = fields === undefined || fields === null ? columns : String(fields).split(',')
    const page = Math.min(Number(params.limit ?? 100), 20)
    const offset = Number(params.offset ?? 0)
    const isPaged = name === 'interactive_qa'
    const reply: Reply = {
      status: 200,
      headers: { 'content-type': 'application/json', date: new Date(now).toUTCString() },
      code: rows.length === 0 ? 1002 : 200,
      message: rows.length === 0 ? 'no data' : 'success',
      fields: names,
      items: (isPaged ? rows.slice(offset, offset + page) : rows).map((row) => names.map((one) => row[one] ?? null)),
      beside: isPaged ? { total: rows.length, limit: page, offset } : {},
    }
    for (const fault of faults) fault.reply?.(reply, asked(fault, rows))
    const { status, headers, code, message, items, beside } = reply
    const data = code === 200 ? { fields: reply.fields, items, ...beside } : null
    const body = (): string => JSON.stringify({ code, message, data })
    for (const fault of faults) if (fault.send?.(asked(fault, rows), response, body)) return
    response.writeHead(status, headers).end(body())
  }
}
