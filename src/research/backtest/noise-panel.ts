import { type DecideAt, isKnowable } from './cursor.js'
import { Panel, type PanelInstrument } from './panel.js'

const noiseLength = 8191

/** The same noise each time: what cells are multiplied by, and, where `others` is above 0, what stands in their place. */
function makeNoise(seed: number): { readonly factors: Float64Array; readonly others: Float64Array } {
  let state = seed | 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % 100_000
  }
  const factors = Float64Array.from({ length: noiseLength }, () => (1 + next() / 12_500) ** (next() % 2 ? 1 : -1))
  const others = Float64Array.from({ length: noiseLength }, () => (next() % 8 > 0 ? 0 : (1 + next()) / 1000))
  return { factors, others }
}

const { factors, others } = makeNoise(20_220_801)

/** Prices lie between the lowest and the highest of their bar, in noise too. */
const ofBar = ['open', 'high', 'low', 'close', 'vwap']
const measured = [...ofBar, 'pre_close', 'vol', 'amount', 'adj_factor']

/** What a column's noise must be like: half of it negative, or drawn of its own whole numbers (days, flags, counts). */
function mannerOf(column: Float64Array, name: string) {
  let [signed, isWhole] = [false, !measured.includes(name)]
  for (let cell = 0; cell < column.length; cell++) {
    const value = column[cell] as number
    if (value < 0) signed = true
    if (isWhole && value % 1 !== 0 && !Number.isNaN(value)) isWhole = false
  }
  const drawn = isWhole ? column.filter((value) => !Number.isNaN(value)) : undefined
  return { signed, drawn: drawn?.length ? drawn : undefined }
}

type Manner = ReturnType<typeof mannerOf>

/**
 * Replaces cells by a ninth to nine times the last ones before, as often above them as below, and now and then by anything: a strategy
 * that looks for a rise must not find one in the noise too.
 * @param at where in the noise to begin
 */
function perturb(
  column: Float64Array,
  [from, to]: readonly [number, number],
  width: number,
  { signed, drawn }: Manner,
  at: number,
): void {
  let place = at % noiseLength
  const before = column.slice(Math.max(0, from - width), from)
  for (let row = from; row < to; row += width)
    for (let symbol = 0; symbol < width; symbol++) {
      const other = others[place] as number
      const around = Math.abs(before[symbol] ?? Number.NaN) * (factors[place] as number)
      const size = other === 0 && around > 0 ? around : 1 + 9 * other
      // Math.floor is one instruction, and Math.round is not.
      const mills = Math.max(1, Math.min(1e9, Math.floor(size * 1000 + 0.5)))
      column[row + symbol] = drawn
        ? (drawn[(place * 7919 + row) % drawn.length] as number)
        : (signed && place % 2 ? -mills : mills) / 1000
      if (++place === noiseLength) place = 0
    }
}

/** Columns that are made when they are read. */
export function lazyColumns<C extends string>(
  names: readonly C[],
  read: (name: C, place: number) => Float64Array,
): { readonly [K in C]: Float64Array } {
  const cols = {} as { [K in C]: Float64Array }
  for (const [place, name] of names.entries()) {
    const write = function (this: object, value: unknown): void {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true })
    }
    const get = (): Float64Array => read(name, place)
    Object.defineProperty(cols, name, { get, set: write, enumerable: true, configurable: true })
  }
  return cols
}

/** Columns that become noise after a cut when they are read. @param cutsSoFar the latest first; the last one holds */
function noisyColumns<C extends string>(
  panel: Panel<C>,
  decideAt: DecideAt,
  cutsSoFar: readonly number[],
): { readonly [K in C]: Float64Array } {
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const firstUnseen = (name: string, cut: number): number => {
    if (isKnowable(panel as unknown as Panel, name, cut, decideAt)) return cut + 1
    const known = panel.known.get(name) ?? 'close'
    return known === 'close' ? cut : cut - (cut % perDay)
  }
  const made = new Map<string, { noisy: Float64Array; manner: Manner; done: number; clean: number; wide: number }>()
  const advanced = (name: C) => {
    const own = made.get(name) ?? {
      noisy: panel.cols[name].slice(),
      manner: mannerOf(panel.cols[name], name),
      done: 0,
      clean: panel.present.length,
      wide: panel.present.length,
    }
    made.set(name, own)
    for (; own.done < cutsSoFar.length; own.done++) {
      const cut = cutsSoFar[own.done] as number
      const from = firstUnseen(name, cut) * width
      perturb(own.noisy, [from, own.clean], width, own.manner, 977 * panel.names.indexOf(name) + cut)
      own.clean = from
    }
    return own
  }
  return lazyColumns(panel.names, (name) => {
    const own = advanced(name)
    const column = own.noisy
    if (name !== 'high' && name !== 'low') return column
    const outer = name === 'high' ? Math.max : Math.min
    // What is known at the open becomes noise a little later than what is known at the close.
    const end = Math.min(column.length, own.wide + perDay * width)
    for (const other of panel.names.filter((one) => ofBar.includes(one) && one !== name)) {
      const within = advanced(other).noisy
      for (let cell = own.clean; cell < end; cell++)
        column[cell] = outer(column[cell] as number, within[cell] as number)
    }
    own.wide = own.clean
    return column
  })
}

/** A panel whose rows, ST marks and delistings after a decision are noise too; it is perturbed further from one cut to the next. */
export function perturber<C extends string>(panel: Panel<C>, decideAt: DecideAt): (cut: number) => Panel<C> {
  const cutsSoFar: number[] = []
  const cols = noisyColumns(panel, decideAt, cutsSoFar)
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const [present, marked] = [panel.present.slice(), panel.marked?.slice()]
  let cleanDays = panel.days.length
  return (cut) => {
    cutsSoFar.push(cut)
    present.fill(1, (cut + 1) * width)
    const day = Math.floor(cut / perDay) + 1
    for (let cell = day * width; marked && cell < cleanDays * width; cell++) marked[cell] = 1 - (marked[cell] as number)
    cleanDays = day
    const isKnown = ({ end }: PanelInstrument): boolean => !end || end.day < day
    const instruments = panel.instruments.map((one) => (isKnown(one) ? one : { ...one, end: undefined }))
    const cashflows = panel.cashflows?.filter((one) => one.day < day)
    return new Panel<C>({ ...panel, cols, present, marked, instruments, cashflows })
  }
}
