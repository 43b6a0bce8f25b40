import { tradingDayBefore } from '../../contract/calendar.js'
import { spelledCode } from '../../contract/code-spelling.js'
import { beijingMoment, dateIn } from '../../contract/date.js'
import { invalid, misuse, QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { exchangeOf, parseCode } from '../../contract/symbol.js'
import type { Data } from '../../frame/data.js'
import { has, numbers, strings } from '../../frame/read-columns.js'
import { described } from '../../frame/table/shape.js'
import { codeColumnOf, historyNote } from './dataset-history.js'
import type { KnownTime, PanelParts } from './panel.js'
import { type RowTimes, rowTimes } from './row-times.js'
import { plainName, textName, wordCells } from './text-columns.js'

/** Columns of another table beside the prices. */
export interface PanelJoin<J extends string = string, X extends string = string> {
  readonly data: Data
  /** Columns of numbers; `as` gives them other names: `{ net: 'net_amount' }`. */
  readonly columns: readonly J[] | Readonly<Record<J, string>>
  /** Columns of texts, such as ratings, which a bar has as they are, null where one is missing. */
  readonly texts?: readonly X[]
  /** Column of days, `YYYYMMDD`; unless given, that by which the dataset tells when a row is known, or `tradedate` or `trade_date`. */
  readonly time?: string
  /** Column of codes, or false for a row a day that counts for all instruments (default: found by its name). */
  readonly symbol?: string | false
  /**
   * When a row is known: a clock time of its day (`18:00:00`), or the name of a column of moments (`known_at`,
   * `YYYY-MM-DDTHH:MM:SS`), which puts a row on the first day (or bar) whose close is not before it. A dataset of the service has its own.
   */
  readonly knownAt?: string
  /** Trading days by which rows are carried on: with 1, a strategy sees the row of the day before, known before the open. */
  readonly lagDays?: number
  /**
   * Whether a row stands until the next one that is known, so that a day has the last row at or before it: for a table with days of its own, such as
   * ratings. Rows before the panel's first day count. `true`: the last row of each code. `'list'`: the rows of the last day that has any, so that a
   * code that is no longer among them has none.
   */
  readonly asOf?: boolean | 'list'
}

const joinKinds: OptionKinds<PanelJoin> = {
  data: 'an object',
  columns: 'an array or an object',
  texts: 'an array',
  time: 'text',
  symbol: 'any',
  knownAt: 'text',
  lagDays: 'a number',
  asOf: 'any',
}

type Parts = PanelParts<string>

/** The first of the usual names of a column that the data has. */
export function usualColumn(data: Data, names: readonly string[]): string | undefined {
  return names.find((name) => has(data, name))
}

/** Places of codes, in any spelling. */
export function placesOfCodes(codes: readonly string[]): Pick<ReadonlyMap<string, number>, 'get' | 'has'> {
  const places = new Map<string, number | undefined>(
    codes.flatMap((code, at) => [
      [code, at],
      [code.replace(/\.\w+$/, ''), at],
    ]),
  )
  const get = (text: string): number | undefined => {
    if (places.has(text)) return places.get(text)
    const code = spelledCode(text, {}) ?? text
    const { bare, exchange } = parseCode(code)
    const isBare = exchange !== undefined && exchangeOf(bare) === exchange && codes[places.get(bare) ?? -1] === bare
    const at = places.get(code) ?? (isBare ? places.get(bare) : undefined)
    places.set(text, at)
    return at
  }
  return { get, has: (text) => get(text) !== undefined }
}

/** The first of ascending texts that is not before one; their number where all are. */
export function firstFrom(ascending: readonly string[], text: string): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as string) < text) low = middle + 1
    else high = middle
  }
  return low
}

/** When rows are placed: by how many days later, and whether they stand until the next one. */
interface Placing {
  readonly times: RowTimes
  readonly lag: number
  readonly asOf: PanelJoin['asOf']
}

/**
 * A row of an as-of join that is known in the evening stands from before the next day on, and one that is known within the day from then on.
 * @throws QuotebookError USAGE
 */
