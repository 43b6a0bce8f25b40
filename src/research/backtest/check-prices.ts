import { inForce } from '../../contract/trading-rules.js'
import { averageLies } from '../../contract/turnover-law.js'
import { quantileOfSorted } from '../../frame/table/quantiles.js'
import { listingRule, noBand } from './day-rules.js'
import type { Panel } from './panel.js'
import { firstCells } from './panel-instruments.js'
import { doubts, isDoubted, type PriceFinding, type PriceLaw } from './price-findings.js'
import { Quotes } from './quotes.js'

type Column = Float64Array | undefined

/** So many findings of a law are kept; cells are marked beyond them. */
const mostKept = 1000
/** Yuan by which a previous close may differ from the last close for being rounded. */
const rounding = 0.005 + 1e-9
/** From so many differences between previous and last closes on, in a quarter of an instrument's rows, none of them is ex-rights. */
const manyJumps = 5
/** Closes of an instrument by which it is told whether its prices are on its tick. */
const mostTicks = 24
/** Up to so many trading days without a row are days that the data may lack; more are a suspension. */
const mostLacking = 5

const names = ['close', 'open', 'high', 'low'] as const
type PriceName = (typeof names)[number]

/** The prices of a cell. */
interface Row extends Readonly<Record<PriceName, number>> {
  readonly cell: number
  readonly time: number
  readonly symbol: number
  readonly pre: number
}

const columnNames = [...names, 'pre_close', 'vol', 'amount'] as const
type Columns = Readonly<Record<(typeof columnNames)[number], Column>>

/** By instrument: the narrowest limits over all days, as factors of a previous close, and yuan of a price 1 in the amount of a volume 1. */
interface Scale {
  readonly up: Float64Array
  readonly down: Float64Array
  readonly turnover: Float64Array
}

/** What is found in one pass over the prices of a panel. */
class PriceCheck {
  readonly #panel: Panel
  readonly #quotes: Quotes
  readonly #columns: Columns
  readonly #width: number
  readonly #found = new Map<PriceLaw, Map<number, PriceFinding>>()
  /** By instrument, its first cell. */
  readonly #firsts: Int32Array
  /** By instrument, the cells whose previous close is not the last close. */
  readonly #jumps = new Map<number, number[]>()
  #doubted: Uint8Array | undefined

  constructor(panel: Panel) {
    this.#panel = panel
    this.#quotes = new Quotes(panel, 'close', {})
    this.#width = panel.symbols.length
    this.#firsts = firstCells(panel)
    const there = columnNames.filter((name) => panel.has(name))
    this.#columns = Object.fromEntries(there.map((name) => [name, panel.column(name)])) as Columns
  }

