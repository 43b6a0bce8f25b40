import { tradingDayBefore } from '../../contract/calendar.js'
import { beijingMoment } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import type { Data } from '../../frame/data.js'
import { has, numbers, strings } from '../../frame/read-columns.js'
import { codeColumnOf, historyNote, loadedDataset } from './dataset-history.js'
import type { KnownTime, PanelParts } from './panel.js'

/** Columns of another table beside the prices. */
export interface PanelJoin<J extends string = string> {
  readonly data: Data
  /** Columns of numbers; `as` gives them other names: `{ net: 'net_amount' }`. */
  readonly columns: readonly J[] | Readonly<Record<J, string>>
  /** Column of days, `YYYYMMDD`; `tradedate` or `trade_date` unless given. */
  readonly time?: string
  /** Column of codes, or false for a row a day that counts for all instruments; found by its name unless given. */
  readonly symbol?: string | false
  /**
   * When a row is known: a clock time of its day (`18:00:00`), or the name of a column of moments (`known_at`,
   * `YYYY-MM-DDTHH:MM:SS`), which puts a row on the first day (or bar) whose close is not before it. A dataset of the service has its own.
   */
  readonly knownAt?: string
  /** Trading days by which rows are carried on: with 1, a strategy sees the row of the day before, known before the open. */
  readonly lagDays?: number
}

const joinKinds: OptionKinds<PanelJoin> = {
  data: 'an object',
  columns: 'an array or an object',
  time: 'text',
  symbol: 'any',
  knownAt: 'text',
  lagDays: 'a number',
}

/** A clock time, `HH:MM` or `HH:MM:SS`. */
export function isClock(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)
}

function knownAtOf({ data, knownAt }: PanelJoin): string {
  if (knownAt !== undefined) return knownAt
  const rule = loadedDataset(data)?.knownAt
  if (rule && 'at' in rule) return rule.at
  if (rule && 'fetched' in rule) return '00:00:00'
  if (rule && 'moment' in rule && rule.delayMinutes === undefined) return rule.moment
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`panel: say when the rows of a joined table are known, as knownAt: '18:00:00' or the name of a column of moments`,
  )
}

type Parts = PanelParts<string>

/** The first of the usual names of a column that the data has. */
export function usualColumn(data: Data, names: readonly string[]): string | undefined {
  return names.find((name) => has(data, name))
}

/** Places of codes, in either spelling. */
export function placesOfCodes(codes: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    codes.flatMap((code, at) => [
      [code, at],
      [code.replace(/\.\w+$/, ''), at],
    ]),
  )
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

/** The time from which each row stands until the end of its day; negative or beyond the last where the panel has none. */
function timeOfRows(join: PanelJoin, knownAt: string, { days, minutes }: Parts): Int32Array {
  const [lag, perDay] = [join.lagDays ?? 0, minutes.length]
  if (!Number.isInteger(lag) || lag < 0) {
    throw new QuotebookError(
      'LOOK_AHEAD',
      sentence`panel: lagDays: ${lag}; rows are carried on by 0 days or more, never back`,
    )
  }
  if (isClock(knownAt)) {
    const place = new Map(days.map((day, at) => [day, at]))
    const time =
      join.time ??
      usualColumn(join.data, [
        'tradedate',
        'trade_date',
        'known_day',
        'event_date',
        loadedDataset(join.data)?.day ?? 'tradedate',
      ])
    if (time === undefined)
      throw new QuotebookError('MISSING_COLUMN', sentence`panel: a joined table has no column of days; name it`)
    return Int32Array.from(strings(join.data, time), (day) => {
      const at = place.get(day ?? '')
      return at === undefined ? -1 : (at + lag) * perDay
    })
  }
  const closes = days.flatMap((day) =>
    minutes.map((minute) => beijingMoment(`${day} ${minute.slice(0, 2) || '15'}:${minute.slice(2) || '00'}`) as string),
  )
  const before = tradingDayBefore(days[0] as string)
  const tooEarly = before === undefined ? '' : (beijingMoment(`${before} 15:00`) as string)
  return Int32Array.from(strings(join.data, knownAt), (text) => {
    if (text === null) return -1
    const moment = beijingMoment(text)
    if (moment === undefined)
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`panel: '${text}' in column '${knownAt}' is no moment YYYY-MM-DDTHH:MM:SS`,
      )
    if (moment <= tooEarly) return -1
    const at = firstFrom(closes, moment)
    return lag === 0 ? at : (Math.floor(at / perDay) + lag) * perDay
  })
}

function symbolOfRows(join: PanelJoin, { instruments }: Parts): Int32Array | undefined {
  if (join.symbol === false) return undefined
  const name = join.symbol ?? usualColumn(join.data, ['code', 'symbol', 'stockcode']) ?? codeColumnOf(join.data)
  if (name === undefined) return undefined
  const places = placesOfCodes(instruments.map(({ symbol }) => symbol))
  return Int32Array.from(strings(join.data, name), (code) => places.get(code ?? '') ?? -1)
}

/** Fills the bars of a row's day from its first, for its instrument or for all. @throws QuotebookError INVALID_VALUE where two rows meet */
function fill(
  values: Float64Array,
  times: Int32Array,
  symbols: Int32Array | undefined,
  parts: Parts,
  name: string,
): Float64Array {
  const [width, perDay] = [parts.instruments.length, parts.minutes.length]
  const column = new Float64Array(parts.present.length).fill(Number.NaN)
  const seen = new Uint8Array(parts.days.length * width)
  for (let row = 0; row < values.length; row++) {
    const [time, symbol] = [times[row] as number, symbols ? (symbols[row] as number) : 0]
    const day = Math.floor(time / perDay)
    if (day < 0 || day >= parts.days.length || symbol < 0) continue
    const cell = day * width + symbol
    if (seen[cell]) {
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`panel: two rows of joined column '${name}' on ${parts.days[day]}; sum or choose first`,
      )
    }
    seen[cell] = 1
    for (let bar = time; bar < (day + 1) * perDay; bar++) {
      const from = bar * width
      if (symbols) column[from + symbol] = values[row] as number
      else column.fill(values[row] as number, from, from + width)
    }
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
  for (const join of joins) {
    checkOptions(join, joinKinds, sentence`a join of panel`)
    const note = historyNote(join.data, allowed)
    if (note !== undefined) notes.push(note)
    const knownAt = knownAtOf(join)
    const [times, symbols] = [timeOfRows(join, knownAt, parts), symbolOfRows(join, parts)]
    const names: [string, string][] = Array.isArray(join.columns)
      ? join.columns.map((name: string) => [name, name])
      : Object.entries(join.columns as Record<string, string>)
    for (const [as, name] of names) {
      if (Object.hasOwn(cols, as)) throw new QuotebookError('INVALID_VALUE', sentence`panel: two columns named '${as}'`)
      cols[as] = fill(numbers(join.data, name), times, symbols, parts, name)
      known.set(as, join.lagDays ? '00:00:00' : isClock(knownAt) ? knownAt : 'close')
    }
    const lost = times.filter((time) => time < 0).length
    if (lost) notes.push(sentence`${lost} joined rows are of days that the panel does not have`)
  }
  return { ...parts, cols: cols as { [K in C]: Float64Array }, known, notes }
}
