import { createHash } from 'node:crypto'
import { invalid, type QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { rulesOf, type TradingRules } from '../../contract/trading-rules.js'
import { described } from '../../frame/table/shape.js'
import type { PriceFinding } from './price-findings.js'
import { atUserPlace } from './strategy-fault.js'
import type { TrialParams } from './sweep-grid.js'
import { plainName, type TextWords, textName } from './text-columns.js'

/** When a column's cell can be known: at the open or close of its bar, or at a clock time (`HH:MM:SS`) of its day. */
export type KnownTime = 'open' | 'close' | string

/** The end of an instrument, from a table of your own: redemption or delisting. */
export interface Delisting {
  readonly symbol: string
  /** First day without trading; holders are paid before its open. */
  readonly day: string
  /** Yuan a share or bond; absent: the last close. */
  readonly price?: number
}

/** What an instrument pays to those who hold it before the open of a day, before tax. */
export interface PanelCashflow {
  /** Places of days; that of a pay day after the last is their number. */
  readonly day: number
  readonly payDay: number
  readonly symbol: number
  /** Yuan a share or bond. */
  readonly cash: number
  readonly kind: 'dividend' | 'coupon'
}

/** What is known of an instrument beside its prices. */
export interface PanelInstrument {
  readonly symbol: string
  /** Its class in the trading rules. */
  readonly kind: string
  /** Index of its day of listing; negative where it was listed before the first day. */
  readonly listed: number
  /** Index of the first day without trading, and what is paid (yuan; undefined: the last close). */
  readonly end: { readonly day: number; readonly price: number | undefined } | undefined
  /** Its first row counts as its listing, and nothing says that it is one: rules of first days are not applied. */
  readonly isAssumed?: boolean
  /** Index of the first day of its delisting period, which has no price limits. */
  readonly leaves?: number
}

/** Columns of a panel as they are for some params, in the place of its own. */
export interface PanelVariant {
  readonly params: TrialParams
  readonly cols: Readonly<Record<string, Float64Array>>
  readonly texts?: TextWords | undefined
}

/** What one of the columns `vol` and `amount` of an instrument counts. */
export interface PanelUnits {
  /** Shares, bonds or units; absent: a lot of the rules. */
  readonly vol?: number
  /** Yuan; absent: 1. */
  readonly yuan?: number
}

/** What to throw for a column that a panel does not have, with the line of the strategy that asks for it. */
export function missingInPanel(
  name: string,
  names: readonly string[],
  members: readonly string[] = names,
): QuotebookError {
  if (names.includes(textName(name)))
    return atUserPlace(
      'MISSING_COLUMN',
      sentence`'${name}' is a text, and a number is wanted here; ask it in universe, exit, update, weights or orders`,
    )
  const hint = nameHint(name, members.map(plainName), sentence`there are: ${names.map(plainName).join(', ')}`)
  return atUserPlace('MISSING_COLUMN', sentence`the panel has no column '${name}'; ${hint}`)
}

type NeededParts = 'days' | 'minutes' | 'instruments' | 'cols' | 'known' | 'present' | 'marked' | 'rules' | 'notes'
type OtherParts =
  | 'state'
  | 'begin'
  | 'cashflows'
  | 'units'
  | 'findings'
  | 'doubted'
  | 'derivesPreClose'
  | 'variants'
  | 'texts'

export type PanelParts<C extends string> = Pick<Panel<C>, NeededParts> & Partial<Pick<Panel<C>, OtherParts>>

/**
 * Prices of many instruments over many times, as a backtest reads them: a Float64Array a column, time by time and
 * within a time symbol by symbol (`cols.close[time * symbols.length + symbol]`); NaN for a missing row or value. A time
 * is a trading day, or a bar of one. `panel()` builds it.
 */
export class Panel<C extends string = string> {
  /** Trading days, ascending, `YYYYMMDD`; a day of the calendar on which no instrument has a row is there too. */
  readonly days: readonly string[]
  /** Closing minutes of the bars of a day, `HHMM`; one empty text for daily prices. */
  readonly minutes: readonly string[]
  /** Codes, sorted. */
  readonly symbols: readonly string[]
  readonly cols: { readonly [K in C]: Float64Array }
  readonly rules: TradingRules
  /** What the reader of a result should know of its prices. */
  readonly notes: readonly Words[]
  readonly instruments: readonly PanelInstrument[]
  readonly known: ReadonlyMap<string, KnownTime>
  /** 1 if an instrument has a row. */
  readonly present: Uint8Array
  /** 1 if a stock is marked ST, by day and symbol; undefined if none is. */
  readonly marked: Uint8Array | undefined
  /** sha256 of the archive's state that the rows were read from, if that is known; no part of `hash`. */
  readonly state: string | undefined
  /** Place of the first day on which accounts are run; days before it are history that a strategy can look back to. */
  readonly begin: number
  readonly cashflows: readonly PanelCashflow[] | undefined
  /** By instrument; undefined if all volumes are lots and all amounts yuan. */
  readonly units: readonly PanelUnits[] | undefined
  /** What the prices' own day contradicts, in order of time and code. A run whose account would use it is refused. */
  readonly findings: readonly PriceFinding[]
  /** By cell, which of its values are in doubt (bits of `doubts`); undefined if none is. */
  readonly doubted: Uint8Array | undefined
  /** Whether previous closes come from `adj_factor`, and are right to a tick. */
  readonly derivesPreClose: boolean
  /** Columns for each combination of the params that joins read; undefined if none does. */
  readonly variants: readonly PanelVariant[] | undefined
  /** Words of the columns of texts, whose cells are places in them. */
  readonly texts: TextWords | undefined
  #hash: string | undefined

  constructor(parts: PanelParts<C>) {
    this.days = parts.days
    this.minutes = parts.minutes
    this.instruments = parts.instruments
    this.symbols = parts.instruments.map(({ symbol }) => symbol)
    this.cols = parts.cols
    this.known = parts.known
    this.present = parts.present
    this.marked = parts.marked
    this.rules = parts.rules
    this.notes = parts.notes
    this.state = parts.state
    this.begin = parts.begin ?? 0
    this.cashflows = parts.cashflows
    this.units = parts.units
    this.findings = parts.findings ?? []
    this.doubted = parts.doubted
    this.derivesPreClose = parts.derivesPreClose ?? false
    this.variants = parts.variants
    this.texts = parts.texts
  }

  /** Days, or bars of all days. */
  get times(): number {
    return this.days.length * this.minutes.length
  }

  get names(): readonly C[] {
    return Object.keys(this.cols) as C[]
  }

  /** The day of a time, and its minute if there is one: `20260701`, `20260701 1000`. */
  timeText(time: number): string {
    const day = this.days[Math.floor(time / this.minutes.length)] ?? ''
    const minute = this.minutes[time % this.minutes.length]
    return minute ? `${day} ${minute}` : day
  }

  /** @throws QuotebookError MISSING_COLUMN */
  column(name: string): Float64Array {
    if (!this.has(name)) throw missingInPanel(name, this.names)
    return (this.cols as Readonly<Record<string, Float64Array>>)[name] as Float64Array
  }

  /** Whether there is a column of this name. */
  has(name: string): boolean {
    return Object.hasOwn(this.cols, name)
  }

  /**
   * The same panel with other columns, and other parts; what a new column knows is known at the close of its bar.
   * @throws QuotebookError INVALID_VALUE for a column of another length
   */
  withColumns<D extends string = C>(
    cols: { readonly [K in D]: Float64Array },
    parts: Partial<Omit<PanelParts<D>, 'cols'>> = {},
  ): Panel<D> {
    const cells = this.times * this.symbols.length
    for (const [name, column] of Object.entries(cols) as [D, Float64Array][]) {
      if (column instanceof Float64Array && column.length === cells) continue
      const right = sentence`a Float64Array of ${this.times} times x ${this.symbols.length} instruments`
      const given = column instanceof Float64Array ? sentence`one of ${column.length}` : described(column)
      throw invalid(sentence`panel: the column '${name}' is ${right}, not ${given}`)
    }
    return new Panel<D>({ ...(this as unknown as PanelParts<D>), ...parts, cols })
  }

  /**
   * sha256 of days, codes, what is known of them, the trading rules in force for them on these days, where there are rows, and the bytes of
   * every column (little-endian, one NaN).
   */
  get hash(): string {
    const kinds = [...new Set(this.instruments.map(({ kind }) => kind))].sort()
    const [first = '', last = ''] = [this.days[0], this.days.at(-1)]
    this.#hash ??= this.#digest(kinds.map((kind) => [kind, rulesOf(this.rules, kind, first, last)]))
    return this.#hash
  }

  /** Takes a hash from when all of the rules went into it, with their sources, for its own if it is that of this panel. */
  recognize(hash: string | undefined): void {
    if (hash === this.#digest(this.rules)) this.#hash = hash
  }

  #digest(rules: unknown): string {
    const hash = createHash('sha256')
    const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    const rows = [digest(this.present), this.marked && digest(this.marked)]
    const known = [...this.known].sort(([a], [b]) => (a < b ? -1 : 1))
    const more = [
      ...(this.begin === 0 ? [] : [this.begin]),
      ...(this.cashflows ? [this.cashflows] : []),
      ...(this.units ? [this.units] : []),
      ...(this.texts ? [[...this.texts]] : []),
      ...(this.variants
        ? [
            this.variants.map(({ params, cols }) => [
              params,
              Object.entries(cols).map(([name, one]) => [name, digest(bytesOf(one))]),
            ]),
          ]
        : []),
    ]
    hash.update(JSON.stringify([this.days, this.minutes, this.instruments, rules, known, rows, ...more]))
    for (const name of [...this.names].sort()) {
      hash.update(`\n${name}\n`)
      hash.update(bytesOf(this.cols[name]))
    }
    return hash.digest('hex')
  }
}

/** The bytes of a column in which every NaN has the same bits. */
function bytesOf(column: Float64Array): Uint8Array {
  const copy = column.slice()
  for (let cell = 0; cell < copy.length; cell++) if (Number.isNaN(copy[cell])) copy[cell] = Number.NaN
  return new Uint8Array(copy.buffer)
}
