import { tradingDays } from '../../src/contract/calendar.js'
import type { Asked, Fault, Reply } from './month-vendor.js'
import type { Row } from './vendor.js'

const minutes = 60_000

/** A fault on a day: the days of the month, and which of them it is. */
export type MakeFault = (days: readonly string[], at: number) => Omit<Fault, 'name'> & { readonly ahead?: number }

export const moment = (day: string, clock: string): number =>
  Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${clock}:00+08:00`)

/** What is so from a time of a day to another. */
const between =
  (from: string, to: string, fault: Omit<Fault, 'name' | 'from' | 'to'>): MakeFault =>
  (days, at) => ({ from: moment(days[at] as string, from), to: moment(days[at] as string, to), ...fault })

const allDay = (fault: Omit<Fault, 'name' | 'from' | 'to'>): MakeFault => between('00:00', '23:59', fault)

/** Rows of settled days are others; `at`: the row's place in its day. */
const settled = (change: (row: Row, at: number, asked: Asked) => Row | undefined): MakeFault =>
  allDay({
    rows: (asked) => {
      const places = new Map<string, number>()
      return asked.rows.flatMap((row): readonly Row[] => {
        const day = String(row[asked.series.day ?? ''])
        if (asked.series.day === undefined || day >= asked.today) return [row]
        const at = places.get(day) ?? 0
        places.set(day, at + 1)
        const own = change(row, at, asked)
        return own ? [own] : []
      })
    },
  })

/** One request of so many is answered with one of some statuses. */
const statuses = (every: number, list: readonly number[], body: string, type = 'text/html'): MakeFault =>
  allDay({
    send: ({ turn }, response) => {
      if (turn % every !== every - 1) return false
      response.writeHead(list[Math.floor(turn / every) % list.length] as number, { 'content-type': type }).end(body)
      return true
    },
  })

/** The first requests of an afternoon are told to wait. */
const waits = (header: (now: number) => string, count = 3): MakeFault =>
  between('15:20', '15:50', {
    send: ({ turn, now }, response) => {
      if (turn >= count) return false
      const headers = { 'retry-after': header(now), date: new Date(now).toUTCString() }
      response.writeHead(429, headers).end('{"code":429,"message":"slower","data":null}')
      return true
    },
  })

/** One request of so many gets the half of an answer. */
const halves = (how: 'length' | 'json' | 'reset' | 'silence', every = 12): MakeFault =>
  allDay({
    send: ({ turn }, response, body) => {
      if (turn % every !== every - 1 || (how === 'silence' && turn > 5 * every)) return false
      const text = Buffer.from(body())
      const half = text.subarray(0, text.length >> 1)
      const headers = { 'content-type': 'application/json' }
      if (how === 'reset') response.socket?.resetAndDestroy()
      if (how === 'json') response.writeHead(200, headers).end(half)
      if (how !== 'length') return true
      response.writeHead(200, { ...headers, 'content-length': text.length }).write(half, () => response.destroy())
      return true
    },
  })

/** Every third answer is another. */
const thirds = (change: (reply: Reply, asked: Asked) => void): MakeFault =>
  allDay({ reply: (reply, asked) => void (asked.turn % 3 === 2 && reply.items.length > 0 && change(reply, asked)) })

/** A day that is three trading days old has other rows from noon on. */
const mends =
  (of: (rows: readonly Row[], code: string) => readonly Row[]): MakeFault =>
  (days, at) => ({
    from: moment(days[at] as string, '12:00'),
    to: moment(days[at] as string, '12:01'),
    truth: { day: days[at - 3] as string, of: (rows, { code }) => (code === undefined ? rows : of(rows, code)) },
  })

const late =
  (minute: string, daysLater = 0): MakeFault =>
  (days, at) => ({
    from: moment(days[at] as string, '09:00'),
    to: moment(days[at + daysLater] as string, minute),
    isLate: true,
  })

const shown = (reply: Reply, { rows }: Asked, from: number): void => {
  reply.items = rows.slice(from, from + reply.items.length).map((row) => reply.fields.map((name) => row[name] ?? null))
}

export const monthFaults: Readonly<Record<string, MakeFault>> = {
  'every fifth row dropped of settled days': settled((row, at) => (at % 5 === 4 ? undefined : row)),
  'cells null of settled days': settled((row, at, { series: { nullable } }) =>
    nullable !== undefined && at % 3 === 1 ? { ...row, [nullable]: null } : row,
  ),
  'settled days empty at the recheck': settled((row, _, { series, now }) =>
    moment(String(row[series.day ?? '']), '00:00') < now - 5 * 24 * 60 * minutes ? undefined : row,
  ),
  'whole codes missing of settled days': settled((row, _, { series }) =>
    /[1379](\.|$)/.test(String(row[series.code ?? ''])) ? undefined : row,
  ),
  '500 once in 40': statuses(40, [500], 'oops'),
  '502 503 504 as pages': statuses(9, [502, 503, 504], '<html><title>Bad gateway</title></html>'),
  '520 to 524': statuses(9, [520, 521, 522, 523, 524], '<html><title>error</title></html>'),
  '408 and 425': statuses(9, [408, 425], ''),
  'Retry-After 5': waits(() => '5', 6),
  'Retry-After 2100': waits(() => '2100'),
  'Retry-After 86400': waits(() => '86400'),
  'Retry-After in epoch seconds': waits((now) => String(Math.floor(now / 1000) + 60)),
  'Retry-After a date': waits((now) => new Date(now + 20 * minutes).toUTCString()),
  'body shorter than its length': halves('length'),
  'JSON cut in the middle': halves('json'),
  'connections reset': halves('reset'),
  'silence until the timeout': halves('silence', 60),
  'a field nobody asked for': allDay({
    reply: (reply) => {
      if (reply.items.length === 0) return
      reply.fields = [...reply.fields, 'vendor_tag']
      reply.items = reply.items.map((row) => [...row, 'x'])
    },
  }),
  'codes of rate and of busy': allDay({
    reply: (reply, { turn }) => {
      const busy = [
        [429, 'rate limit'],
        [503, 'busy'],
        [200, 'busy, try later'],
      ] as const
      if (turn % 10 !== 9) return
      const [code, message] = busy[Math.floor(turn / 10) % 3] as (typeof busy)[number]
      Object.assign(reply, { code, message, items: [] })
    },
  }),
  'late by 20 minutes': late('15:55'),
  'late by 3 hours': late('18:35'),
  'late until next morning': late('09:00', 1),
  'rows twice': thirds((reply) => void reply.items.push([...(reply.items[0] as unknown[])])),
  'rows of another day': (days, at) =>
    thirds((reply, { series }) => {
      const column = reply.fields.indexOf(series.day ?? '')
      if (column < 0) return
      const other = (reply.items[0] as unknown[]).map((cell, i) => (i === column ? days[0] : cell))
      reply.items.push(other)
    })(days, at),
  'pages repeat rows': allDay({
    reply: (reply, asked) => {
      if (Number(asked.params.offset) > 3) shown(reply, asked, Number(asked.params.offset) - 3)
    },
  }),
  'pages shuffled': allDay({
    rows: ({ name, rows, turn }) => {
      const at = name === 'interactive_qa' ? (turn * 3) % Math.max(1, rows.length) : 0
      return [...rows.slice(at), ...rows.slice(0, at)]
    },
  }),
  'key refused for an hour': between('15:20', '16:20', {
    reply: (reply) => Object.assign(reply, { code: 403, message: 'invalid apikey', items: [] }),
  }),
  'port closed for 6 hours': between('11:00', '17:00', { gone: 'port' }),
  'name unknown for 6 hours': between('11:00', '17:00', { gone: 'name' }),
  'values corrected': mends((rows, code) =>
    rows.map((row, at) => {
      if (code === 's') return at < 2 ? { ...row, s: rows[1 - at]?.s } : row
      const name = ['close', 'answer', 'type_name'].find((one) => one in row) ?? ''
      return at % 4 === 1 ? { ...row, [name]: name === 'close' ? Number(row.close) + 0.125 : 'mended' } : row
    }),
  ),
  'a code added': mends((rows, code) => {
    const own = rows.filter((row) => row[code] === rows.at(-1)?.[code])
    const other = (row: Row): string => String(row[code]).replace(/\d{2}(?=\.|$)/, '99')
    const added = own.map((row) => ({
      ...row,
      [code]: other(row),
      ...('rank' in row ? { rank: rows.length + 1 } : {}),
      ...('qa_id' in row ? { qa_id: `${row.qa_id}9` } : {}),
    }))
    return [...rows, ...added]
  }),
  'a code withdrawn': mends((rows, code) => rows.filter((row) => row[code] !== rows.at(-1)?.[code])),
  'clock a year ahead for half an hour': (days, at) => ({
    ...between('15:25', '15:55', {})(days, at),
    ahead: 365 * 24 * 60 * minutes,
  }),
}

export type MonthFault = Fault & { readonly ahead?: number }

/** Faults by their names and the places of their days in a month. */
export function faultsOn(days: readonly string[], plan: Readonly<Record<string, number>>): readonly MonthFault[] {
  return Object.entries(plan).map(([name, at]) => ({ name, ...(monthFaults[name] as MakeFault)(days, at) }))
}

/** The month: 31 trading days. */
export const monthDays: readonly string[] = tradingDays('20260601', '20260714')

/** On which of its days each fault comes: most by themselves, some together. */
export const monthPlan: Readonly<Record<string, number>> = {
  '500 once in 40': 2,
  'Retry-After 5': 3,
  '502 503 504 as pages': 4,
  '520 to 524': 5,
  '408 and 425': 6,
  'late by 20 minutes': 7,
  'every fifth row dropped of settled days': 8,
  'cells null of settled days': 9,
  'settled days empty at the recheck': 10,
  'whole codes missing of settled days': 11,
  'Retry-After 2100': 12,
  'Retry-After 86400': 13,
  'Retry-After in epoch seconds': 15,
  'values corrected': 16,
  'JSON cut in the middle': 16,
  'a code added': 17,
  'body shorter than its length': 17,
  'a code withdrawn': 18,
  'connections reset': 18,
  'Retry-After a date': 19,
  'silence until the timeout': 19,
  'clock a year ahead for half an hour': 20,
  'a field nobody asked for': 20,
  'codes of rate and of busy': 21,
  'late by 3 hours': 21,
  'late until next morning': 22,
  'rows twice': 23,
  'rows of another day': 24,
  'pages repeat rows': 25,
  'key refused for an hour': 26,
  'pages shuffled': 27,
  'port closed for 6 hours': 28,
  'name unknown for 6 hours': 29,
}
