import { grouped } from '../../show/markup.js'
import { decimalPlaces, roundHalfUp } from '../exact/decimal.js'
import {
  divide,
  everything,
  type Interval,
  intersect,
  middle,
  multiply,
  point,
  rounded,
  subtract,
} from '../exact/interval.js'
import type { Sums } from './lots.js'

/** The bars of a series as far as their sums are known, and what was published for them. */
export interface PublishedSums extends Sums {
  readonly given: Float64Array
  /** Places of the bars whose values are wrong without a known reason; rising. */
  readonly wrong: ReadonlySet<number>
}

/** The most by which a sum of some hundred doubles is off, relative to it. */
const drift = 2 ** -44

/** What each published value says of a turnover and of a volume too much. */
function excesses({ amount, vol, given, factor, lots }: PublishedSums): readonly (readonly [Interval, Interval])[] {
  const isRounded = factor !== 1 && vol.every(Number.isInteger)
  let [all, turnover, volume, bars] = [0, 0, 0, 0]
  return Array.from(given, (value, i) => {
    all += amount[i] as number
    volume += vol[i] as number
    if (vol[i] !== 0) turnover = all
    if (amount[i] !== 0 || vol[i] !== 0) bars++
    if (volume === 0 || !Number.isFinite(value)) return [everything, everything]
    const half = isRounded ? (lots === 'total' ? 1 : bars) / 2 : 0
    const price = multiply(rounded(value, Math.max(3, decimalPlaces(value))), point(factor))
    const traded = { lo: Math.max(0, volume - half), hi: volume + half }
    const sum = { lo: turnover * (1 - drift), hi: turnover * (1 + drift) }
    return [subtract(multiply(price, traded), sum), subtract(divide(sum, price), traded)]
  })
}

function numberText(x: number): string {
  return x < 1000 ? String(roundHalfUp(x, 2)) : grouped(Math.round(x))
}

/** The middle, and the ends where they are told from it. */
function textOf({ lo, hi }: Interval, units: 'yuan' | 'lots' | 'shares'): string {
  const [least, most] = (lo > 0 ? [lo, hi] : [-hi, -lo]).map(numberText)
  const amount = numberText(Math.abs(middle({ lo, hi })))
  const range = least === most ? '' : ` (${least} to ${most})`
  return `${amount} ${amount === '1' ? units.replace(/s$/, '') : units} too ${lo > 0 ? 'much' : 'little'}${range}`
}

/** The whole parts of a unit that all values say; undefined where there are none, or none is too much or too little. */
function shared(said: readonly (readonly [Interval, Interval])[], which: 0 | 1, parts: number): Interval | undefined {
  const common = said.reduce<Interval | undefined>((all, one) => all && intersect(all, one[which]), everything)
  if (!common) return undefined
  const [lo, hi] = [Math.ceil(common.lo * parts) / parts, Math.floor(common.hi * parts) / parts]
  return lo > hi || (lo <= 0 && hi >= 0) ? undefined : { lo, hi }
}

/**
 * The first wrong bar from which on one amount too much or too little in the turnover explains all values, or one number of
 * whole lots in the volume, and what they are. At least two wrong bars that traded show it.
 */
export function causeOf(bars: PublishedSums): readonly [first: number, text: string] | undefined {
  const all = excesses(bars)
  const traded = [...bars.wrong].filter((i) => bars.vol[i] !== 0)
  for (const first of bars.wrong) {
    if (bars.wrong.has(first - 1) || (traded.at(-2) ?? -1) < first) continue
    const after = all.slice(first)
    const [yuan, lots] = [shared(after, 0, 100), shared(after, 1, 1)]
    const said = [yuan && textOf(yuan, 'yuan'), lots && textOf(lots, bars.factor === 1 ? 'shares' : 'lots')]
    if (yuan || lots) return [first, said.filter(Boolean).join(' or ')]
  }
  return undefined
}