function placingOf(join: PanelJoin): Placing {
  const { lagDays: lag = 0, asOf = false } = join
  const times = rowTimes(join)
  if (asOf === false) return { times, lag, asOf }
  if (asOf !== true && asOf !== 'list')
    throw misuse(sentence`panel: asOf of a join is true, false or 'list', not ${described(asOf)}`)
  if (lag > 1) throw misuse(sentence`panel: asOf and lagDays: ${lag}; rows that are carried on take lagDays 0 or 1`)
  const { at } = times
  if (at === undefined || at === '00:00:00' || lag === 1) return { times, lag, asOf }
  if (at > '15:00:00') return { times, lag: 1, asOf }
  const momentOf = (day: string | null) => (day === null ? null : (beijingMoment(`${dateIn(day)} ${at}`) ?? null))
  return { times: { ...times, at: undefined, texts: times.texts.map(momentOf) }, lag, asOf }
}

/** The time from which each row stands; negative or beyond the last where the panel has none. */
function timeOfRows({ times: { at, texts }, lag, asOf }: Placing, { days, minutes }: Parts): Int32Array {
  const perDay = minutes.length
  if (!Number.isInteger(lag) || lag < 0)
    throw new QuotebookError(
      'LOOK_AHEAD',
      sentence`panel: lagDays: ${lag}; rows are carried on by 0 days or more, never back`,
    )
  const before = tradingDayBefore(days[0] as string)
  const early = asOf ? 0 : -1
  if (at !== undefined)
    return Int32Array.from(texts, (text) => {
      const day = dateIn(text ?? '')
      if (day !== undefined && day <= (before ?? '')) return early
      const place = day === undefined ? -1 : firstFrom(days, day)
      if (place < 0 || place === days.length) return -1
      // What comes on a day without trade is there before the next one.
      return (lag > 0 && days[place] !== day ? place + lag - 1 : place + lag) * perDay
    })
  const closes = days.flatMap((day) =>
    minutes.map((minute) => beijingMoment(`${day} ${minute.slice(0, 2) || '15'}:${minute.slice(2) || '00'}`) as string),
  )
  const tooEarly = before === undefined ? '' : (beijingMoment(`${before} 15:00`) as string)
  return Int32Array.from(texts, (moment) => {
    if (moment === null) return -1
    if (moment <= tooEarly) return early
    const place = firstFrom(closes, moment)
    return lag === 0 ? place : (Math.floor(place / perDay) + lag) * perDay
  })
}

function symbolOfRows(join: PanelJoin, { instruments }: Parts): Int32Array | undefined {
  if (join.symbol === false) return undefined
  const name = join.symbol ?? usualColumn(join.data, ['code', 'symbol', 'stockcode']) ?? codeColumnOf(join.data)
  if (name === undefined) return undefined
  const places = placesOfCodes(instruments.map(({ symbol }) => symbol))
  return Int32Array.from(strings(join.data, name), (code) => places.get(code ?? '') ?? -1)
}

/** Where rows stand. @throws QuotebookError INVALID_VALUE where two of one time meet */
function placedRows(placing: Placing, join: PanelJoin, parts: Parts): Placed {
  const { times, asOf } = placing
  const { texts, at } = times
  const areBars = times.areBars || asOf !== false
  const [from, symbols] = [timeOfRows(placing, parts), symbolOfRows(join, parts)]
  const [width, perDay] = [parts.instruments.length, parts.minutes.length]
  const isThere = (row: number): boolean => {
    const time = from[row] as number
    return time >= 0 && time < parts.days.length * perDay && (symbols?.[row] ?? 0) >= 0
  }
  const key = (row: number): string => texts[row] as string
  const isAfter = (a: number, b: number): number =>
    (from[a] as number) - (from[b] as number) || (key(a) < key(b) ? -1 : Number(key(a) > key(b)))
  /** Rows by the time from which they stand and, within one, by when they were known. */
  const order = from.map((_, row) => row).filter(isThere)
  if (order.some((row, at) => at > 0 && isAfter(order[at - 1] as number, row) > 0)) order.sort(isAfter)
  /** The last row of each place, from 1. */
  const taken = new Int32Array(parts.present.length)
  /** How many have the place of their time taken by a later one. */
  let gaveWay = 0
  for (const row of order) {
    const time = from[row] as number
    const cell = (areBars ? time : Math.floor(time / perDay)) * width + (symbols?.[row] ?? 0)
    const earlier = (taken[cell] as number) - 1
    if (earlier >= 0 && (key(earlier) === key(row) || (at === undefined && !areBars)))
      throw invalid(
        sentence`panel: two rows of joined column '${Object.values(join.columns)[0]}' on ${parts.days[Math.floor(time / perDay)]}; sum or choose first`,
      )
    if (earlier >= 0) gaveWay++
    taken[cell] = row + 1
  }
  return {
    from,
    symbols,
    order,
    gaveWay: asOf ? 0 : gaveWay,
    last: asOf ? lastRows({ from, symbols, order, texts }, asOf, parts) : undefined,
  }
}