  check(): { readonly findings: readonly PriceFinding[]; readonly doubted: Uint8Array | undefined } {
    const scale = this.#scale()
    for (let time = 0; time < this.#panel.times; time++) this.#checkTime(time, scale)
    for (const [symbol, cells] of this.#jumps) this.#checkSeries(symbol, cells)
    this.#checkTicks()
    const findings = [...this.#found.values()].flatMap((all) => [...all]).sort(([a], [b]) => a - b)
    return { findings: findings.map(([, finding]) => finding), doubted: this.#doubted }
  }

  #scale(): Scale {
    const { instruments, days, rules, marked, units } = this.#panel
    const kinds = [...new Set(instruments.map(({ kind }) => kind))]
    const byKind = new Map(
      kinds.map((kind) => {
        const all = new Set(days.flatMap((day) => inForce(rules.limits, kind, day).slice(0, 1)))
        const percents = [...all].map(({ percent, st }) => (marked ? Math.min(percent, st) : percent))
        return [kind, Math.min(...percents) / 100]
      }),
    )
    const of = (sign: number): Float64Array =>
      Float64Array.from(instruments, ({ kind }) => 1 + sign * (byKind.get(kind) as number))
    const last = this.#panel.times - 1
    const turnover = Float64Array.from(instruments, (_, at) => {
      const { vol = this.#quotes.rules(last, at).lot.unit, yuan = 1 } = units?.[at] ?? {}
      return vol / yuan
    })
    return { up: of(1), down: of(-1), turnover }
  }

  /** Almost all rows pass by comparisons alone; a row with a missing number is looked at. */
  #checkTime(time: number, { up, down, turnover }: Scale): void {
    const { open, high, low, pre_close: pre, vol, amount } = this.#columns
    const close = this.#columns.close as Float64Array
    const { present, minutes } = this.#panel
    const [width, isFirst] = [up.length, time === 0]
    const back = isFirst ? 0 : width
    const before = pre !== undefined && minutes.length > 1 ? pre : close
    for (let symbol = 0, cell = time * width; symbol < width; symbol++, cell++) {
      if (present[cell] === 0) continue
      const c = close[cell] as number
      const o = open === undefined ? c : (open[cell] as number)
      const h = high === undefined ? Math.max(o, c) : (high[cell] as number)
      const l = low === undefined ? Math.min(o, c) : (low[cell] as number)
      const last = before[cell - back] as number
      const p = pre === undefined ? last : (pre[cell] as number)
      if (
        l > 0 &&
        l <= o &&
        o <= h &&
        l <= c &&
        c <= h &&
        (p === last || isFirst) &&
        h <= p * (up[symbol] as number) &&
        l >= p * (down[symbol] as number)
      ) {
        if (amount === undefined || vol === undefined) continue
        const v = (vol[cell] as number) * (turnover[symbol] as number)
        const a = amount[cell] as number
        if (a >= l * v && a <= h * v) continue
      }
      this.#examine(this.#rowOf(cell))
    }
  }

  #rowOf(cell: number): Row {
    const at = (name: PriceName | 'pre_close'): number => this.#columns[name]?.[cell] ?? Number.NaN
    const prices = { close: at('close'), open: at('open'), high: at('high'), low: at('low'), pre: at('pre_close') }
    return { ...prices, cell, time: Math.floor(cell / this.#width), symbol: cell % this.#width }
  }

  #dayOfCell(cell: number): string {
    return this.#panel.days[this.#quotes.dayOf(Math.floor(cell / this.#width))] ?? ''
  }

  #doubt(cell: number, column: keyof typeof doubts): void {
    this.#doubted ??= new Uint8Array(this.#panel.present.length)
    this.#doubted[cell] = (this.#doubted[cell] as number) | doubts[column]
  }

  #isDoubted(cell: number, column: keyof typeof doubts): boolean {
    return isDoubted({ doubted: this.#doubted }, cell, column)
  }

  #find(
    law: PriceLaw,
    { cell, time, symbol }: Row,
    column: string,
    value: number,
    [low, high]: readonly [number, number],
    since?: string,
  ): void {
    const all = this.#found.get(law) ?? new Map<number, PriceFinding>()
    this.#found.set(law, all)
    if (all.has(cell) || all.size >= mostKept) return
    const place = { symbol: this.#panel.symbols[symbol] as string, at: this.#panel.timeText(time) }
    all.set(cell, { law, ...place, column, value, low, high, ...(since !== undefined && { since }) })
  }

  #examine(row: Row): void {
    const { vol } = this.#columns
    if (vol && !((vol[row.cell] as number) > 0)) {
      // A price of 0 without volume is no price: nothing traded.
      for (const name of names) {
        const column = this.#columns[name]
        if (column?.[row.cell] === 0) column[row.cell] = Number.NaN
      }
    } else {
      this.#checkRange(row)
      if (this.#columns.pre_close) this.#checkLimits(row)
      else this.#checkSpread(row)
      this.#checkTurnover(row)
    }
    if (this.#columns.pre_close) this.#checkPreClose(row)
  }

  /** Closes of an instrument that are no multiples of its tick, told by some of them: it is of another class, or its prices are adjusted. */
  #checkTicks(): void {
    const close = this.#columns.close as Float64Array
    const step = this.#width * Math.max(1, Math.floor(this.#panel.times / mostTicks))
    for (let symbol = 0; symbol < this.#width; symbol++) {
      const { tick } = this.#quotes.rules(0, symbol)
      const isOff = (cell: number): boolean => {
        const ticks = ((close[cell] as number) * 1000) / tick
        return Math.abs(ticks - Math.round(ticks)) > 0.001
      }
      let some = symbol
      while (some < close.length && !isOff(some)) some += step
      for (let cell = symbol; some < close.length && cell < close.length; cell += this.#width) {
        if (!isOff(cell)) continue
        this.#doubt(cell, 'close')
        const row = this.#rowOf(cell)
        const [low, high] = [Math.floor((row.close * 1000) / tick), Math.ceil((row.close * 1000) / tick)]
        this.#find('tick', row, 'close', row.close, [(low * tick) / 1000, (high * tick) / 1000])
      }
    }
  }

  /** The last close of an earlier day and its cell, -1 where there is none. */
  #lastCell({ cell, time }: Pick<Row, 'cell' | 'time'>): number {
    const inDay = time % this.#panel.minutes.length
    for (let at = cell - (inDay + 1) * this.#width; at >= 0; at -= this.#width)
      if ((this.#columns.close?.[at] as number) > 0) return at
    return -1
  }

  #lastClose(row: Row): number {
    return this.#columns.close?.[this.#lastCell(row)] ?? Number.NaN
  }

  /** Of prices of one bar that contradict each other, the one that all others contradict is in doubt, or else both of each pair. */
  #checkRange(row: Row): void {
    const { high, low } = row
    const all = {
      high: names.filter((name) => name !== 'high' && row[name] > high),
      low: names.filter((name) => name !== 'low' && row[name] < low),
    }
    const alone = (['high', 'low'] as const).filter((side) => all[side].length === 3)
    const pairs = (['high', 'low'] as const).flatMap((side) =>
      all[side]
        .filter((name) => !(alone.length === 1 && alone.includes(name as 'high' | 'low')))
        .map((name) => [side, name] as const),
    )
    if (pairs.length === 0) return
    const wrong = new Set(pairs.flatMap(([side, name]): PriceName[] => (alone.includes(side) ? [side] : [side, name])))
    for (const name of wrong) this.#doubt(row.cell, name)
    const named = names.find((name) => wrong.has(name)) as PriceName
    const others = names.filter((name) => name !== named && row[name] > 0).map((name) => row[name])
    this.#find('range', row, named, row[named], [Math.min(...others), Math.max(...others)])
  }

  /** Whether limits may be missing because a listing of which nothing is known is only some days old. */
  #mayBeNew({ time, symbol }: Pick<Row, 'time' | 'symbol'>): boolean {
    const { instruments, rules, days } = this.#panel
    const { listed, kind, isAssumed } = instruments[symbol] as (typeof instruments)[number]
    const since =
      this.#quotes.dayOf(time) - this.#quotes.dayOf(Math.floor((this.#firsts[symbol] as number) / this.#width))
    return (
      (listed < 0 || isAssumed === true) &&
      since < (listingRule(rules, kind, days[this.#quotes.dayOf(time)] ?? '')?.days ?? 0)
    )
  }

  /** Prices outside a day's limits. */
  #outside(row: Row): { readonly wrong: readonly PriceName[]; readonly up: number; readonly down: number } {
    const band = this.#quotes.bandAround(row.time, row.symbol, row.pre)
    const slack = this.#panel.derivesPreClose ? this.#quotes.rules(row.time, row.symbol).tick / 1000 : 0
    const [up, down] = [band.up / 1000 + slack, band.down / 1000 - slack]
    return { wrong: names.filter((name) => row[name] > up + 1e-9 || row[name] < down - 1e-9), up, down }
  }

  #checkLimits(row: Row): void {
    if (this.#mayBeNew(row)) return
    const { wrong, up, down } = this.#outside(row)
    const [first] = wrong
    if (first === undefined) return
    const prices = names.map((name) => row[name]).filter((price) => price > 0)
    const last = this.#lastClose(row)
    if (wrong.length === prices.length && prices.length > 1 && last > 0 && Math.abs(row.pre - last) > rounding) {
      const [low, high] = [(Math.max(...prices) * row.pre) / up, (Math.min(...prices) * row.pre) / down]
      this.#doubt(row.cell, 'pre_close')
      this.#find('limits', row, 'pre_close', row.pre, [low, high])
      return
    }
    for (const name of wrong) this.#doubt(row.cell, name)
    this.#find('limits', row, first, row[first], [down, up])
  }

  /** A previous close that is not the last close must follow from it: by a dividend, bonus shares, rights, a split or a merge. */
  #checkPreClose(row: Row): void {
    const { cell, time, symbol, pre } = row
    const lastCell = this.#lastCell(row)
    const last = this.#columns.close?.[lastCell] ?? Number.NaN
    if (!(pre > 0 && last > 0) || Math.abs(pre - last) * 1000 < 0.5) return
    if (!this.#panel.derivesPreClose) this.#jumps.set(symbol, [...(this.#jumps.get(symbol) ?? []), cell])
    const before = this.#rowOf(lastCell)
    if (this.#mayBeNew(before) && this.#outside(before).wrong.includes('close')) {
      const { up, down } = this.#outside(before)
      this.#doubt(lastCell, 'close')
      this.#find('limits', before, 'close', last, [down, up])
    }
    const isSound = !this.#isDoubted(lastCell, 'close') && !this.#isDoubted(cell, 'pre_close')
    if (isSound && this.#mayFollow(row, last, this.#quotes.dayOf(time) - this.#quotes.dayOf(before.time) - 1)) return
    this.#doubt(cell, 'jump')
    if (isSound) this.#find('pre_close', row, 'pre_close', pre, [last, last], this.#dayOfCell(lastCell))
  }

  /** @param lacking trading days between the two closes without a row */
  #mayFollow({ time, symbol, pre }: Row, close: number, lacking: number): boolean {
    const { instruments, rules, days, derivesPreClose, cashflows = [] } = this.#panel
    const day = this.#quotes.dayOf(time)
    const paid = cashflows.filter((one) => one.day === day && one.symbol === symbol)
    const last = paid.reduce((left, one) => left - one.cash, close)
    const kind = instruments[symbol]?.kind ?? ''
    const { limit, tick } = this.#quotes.rules(time, symbol)
    const ratio = pre / last
    const ofDays = (1 + (limit?.percent ?? 0) / 100) ** lacking
    if (lacking > 0 && lacking <= mostLacking && !derivesPreClose && ratio <= ofDays && ratio >= 1 / ofDays)
      return false
    if (Math.abs(pre - last) <= Math.max(rounding, tick / 1000)) return true
    const [rule] = inForce(rules.adjustments ?? [], kind, days[day] ?? '')
    if (rule === undefined) return true
    return ratio < 1 ? ratio >= rule.least : rule.merges !== undefined && ratio >= rule.merges
  }

  /** An instrument whose previous closes are seldom its last closes: they belong to other days. */
  #checkSeries(symbol: number, cells: readonly number[]): void {
    const [width, { close, pre_close: pre }] = [this.#width, this.#columns]
    const own: number[] = []
    for (let cell = symbol; cell < this.#panel.present.length; cell += width)
      if ((close?.[cell] as number) > 0) own.push(cell)
    if (cells.length < manyJumps || cells.length < own.length / 4) return
    const placeOf = new Map(own.map((cell, place) => [cell, place]))
    const isOf = (days: number): boolean => {
      const same = cells.filter((cell) => pre?.[cell] === close?.[own[(placeOf.get(cell) ?? -9) + days] ?? -1])
      return same.length > 0.8 * cells.length
    }
    const isShifted = isOf(0) || isOf(-2)
    for (const cell of cells) {
      const row = this.#rowOf(cell)
      const before = own[(placeOf.get(cell) ?? 0) - 1] ?? -1
      const last = close?.[before] ?? Number.NaN
      this.#doubt(cell, 'jump')
      if (isShifted) this.#found.get('pre_close')?.delete(cell)
      const law = isShifted ? 'shifted' : 'pre_close'
      if (!isShifted || cell === cells[0])
        this.#find(law, row, 'pre_close', row.pre, [last, last], this.#dayOfCell(before))
    }
  }

  /** Without previous closes: prices of one day lie within the width of its limits, whatever the previous close was. */
  #checkSpread(row: Row): void {
    const { limit } = this.#quotes.rules(row.time, row.symbol)
    if (!limit || this.#mayBeNew(row) || this.#quotes.bandAround(row.time, row.symbol, 100) === noBand) return
    const share = (limit.most ?? limit.percent) / 100
    const most = ((1 + share) / (1 - share)) * 1.001
    const perDay = this.#panel.minutes.length
    const begin = row.cell - (row.time % perDay) * this.#width
    const others = Array.from({ length: perDay }, (_, bar) => begin + bar * this.#width).flatMap((cell) =>
      names.map((name) => this.#columns[name]?.[cell] as number).filter((price) => price > 0),
    )
    const last = this.#lastClose(row)
    const near = (price: number): number => Math.abs(Math.log(price / last))
    const middle =
      perDay > 1 || !(last > 0)
        ? quantileOfSorted(Float64Array.from(others).sort(), 0.5)
        : others.reduce((a, b) => (near(b) < near(a) ? b : a))
    const wrong = names.filter((name) => row[name] > middle * most || row[name] < middle / most)
    for (const name of wrong) this.#doubt(row.cell, name)
    const [first] = wrong
    if (first !== undefined) this.#find('limits', row, first, row[first], [middle / most, middle * most])
  }

  #checkTurnover(row: Row): void {
    const { vol, amount } = this.#columns
    const { cell, time, symbol } = row
    if (!vol || !amount || this.#isDoubted(cell, 'high') || this.#isDoubted(cell, 'low')) return
    const { vol: unit = this.#quotes.rules(time, symbol).lot.unit, yuan = 1 } = this.#panel.units?.[symbol] ?? {}
    const [least, most] = row.low > 0 && row.high > 0 ? [row.low, row.high] : this.#rangeOf(row)
    if (averageLies((amount[cell] as number) * yuan, vol[cell] as number, unit, least, most)) return
    this.#doubt(cell, 'vol')
    this.#find('turnover', row, 'vol', vol[cell] as number, [least, most])
  }

  /** Where the day's average may lie if its low or high is not known: within the limits, or between half and twice the close. */
  #rangeOf(row: Row): readonly [number, number] {
    const { down, up } = this.#quotes.bandAround(row.time, row.symbol, row.pre)
    return Number.isFinite(up) && !this.#mayBeNew(row) ? [down / 1000, up / 1000] : [row.close / 2, row.close * 2]
  }
}

/**
 * Holds prices and volumes of a panel against their own day: limits, low and high, the next previous close, amount / volume.
 * @returns the findings in order of time and code, the first thousand of each law, and by cell what is in doubt
 */
export function checkPrices(panel: Panel): ReturnType<PriceCheck['check']> {
  return new PriceCheck(panel).check()
}
