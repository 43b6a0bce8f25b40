import { inCalendar, noticedCalendar } from '../../contract/calendar.js'
import { isDate, writtenDate } from '../../contract/date.js'
import { invalid, misuse, QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { chinaRules, inForce, type TradingRules } from '../../contract/trading-rules.js'
import { columnAbout, readColumn } from '../../frame/as-table.js'
import type { Data, NameOf, NameOfType, Numeric } from '../../frame/data.js'
import { dictionary, has, numbers, strings, usedWords } from '../../frame/read-columns.js'
import { provenance } from '../../frame/table/provenance.js'
import { described, wrongShape } from '../../frame/table/shape.js'
import { type ColumnData, floatsIn, textIn } from '../../frame/table/values.js'
import { readTerms, type TermsOf } from './bond-terms.js'
import { readCashflows } from './cash-flows.js'
import { checkPrices } from './check-prices.js'
import { dailyColumn, dailyRows } from './daily-bars.js'
import { codeColumnOf, historyNote, loadedDataset } from './dataset-history.js'
import { addJoined, firstFrom, type PanelJoin, placesOfCodes, usualColumn } from './join-columns.js'
import { type Delisting, type KnownTime, Panel, type PanelInstrument, type PanelParts } from './panel.js'
import { instrumentsOf } from './panel-instruments.js'
import { findingLines, ignoredRows, type PriceFinding } from './price-findings.js'
import { isClock, minuteColumnOf, ownTimes } from './row-times.js'
import { type TextName, textName, wordCells } from './text-columns.js'
import { volumeUnits } from './volume-units.js'

/** Options of `panel`: the names of the price columns, and further data. */
export interface PanelOptions<
  D extends Data,
  C extends string,
  J extends string = never,
  T extends Data = never,
  X extends string = never,
> {
  /** Name of the column of days, `YYYYMMDD` (default: `tradedate`). */
  readonly time?: NameOf<D>
  /** Name of the column of closing minutes, `HHMM`, for bars (default: that of its dataset, or `trademin` if the data has it). */
  readonly minute?: NameOf<D>
  /** `day`: bars become days, each with the open of its first bar that traded, high, low, the close of its last one, volume and turnover added; of other columns the last value. */
  readonly bars?: 'day'
  /** Name of the column of codes (default: `code`, or `symbol`). */
  readonly symbol?: NameOf<D>
  /** Columns of numbers that the strategy or the account needs. */
  readonly columns: readonly C[]
  /** Columns of texts, such as ratings: a bar has them as they are, null if one is missing, and nothing counts with them. */
  readonly texts?: readonly X[]
  /** Default: `chinaRules`. */
  readonly rules?: TradingRules
  /** Classes of codes whose number does not tell, or tells wrongly: `{ '159920.SZ': 'ETF T+0' }`. */
  readonly classes?: Readonly<Record<string, string>>
  /**
   * Days of listing. A code that is not here counts as listed on its first row if 60 trading days before have none of it (from 2019 on; suspensions were
   * longer before), or if it is a bond whose first `pre_close` is 100. Of others `listedDays` counts from the first row, but rules of first days are not applied.
   */
  readonly listed?: Readonly<Record<string, string>>
  /** Redemptions and delistings. */
  readonly delistings?: readonly Delisting[]
  /**
   * Terms of convertible bonds in the place of `delistings`: a row of `code` with `maturity`, `last_trade_day`, `redemption_price` (yuan; the last
   * close by default) and `announced_on` (YYYYMMDD), as far as they are known. A bond ends after its `last_trade_day`, or else its maturity. The
   * panel gets the columns `days_to_maturity` (calendar days) and `called`: 1 from the trading day after `announced_on`, since a call is announced
   * in the evening, 0 before; both NaN for a bond without terms, the first also without a maturity.
   */
  readonly terms?: T
  /**
   * Dividends and coupons: a row of `code`, `ex_day`, `pay_day` (the ex day by default), `cash_per_share` (yuan a share or bond, before tax) and
   * `kind`, `dividend` or `coupon`. Who holds before the ex day gets them in cash; of ex-rights on that day only what they leave unexplained comes.
   */
  readonly cashflows?: Data
  /** Rows of days and codes on which a stock is marked ST, as the dataset `st` has them. */
  readonly st?: Data
  /**
   * When a column can be known, if that is not at the close of its bar (`open` and `pre_close` at its open). Of a dataset's columns beside prices
   * and volume its own `knownAt` tells it: one of a later clock time counts from then, one of another day or a moment stands where it is known.
   */
  readonly knownAt?: Readonly<Partial<Record<C, KnownTime>>>
  /** Columns of other tables. */
  readonly join?: readonly PanelJoin<J, X>[]
  /** Datasets that are joined though they have no history. The result says so. */
  readonly withoutHistory?: readonly string[]
  /**
   * Values to believe though their own day contradicts them: `600000.SH 20260608`, or all of `600000.SH`. The result still names them.
   */
  readonly ignore?: readonly string[]
  /** First day of accounts, `YYYYMMDD`; days before it are history that a strategy can look back to. Default: the first of all. */
  readonly from?: string
}

/** Options of a panel that a strategy's data has too. */
export const panelDataKinds = {
  texts: 'an array',
  bars: 'any',
  rules: 'an object',
  classes: 'an object',
  listed: 'an object',
  delistings: 'an array',
  terms: 'an object',
  cashflows: 'an object',
  join: 'an array',
  withoutHistory: 'an array',
  ignore: 'an array',
} as const

const panelKinds: OptionKinds<PanelOptions<Data, string>> = {
  time: 'text',
  minute: 'text',
  symbol: 'text',
  columns: 'any',
  ...panelDataKinds,
  st: 'an object',
  knownAt: 'an object',
  from: 'text',
}

const atOpen = new Set(['open', 'pre_close', 'adj_factor'])

/** The name given, or the first of the usual ones that the data has. */
function nameIn(data: Data, what: string, given: string | undefined, usual: readonly string[]): string {
  const name = given ?? usualColumn(data, usual)
  if (name !== undefined) return name
  throw new QuotebookError('MISSING_COLUMN', sentence`panel: no column of ${what}; give { ${what}: 'name' }`)
}

interface Axis {
  readonly words: readonly string[]
  /** Place of each row's word. */
  readonly places: Int32Array
}

/** Distinct words of a column in order, and where each row's word stands. */
function axisOf(data: Data, name: string, more: readonly string[] = []): Axis {
  const column = dictionary(data, name)
  const { codes, words: known } = column
  if (codes.includes(-1)) throw invalid(sentence`panel: column '${name}' has a missing cell`)
  const used = usedWords(column)
  const sorted = [...new Set([...known.filter((_, code) => used[code] === 1), ...more])].sort()
  const placeOf = new Map(sorted.map((word, place) => [word, place]))
  const moved = Int32Array.from(known, (word) => placeOf.get(word) ?? -1)
  const isInOrder = moved.every((place, code) => place === code)
  return { words: sorted, places: isInOrder ? codes : codes.map((code) => moved[code] as number) }
}

/**
 * Days of the data and those of the calendar between them. Of a year without notice these are the days of the data alone: a
 * weekday without rows may be a holiday. `unknown`: such years.
 */
function dayAxis(data: Data, name: string): { axis: Axis; added: readonly string[]; unknown: readonly string[] } {
  const own = axisOf(data, name)
  for (const day of own.words)
    if (!isDate(day)) throw invalid(sentence`panel: '${day}' in column '${name}' is no date YYYYMMDD`)
  const [first, last] = [own.words[0], own.words.at(-1)]
  if (first === undefined || last === undefined) throw invalid(sentence`panel: the data has no rows`)
  const closed = own.words.find((day) => inCalendar(day) && noticedCalendar.isOpen(day) === false)
  if (closed !== undefined)
    throw invalid(sentence`panel: the exchanges are closed on ${closed}, and column '${name}' has it`)
  const have = new Set(own.words)
  const lacking = noticedCalendar.between(first, last).filter((day) => !have.has(day))
  const added = lacking.filter(inCalendar)
  const unknown = [...new Set(lacking.flatMap((day) => (inCalendar(day) ? [] : day.slice(0, 4))))]
  return { axis: added.length ? axisOf(data, name, added) : own, added, unknown }
}

function gridOf(days: Axis, minutes: Axis, symbols: Axis) {
  const size = days.words.length * minutes.words.length * symbols.words.length
  if (size > 2 ** 31 - 1) throw invalid(sentence`panel: ${size} cells are more than one panel holds`)
  /** Cell of each row. */
  const cells = new Int32Array(symbols.places.length)
  const present = new Uint8Array(size)
  /** Every cell has a row, in the order of the cells. */
  let isWhole = cells.length === size
  const [perDay, perTime] = [minutes.words.length, symbols.words.length]
  for (let row = 0; row < cells.length; row++) {
    const time = (days.places[row] as number) * perDay + (minutes.places[row] ?? 0)
    const cell = time * perTime + (symbols.places[row] as number)
    if (present[cell]) {
      const at = [symbols, days, minutes].map(({ words, places }) => words[places[row] ?? 0])
      throw invalid(sentence`panel: two rows of ${at.filter(Boolean).join(' ')}`)
    }
    present[cell] = 1
    cells[row] = cell
    if (cell !== row) isWhole = false
  }
  return { days, minutes, symbols, cells, size, present, isWhole }
}

type Grid = Omit<ReturnType<typeof gridOf>, 'present'> & { readonly present: Uint8Array }

function sourceOf(data: Data, name: string): Float64Array {
  const values = readColumn(data, name)
  return (values && floatsIn(values)) ?? numbers(data, name)
}

function scattered(source: Float64Array, { cells, size, isWhole }: Grid): Float64Array {
  if (isWhole) return source.slice()
  const column = new Float64Array(size).fill(Number.NaN)
  for (let row = 0; row < cells.length; row++) column[cells[row] as number] = source[row] as number
  return column
}

/** What reads a column: of bars as they are, or of days that are made of them. @throws QuotebookError USAGE where there are none */
function readerOf(
  data: Data,
  grid: Grid,
  bars: PanelOptions<Data, string>['bars'],
): (name: string, source?: Float64Array) => Float64Array {
  if (bars === undefined) return (name, source = sourceOf(data, name)) => scattered(source, grid)
  const [perDay, width, { present }] = [grid.minutes.words.length, grid.symbols.words.length, grid]
  if (bars !== 'day') throw misuse(sentence`panel: bars is 'day', not ${described(bars)}`)
  if (grid.minutes.words[0] === '') throw misuse(sentence`panel: bars: 'day' makes days of bars, and the data has days`)
  const vol = has(data, 'vol') ? scattered(sourceOf(data, 'vol'), grid) : undefined
  return (name, source = sourceOf(data, name)) =>
    dailyColumn(scattered(source, grid), name, { perDay, width, present, vol })
}

/** The grid of the days of bars. */
function inDays(grid: Grid): Grid {
  const [perDay, width] = [grid.minutes.words.length, grid.symbols.words.length]
  const present = dailyRows({ perDay, width, present: grid.present })
  return { ...grid, minutes: wholeDays, present, size: present.length }
}

const wholeDays: Axis = { words: [''], places: new Int32Array(0) }

/** Closing minutes, `HHMM`. */
function minuteAxis(data: Data, name: string): Axis {
  const axis = axisOf(data, name)
  const wrong = axis.words.find((minute) => !/^([01]\d|2[0-3])[0-5]\d$/.test(minute))
  if (wrong === undefined) return axis
  throw invalid(sentence`panel: '${wrong}' in column '${name}' is no minute HHMM`)
}

/** The first day of accounts. @throws QuotebookError INVALID_VALUE where no day is left */
function beginOf(days: readonly string[], given: string): number {
  const from = writtenDate(given)
  if (from === undefined) throw misuse(sentence`panel: from is a day YYYYMMDD, not '${given}'`)
  const begin = firstFrom(days, from)
  if (begin < days.length) return begin
  throw invalid(sentence`panel: no day from ${from} on; the last is ${days.at(-1)}`)
}

function markedDays(st: Data, grid: Grid): Uint8Array {
  const code = strings(st, nameIn(st, 'symbol', undefined, ['code', 'symbol', 'stockcode']))
  const days = new Map(grid.days.words.map((word, place) => [word, place]))
  const symbols = placesOfCodes(grid.symbols.words)
  const marked = new Uint8Array(grid.days.words.length * grid.symbols.words.length)
  strings(st, nameIn(st, 'time', undefined, timeNames(st))).forEach((day, row) => {
    const [d, s] = [days.get(day ?? ''), symbols.get(code[row] ?? '')]
    if (d !== undefined && s !== undefined) marked[d * grid.symbols.words.length + s] = 1
  })
  return marked
}

/**
 * Previous closes out of raw closes and a factor that prices are multiplied by to be comparable: the last close of an earlier day x
 * its factor / this factor, half up to the tick, on every row of a day.
 */
function previousCloses(close: Float64Array, factor: Float64Array, perDay: number, ticks: readonly number[]) {
  const width = ticks.length
  const out = new Float64Array(close.length).fill(Number.NaN)
  const [last, before] = [new Int32Array(width).fill(-1), new Int32Array(width).fill(-1)]
  for (let cell = 0; cell < close.length; cell++) {
    const symbol = cell % width
    if (cell % (width * perDay) < width) before[symbol] = last[symbol] as number
    if (Number.isNaN(close[cell] as number)) continue
    const from = before[symbol] as number
    const exact =
      from < 0 ? Number.NaN : ((close[from] as number) * (factor[from] as number)) / (factor[cell] as number)
    const tick = ticks[symbol] as number
    out[cell] = (Math.round((exact * 1000) / tick) * tick) / 1000
    last[symbol] = cell
  }
  return out
}

/** Ticks of instruments in mills, by the rules of the last day. */
function ticksOf(instruments: readonly PanelInstrument[], rules: TradingRules, day: string): number[] {
  return instruments.map(({ kind }) => Math.round((inForce(rules.lots, kind, day)[0]?.tick ?? 0.001) * 1000))
}

/** When the columns can be known. @throws QuotebookError USAGE for a time that is none, or of no column */
function knownTimes(
  names: readonly string[],
  asked: Readonly<Record<string, KnownTime | undefined>>,
): Map<string, KnownTime> {
  const byName = Object.entries(asked).map(
    ([name, at]) => [names.includes(textName(name)) ? textName(name) : name, at] as const,
  )
  const times = new Map(byName)
  for (const [name, at] of byName) {
    if (!names.includes(name)) throw misuse(sentence`panel: knownAt names '${name}', which is not among columns`)
    if (at === undefined || at === 'open' || at === 'close' || isClock(at)) continue
    throw misuse(sentence`panel: knownAt of '${name}' is 'open', 'close' or a time HH:MM:SS, not '${at}'`)
  }
  return new Map(names.map((name) => [name, times.get(name) ?? (atOpen.has(name) ? 'open' : 'close')]))
}

function dayNotes(added: readonly string[], unknown: readonly string[]): Words[] {
  const years = unknown.join(', ')
  return [
    ...(added.length ? [sentence`no row on ${added.length} trading days (${added[0]} …): nothing trades on them`] : []),
    ...(years ? [sentence`the calendar does not know the trading days of ${years}: those with rows count`] : []),
  ]
}

/** What prices are held against, though neither account nor strategy may ask for it. */
const checkedColumns = ['open', 'high', 'low', 'pre_close', 'vol', 'amount']

/** The columns asked for, those that prices are held against beside them, and which of them the data's own rule knows at other times. */
function priceColumns(
  data: Data,
  {
    columns: names,
    texts: textNames = [],
    knownAt = {},
    bars,
  }: Pick<PanelOptions<Data, string>, 'columns' | 'knownAt' | 'bars'> & { readonly texts?: readonly string[] },
  grid: Grid,
  dayName: string,
) {
  if (!Array.isArray(names))
    throw wrongShape(sentence`the columns of a panel`, sentence`an array of names, such as ['open', 'close']`, names)
  const told = [...names, ...textNames].filter((name) => !Object.hasOwn(knownAt, name))
  const own = ownTimes(data, dayName, told, grid.minutes.words.length > 1 && bars === undefined)
  const read = readerOf(data, grid, bars)
  const more = checkedColumns.filter(
    (name) => !names.includes(name) && has(data, name) && floatsIn(readColumn(data, name) as ColumnData),
  )
  const [cols, beside] = [names.filter((name) => !own.apart.includes(name)), more].map((all) =>
    Object.fromEntries(all.map((name) => [name, read(name)])),
  ) as [Record<string, Float64Array>, Record<string, Float64Array>]
  const texts = new Map<string, readonly string[]>()
  for (const name of textNames.filter((one) => !own.apart.includes(one))) {
    const { values, words } = wordCells(data, name)
    cols[textName(name)] = read(textName(name), values)
    texts.set(textName(name), words)
  }
  return { cols, beside, own, texts }
}

/** By code, the first day on which its name is that of a delisting period: 退市海润, 海润退. */
function leavingDays(data: Data, { cells, symbols, days }: Grid): ReadonlyMap<number, number> {
  const name = usualColumn(data, ['name', 'stockname'])
  const found = new Map<number, number>()
  if (name === undefined || !textIn(readColumn(data, name) as ColumnData)) return found
  const { codes, words } = dictionary(data, name)
  const isLeaving = words.map((word) => /^退市|退$/.test(word))
  if (!isLeaving.includes(true)) return found
  for (let row = 0; row < cells.length; row++) {
    if (!isLeaving[codes[row] as number]) continue
    const [symbol, day] = [symbols.places[row] as number, days.places[row] as number]
    found.set(symbol, Math.min(day, found.get(symbol) ?? day))
  }
  return found
}

/** The units of volumes, and what of the prices their own day contradicts. @param beside columns that only the check reads */
function checkedParts(
  data: Data,
  parts: PanelParts<string>,
  beside: Readonly<Record<string, Float64Array>>,
  ignore: readonly string[],
): Partial<PanelParts<string>> {
  const cols = { ...parts.cols, ...beside }
  const { close, vol, amount } = cols as Readonly<Record<string, Float64Array>>
  const { days, instruments, rules } = parts
  const about = { vol: columnAbout(data, 'vol'), amount: columnAbout(data, 'amount') }
  const known = { rules, day: days.at(-1) as string }
  const { units, note } = (vol && close && volumeUnits({ close, vol, amount }, about, instruments, known)) ?? {}
  const { findings, doubted } = checkPrices(new Panel({ ...parts, cols, units }))
  const symbols = instruments.map(({ symbol }) => symbol)
  const isIgnored = ignoredRows(ignore, symbols, days)
  const [width, perDay] = [symbols.length, parts.minutes.length]
  for (let cell = 0; doubted && ignore.length > 0 && cell < doubted.length; cell++) {
    const day = days[Math.floor(cell / width / perDay)] as string
    if (doubted[cell] && isIgnored(symbols[cell % width] as string, day)) doubted[cell] = 0
  }
  const [believed, left] = [true, false].map((is) =>
    findings.filter(({ symbol, at }) => isIgnored(symbol, at.slice(0, 8)) === is),
  ) as [PriceFinding[], PriceFinding[]]
  const notes = [
    ...parts.notes,
    ...(note === undefined ? [] : [note]),
    ...findingLines(left),
    ...(believed.length ? [sentence`believed by ignore: ${believed.length} values that contradict their own day`] : []),
  ]
  return { units, findings: left, doubted: doubted?.some((bits) => bits > 0) ? doubted : undefined, notes }
}

/** The join of columns of the data that stand on other days than its rows. */
function apartJoins(data: Data, apart: readonly string[], texts: readonly string[], symbol: string): PanelJoin[] {
  if (apart.length === 0) return []
  const isText = (name: string): boolean => texts.includes(name)
  return [{ data, columns: apart.filter((name) => !isText(name)), texts: apart.filter(isText), symbol }]
}

const timeNames = (data: Data): readonly string[] => [
  loadedDataset(data)?.day ?? 'tradedate',
  'tradedate',
  'trade_date',
]
const codeNames = (data: Data): readonly string[] => ['code', 'symbol', codeColumnOf(data) ?? 'code']

/**
 * Builds a panel for `backtest`, `sweep` and `factorStudy` from a table or a DataFrame with one row a code and day (or
 * bar).
 *
 * Prices are raw. If the data has no `pre_close`, it is computed from `adj_factor`; without either, limits follow the
 * last close, and a gap beyond them stops the position. Calendar days without any row are added: nothing trades on
 * them.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for two rows of one code and time, a code that the rules do not
 * cover, an invalid date or one on which the exchanges are closed, or data without history
 */
export function panel<
  D extends Data,
  C extends NameOfType<D, Numeric>,
  J extends string = never,
  T extends Data = never,
  X extends string = never,
>(data: D, options: PanelOptions<D, C, J, T, X>): Panel<C | J | TermsOf<T> | TextName<X>> {
  checkOptions<PanelOptions<D, C, J, T, X>>(options, panelKinds, 'panel')
  const notes = [historyNote(data, options.withoutHistory ?? [])].filter((note) => note !== undefined)
  const dayName = nameIn(data, 'time', options.time, timeNames(data))
  const { axis: days, added, unknown } = dayAxis(data, dayName)
  const minute = options.minute ?? minuteColumnOf(data)
  const minutes = minute === undefined ? wholeDays : minuteAxis(data, minute)
  const codeName = nameIn(data, 'symbol', options.symbol, codeNames(data))
  const bars = gridOf(days, minutes, axisOf(data, codeName))
  const grid = options.bars === 'day' ? inDays(bars) : bars
  const rules = options.rules ?? chinaRules
  const { words: symbols } = grid.symbols
  if (options.terms && options.delistings)
    throw misuse(sentence`panel: terms or delistings, not both: terms say how bonds end`)
  const terms = options.terms && readTerms(options.terms, symbols, rules)
  const flows = options.cashflows && readCashflows(options.cashflows, symbols, days.words, rules)
  notes.push(...(terms?.notes ?? []), ...(flows?.notes ?? []))
  const delistings = terms?.delistings ?? options.delistings
  notes.push(...dayNotes(added, unknown))
  const { cols, beside, own, texts } = priceColumns(data, options, bars, dayName)
  const shape = { days: days.words, symbols, perDay: grid.minutes.words.length, present: grid.present }
  const about = { listed: options.listed, classes: options.classes, delistings, leaving: leavingDays(data, grid) }
  const { instruments, note } = instrumentsOf(shape, cols['pre_close'] ?? beside['pre_close'], rules, about)
  if (note !== undefined) notes.push(note)
  const { close, adj_factor: factor } = cols
  const derivesPreClose = !cols['pre_close'] && close !== undefined && factor !== undefined
  if (derivesPreClose) {
    const ticks = ticksOf(instruments, rules, days.words.at(-1) as string)
    cols['pre_close'] = previousCloses(close, factor, grid.minutes.words.length, ticks)
  }
  const known = knownTimes(Object.keys(cols), { ...own.at, ...options.knownAt })
  const parts: PanelParts<string> = {
    days: days.words,
    minutes: grid.minutes.words,
    instruments,
    cols,
    known,
    present: grid.present,
    marked: options.st && markedDays(options.st, grid),
    rules,
    notes,
    state: provenance(data)?.state,
    ...(options.from !== undefined && { begin: beginOf(days.words, options.from) }),
    ...(flows && { cashflows: flows.cashflows }),
    derivesPreClose,
    texts,
  }
  const checked = close ? { ...parts, ...checkedParts(data, parts, beside, options.ignore ?? []) } : parts
  const whole = terms ? terms.addTo(checked) : checked
  const joins = [...apartJoins(data, own.apart, options.texts ?? [], codeName), ...(options.join ?? [])]
  return new Panel(addJoined(whole, joins, options.withoutHistory ?? [])) as unknown as Panel<
    C | J | TermsOf<T> | TextName<X>
  >
}
