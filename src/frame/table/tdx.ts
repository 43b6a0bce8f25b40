import type { Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { lotFactor } from '../../contract/session.js'
import { minuteBar } from '../../contract/shared.js'
import { exchangeOf } from '../../contract/symbol.js'
import { averageLies } from '../../contract/turnover-law.js'
import { toTable } from './arrow.js'
import { DictionaryBuilder } from './column-builder.js'
import { withProvenance } from './provenance.js'
import { checkBytes } from './shape.js'
import { isSourceNote } from './source-note.js'
import { decodeText } from './text-encoding.js'
import type { ColumnData } from './values.js'

/** Securities by their numbers: how a price is stored in a `.day` file, what the volume counts, and how many are a lot. */
interface TdxClass {
  readonly codes: RegExp
  /** Decimals of a price. */
  readonly decimals: number
  readonly unit: string | undefined
  readonly money: string
  readonly lot: number
}

const stock = { decimals: 2, unit: 'share', money: 'yuan', lot: 100 } as const

/** Number ranges and price decimals of pytdx, `daily_bar_reader.py` (SECURITY_COEFFICIENT); 52 to 58 are later funds of Shanghai. */
const classes: readonly TdxClass[] = [
  { ...stock, codes: /^(sh6[08]|sz[03]0)/ },
  { ...stock, codes: /^sh90/, decimals: 3, money: 'US dollar' },
  { ...stock, codes: /^sz20/, money: 'Hong Kong dollar' },
  { ...stock, codes: /^(sh5[0-8]|sz1[56])/, decimals: 3, unit: 'fund unit', lot: lotFactor.etf_minute },
  {
    ...stock,
    codes: /^(sh01|sh1[0-4]|sz1[0-4])/,
    decimals: 3,
    unit: 'bond',
    lot: lotFactor.convertible_minute,
  },
  { ...stock, codes: /^(sh00|sh88|sh99|sz39)/, unit: undefined },
]

interface Bar {
  readonly day: string
  readonly minute?: string
  /** Open, high, low, close. */
  readonly prices: readonly number[]
  readonly vol: number
  readonly amount: number
}

const prices = ['open', 'high', 'low', 'close'] as const
const size = 32

function wrong(name: string, why: Words): QuotebookError {
  return new QuotebookError('INVALID_VALUE', sentence`${name} ${why}`)
}

const two = (number: number): string => String(number).padStart(2, '0')

/** A number that was kept in 32 bits, as it was written: seven digits. */
const plain = (stored: number): number => Number(stored.toPrecision(7))

function dayBar(view: DataView, at: number, decimals: number): Bar {
  const whole = (place: number): number => view.getUint32(at + 4 * place, true)
  return {
    day: String(whole(0)),
    prices: prices.map((_, i) => Number(`${whole(1 + i)}e-${decimals}`)),
    amount: view.getFloat32(at + 20, true),
    vol: whole(6),
  }
}

function minuteBarAt(view: DataView, at: number): Bar {
  const [date, minutes] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
  const rest = date % 2048
  return {
    day: `${Math.floor(date / 2048) + 2004}${two(Math.floor(rest / 100))}${two(rest % 100)}`,
    minute: `${two(Math.floor(minutes / 60))}${two(minutes % 60)}`,
    prices: prices.map((_, i) => plain(view.getFloat32(at + 4 + 4 * i, true))),
    amount: view.getFloat32(at + 20, true),
    vol: view.getUint32(at + 24, true),
  }
}

function barsOfRecords(bytes: Uint8Array, name: string, decimals: number): Bar[] {
  if (bytes.length % size !== 0)
    throw wrong(name, sentence`has ${bytes.length} bytes: the records of such a file have ${size} each`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isDay = /\.day$/i.test(name)
  return Array.from({ length: bytes.length / size }, (_, row) =>
    isDay ? dayBar(view, row * size, decimals) : minuteBarAt(view, row * size),
  )
}

const heads: Readonly<Record<string, string>> = {
  日期: 'day',
  时间: 'minute',
  开盘: 'open',
  最高: 'high',
  最低: 'low',
  收盘: 'close',
  成交量: 'vol',
  成交额: 'amount',
}

const wordsOf = (line: string): string[] => line.split(/[\s,;]+/).filter((word) => word !== '')

/** A day in the forms that 数据导出 offers: 2026/07/27, 2026-7-27, 07/27/2026, 20260727. */
function dayOf(text: string): string {
  const [first = '', second, third] = text.split(/[-/]/)
  if (second === undefined || third === undefined) return text
  const [year, month, day] = first.length === 4 ? [first, second, third] : [third, first, second]
  return `${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`
}

/** The text that 数据导出 writes: a line of title, one of names, a line a bar, and where it is from. */
function barsOfText(text: string, name: string): { code: string; bars: Bar[] } {
  const [title = '', names = '', ...lines] = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
  if (isSourceNote([lines.at(-1)])) lines.pop()
  const [code = '', ...about] = wordsOf(title)
  const found = wordsOf(names).map((word) => heads[word])
  const absent = Object.entries(heads).find(([head, own]) => head !== '时间' && !found.includes(own))?.[0]
  if (!/^\d{6}$/.test(code)) throw wrong(name, sentence`is no export of bars: its first line has no code of six digits`)
  if (absent !== undefined) throw wrong(name, sentence`is no export of bars: its second line lacks ${absent}`)
  if (!about.includes('不复权'))
    throw wrong(
      name,
      sentence`does not say 不复权 in its first line: adjusted prices are not what was paid; export it unadjusted`,
    )
  const bars = lines.flatMap((line): Bar[] => {
    if (line.startsWith('#')) return []
    const cells = wordsOf(line)
    const cell = (own: string): string => cells[found.indexOf(own)] ?? ''
    const number = (own: string): number => (cell(own) === '' ? Number.NaN : Number(cell(own)))
    const own = { prices: prices.map(number), vol: number('vol'), amount: number('amount') }
    if (cells.length !== found.length || [...own.prices, own.vol, own.amount].some(Number.isNaN))
      throw wrong(name, sentence`has a line that is no bar: ${line.trim().slice(0, 60)}`)
    return [
      {
        ...own,
        day: dayOf(cell('day')),
        ...(found.includes('minute') && { minute: cell('minute').replace(':', '').padStart(4, '0') }),
      },
    ]
  })
  return { code, bars }
}

/** `数据来源` and 通达信 in UTF-8 and in GBK. */
const ownNames = [Buffer.from('通达信'), Buffer.from('cda8b4efd0c5', 'hex')]
const ownTitle = /^(\xef\xbb\xbf)?\s*\d{5,6}[\s,;]/

/** Whether a file is one of 通达信: by the ending of its records, or by the first and the last line of its text. */
export function isTdx(bytes: Uint8Array, name: string): boolean {
  if (/\.(day|lc[15])$/i.test(name)) return true
  const [start, end] = [Buffer.from(bytes.subarray(0, 64)), Buffer.from(bytes.subarray(-64))]
  const isTitled = /\.(txt|csv|xls)$/i.test(name) && ownTitle.test(start.toString('latin1'))
  return isTitled && ownNames.some((word) => end.includes(word))
}

/** Places of bars whose average price is not among their prices, with a volume in so many. */
function brokenBars(bars: readonly Bar[], units: number): number[] {
  return bars.flatMap(({ amount, vol, prices: [, high, low] }, row) =>
    averageLies(amount, vol, units, low as number, high as number) ? [] : [row],
  )
}

/**
 * How many a unit of the volume is: one, or a lot. The readers that are published do not agree on bonds and funds, so the rows tell:
 * turnover / (volume x units) lies among the prices of each bar. Bars where it does not are suspect.
 * @throws QuotebookError INVALID_VALUE if most of them are
 */
function unitsOf(bars: readonly Bar[], { lot }: TdxClass, name: string): { units: number; broken: readonly number[] } {
  const [single, many] = [1, lot].map((units) => ({ units, broken: brokenBars(bars, units) }))
  const best =
    single && many && many.broken.length < single.broken.length ? many : (single as NonNullable<typeof single>)
  const traded = bars.filter(({ vol }) => vol > 0).length
  if (best.broken.length * 2 <= traded) return best
  const { amount, vol, prices: own } = bars[best.broken[0] as number] as Bar
  const off = (amount / (vol * (own[3] as number))).toPrecision(3)
  throw wrong(
    name,
    sentence`has a turnover of ${off} times volume and close: its prices or volumes are in no unit that is known`,
  )
}

/** Says of a table which bars are suspect. */
function withBroken(table: Table, name: string, broken: readonly number[]): Table {
  const [row] = broken
  if (row === undefined) return table
  const names = ['tradedate', 'trademin', 'low', 'high', 'vol', 'amount']
  const cells = names.flatMap((own) => {
    const cell: unknown = table.getChild(own)?.get(row)
    return typeof cell === 'number' || typeof cell === 'string' ? [[own, cell] as const] : []
  })
  const first = { row, cells: Object.fromEntries(cells) }
  return withProvenance(table, {
    dataset: '通达信',
    source: 'file',
    request: { params: { file: name }, fields: table.schema.fields.map((field) => String(field.name)) },
    rows: table.numRows,
    complete: false,
    suspect: [{ law: 'average', rows: broken.length, first }],
  })
}

/** The market and number in a name such as `sh600000.day` or `SZ#123124.txt`. */
function symbolIn(name: string, code: string | undefined): string | undefined {
  const [, market, bare] = /(sh|sz)#?(\d{6})\.\w+$/i.exec(name) ?? []
  if (market === undefined) return code && `${exchangeOf(code) ?? ''}${code}`.toLowerCase()
  return code === undefined || code === bare ? `${market}${bare}`.toLowerCase() : undefined
}

function words(texts: readonly string[]): ColumnData {
  const builder = new DictionaryBuilder(texts.length)
  for (const [row, text] of texts.entries()) builder.data[row] = builder.codeOf(text)
  return builder.build()
}

function checkBars(name: string, bars: readonly Bar[]): void {
  for (const [row, { day, minute = '0000', prices: own }] of bars.entries()) {
    const isSound = own.every((price) => Number.isFinite(price) && price >= 0)
    if (!isDate(day) || !/^([01]\d|2[0-3])[0-5]\d$/.test(minute) || !isSound)
      throw wrong(name, sentence`is damaged at bar ${row + 1}: day ${day}, minute ${minute}, prices ${own.join(' ')}`)
  }
}

/**
 * Reads day and minute files of 通达信 as a table: `.day`, `.lc1` and `.lc5` (vipdoc/…/lday, minline, fzline), and the
 * unadjusted text of its 数据导出. Columns: tradedate, trademin for minutes (the minute at which a bar ends; a day begins
 * with 0931 or 0935, whose bar contains the opening auction), symbol with its market, open, high, low, close, amount in
 * yuan (or the dollars of B shares), vol in shares, fund units or bonds; in an index without a unit, since the files do
 * not give one. No cell is null. Turnover is a 32-bit number in the binary files: seven digits.
 *
 * Source: pytdx, `daily_bar_reader.py` and `lc_min_bar_reader.py` (records, price decimals by number range). They do
 * not agree on the volume of bonds and funds, so it is read as single units or as lots, whichever fits the turnover of
 * more bars. `provenance(table).suspect` names bars whose average price is not between low and high. No published
 * reader covers stocks of Beijing.
 * @param name the name of the file, which holds market and number: `sz123124.day`
 * @throws QuotebookError INVALID_VALUE for a name without them, a truncated or damaged file, an adjusted export, and
 * volumes in no known unit
 */
export function fromTdx(bytes: Uint8Array, name: string): Table {
  checkBytes(bytes, 'fromTdx')
  const text = /\.(day|lc[15])$/i.test(name) ? undefined : barsOfText(decodeText(bytes, name).bytes.toString(), name)
  const symbol = symbolIn(name, text?.code)
  const found = classes.find(({ codes }) => codes.test(symbol ?? ''))
  if (!symbol || !found)
    throw wrong(
      name,
      sentence`does not tell its security: its name should be like sh600000.day or SZ#123124.txt, of Shanghai or Shenzhen`,
    )
  const bars = text?.bars ?? barsOfRecords(bytes, name, found.decimals)
  checkBars(name, bars)
  const { units, broken } = found.unit === undefined ? { units: 1, broken: [] } : unitsOf(bars, found, name)
  const numbers = (of: (bar: Bar) => number): ColumnData => ({
    type: 'float',
    data: Float64Array.from(bars, of),
    valid: null,
  })
  const money = (meaning: string): Column => ({ kind: 'number', unit: found.money, meaning })
  const minutes = bars.some(({ minute }) => minute !== undefined)
  const all: Record<string, readonly [Column, ColumnData]> = {
    tradedate: [minuteBar.tradedate, words(bars.map(({ day }) => day))],
    ...(minutes && {
      trademin: [
        { kind: 'minute', meaning: 'Minute at which the bar ends.' },
        words(bars.map(({ minute }) => minute ?? '')),
      ],
    }),
    symbol: [minuteBar.symbol, words(bars.map(() => `${symbol.slice(2)}.${symbol.slice(0, 2).toUpperCase()}`))],
    ...Object.fromEntries(
      prices.map((price, i) => [price, [money(`${price} of the bar.`), numbers((bar) => bar.prices[i] as number)]]),
    ),
    vol: [
      { kind: 'number', ...(found.unit && { unit: found.unit }), meaning: 'Volume of the bar.' },
      numbers(({ vol }) => vol * units),
    ],
    amount: [money('Turnover of the bar.'), numbers(({ amount }) => amount)],
  }
  const declared = Object.fromEntries(Object.entries(all).map(([own, [column]]) => [own, column]))
  const columns = new Map(Object.entries(all).map(([own, [, values]]) => [own, values]))
  return withBroken(toTable({ length: bars.length, columns }, declared), name, broken)
}