/** The row that stands in each cell, from 1; 0 where none does. */
function lastRows(
  { from, symbols, order, texts }: Pick<Placed, 'from' | 'symbols' | 'order'> & Pick<RowTimes, 'texts'>,
  asOf: PanelJoin['asOf'],
  parts: Parts,
): Int32Array {
  const width = parts.instruments.length
  const rows = new Int32Array(parts.present.length)
  /** What the list of each time is known by. */
  const lists = new Map<number, string | null>()
  for (const row of order) {
    const [time, text] = [from[row] as number, texts[row] as string | null]
    const [begin, end] = [time * width, (time + 1) * width]
    if (asOf === 'list' && lists.get(time) !== text) rows.fill(0, begin, end)
    lists.set(time, text)
    if (symbols) rows[begin + (symbols[row] as number)] = row + 1
    else rows.fill(row + 1, begin, end)
  }
  for (let cell = width; cell < rows.length; cell++)
    if (rows[cell] === 0 && !(asOf === 'list' && lists.has(Math.floor(cell / width))))
      rows[cell] = rows[cell - width] as number
  return rows
}

interface Placed {
  readonly from: Int32Array
  readonly symbols: Int32Array | undefined
  /** Rows in the order in which they stand. */
  readonly order: Int32Array
  /** How many are superseded within their time. */
  readonly gaveWay: number
  /** Of an as-of join, the row of each cell. */
  readonly last: Int32Array | undefined
}

/** Fills the bars of a row's day from its first, for its instrument or for all; or up to the next row. */
function fill(values: Float64Array, { from, symbols, order, last }: Placed, parts: Parts): Float64Array {
  if (last) return Float64Array.from(last, (row) => (row === 0 ? Number.NaN : (values[row - 1] as number)))
  const [width, perDay] = [parts.instruments.length, parts.minutes.length]
  const column = new Float64Array(parts.present.length).fill(Number.NaN)
  for (const row of order) {
    const time = from[row] as number
    const until = (Math.floor(time / perDay) + 1) * perDay
    for (let cell = time * width; cell < until * width; cell += width)
      if (symbols) column[cell + (symbols[row] as number)] = values[row] as number
      else column.fill(values[row] as number, cell, cell + width)
  }
  return column
}

/** The parts of a panel with the columns of joined tables. */
export function addJoined<C extends string>(
  parts: PanelParts<C>,
  joins: readonly PanelJoin[],
  allowed: readonly string[],
): PanelParts<C> {
  const cols: Record<string, Float64Array> = { ...parts.cols }
  const known = new Map<string, KnownTime>(parts.known)
  const notes = [...parts.notes]
  const texts = new Map(parts.texts)
  for (const join of joins) {
    checkOptions(join, joinKinds, sentence`a join of panel`)
    const note = historyNote(join.data, allowed)
    if (note !== undefined) notes.push(note)
    const placing = placingOf(join)
    const placed = placedRows(placing, join, parts)
    const place = (as: string, values: Float64Array): void => {
      const isThere = [plainName(as), textName(plainName(as))].some((name) => Object.hasOwn(cols, name))
      if (isThere) throw invalid(sentence`panel: two columns named '${plainName(as)}'`)
      cols[as] = fill(values, placed, parts)
      known.set(as, placing.lag ? '00:00:00' : (placing.times.at ?? 'close'))
    }
    const names: [string, string][] = Array.isArray(join.columns)
      ? join.columns.map((name: string) => [name, name])
      : Object.entries(join.columns as Record<string, string>)
    for (const [as, name] of names) place(as, numbers(join.data, name))
    for (const name of join.texts ?? []) {
      const { values, words } = wordCells(join.data, name)
      place(textName(name), values)
      texts.set(textName(name), words)
    }
    const lost = placed.from.filter((time) => time < 0).length
    if (lost) notes.push(sentence`${lost} joined rows are of days that the panel does not have`)
    if (placed.gaveWay)
      notes.push(sentence`${placed.gaveWay} joined rows are superseded by rows that became known by the same time`)
  }
  return { ...parts, cols: cols as { [K in C]: Float64Array }, known, notes, texts: texts.size ? texts : undefined }
}
