import { chances } from '../../../helper/chance.js'

/** One series of bars, as it is sent. */
export interface Bars {
  readonly amount: Float64Array
  readonly vol: Float64Array
  readonly factor: number
}

type Draw = () => number

/** A whole number below a limit of up to 2^53. */
function below(draw: Draw, limit: number): number {
  const part = (Math.floor(draw() * 2 ** 27) * 2 ** 26 + Math.floor(draw() * 2 ** 26)) / 2 ** 53
  return Math.floor(part * Math.floor(limit))
}

const bits = (draw: Draw, least: number, most: number): number => 2 ** (least + draw() * (most - least))

const factorsDrawn = [1, 10, 100] as const
const factorOf = (draw: Draw): number => factorsDrawn[below(draw, 3)] ?? 1

function bars(draw: Draw, length: number, of: (i: number) => readonly [amount: number, vol: number]): Bars {
  const [amount, vol] = [new Float64Array(length), new Float64Array(length)]
  for (let i = 0; i < length; i++) [amount[i], vol[i]] = of(i) as [number, number]
  return { amount, vol, factor: factorOf(draw) }
}

/** What a market sends: lots and cents, some bars without a trade, some lots without a turnover. */
function plain(draw: Draw): Bars {
  const [price, factor] = [1 + below(draw, 400_000), factorOf(draw)]
  const size = bits(draw, 1, 22)
  const one = bars(draw, draw() < 0.5 ? 9 : 17, () => {
    const kind = draw()
    if (kind < 0.08) return [0, 0]
    const vol = below(draw, size)
    return [kind < 0.1 ? below(draw, 100) / 100 : Math.round(vol * factor * price * (0.99 + draw() / 50)) / 1000, vol]
  })
  return { ...one, amount: one.amount.map((x) => Math.round(x * 100) / 100), factor }
}

/** Every cumulative value lies exactly on half a thousandth: amount = (2 k + 1) x vol x factor / 2000 in whole cents. */
function ties(draw: Draw): Bars {
  const factor = factorOf(draw)
  const k = below(draw, 90_000)
  const one = bars(draw, 9, () => {
    const vol = 20 * below(draw, 3000)
    return [((2 * k + 1) * vol * factor) / 2000, vol]
  })
  return { ...one, factor }
}

/**
 * One bar a hair beside half a thousandth: 20 cents = (2 k + 1) vol + 1 or - 1, with 10 cents up to a limit, so that the
 * quotient is as near to a half as two whole numbers of that size allow.
 */
export function besideTie(draw: Draw, most: number): Bars {
  let vol = 2 * Math.floor(bits(draw, 1, Math.log2(most)) / 2) + 1
  while (vol % 5 === 0) vol += 2
  const quotient = Math.floor(most / vol)
  let odd = 2 * Math.floor(quotient - draw() * Math.min(quotient, 1000)) + 1
  const wanted = draw() < 0.5 ? 1n : 19n
  const step = odd > 30 ? -2 : 2
  while ((BigInt(odd) * BigInt(vol)) % 20n !== wanted) odd += step
  const product = BigInt(odd) * BigInt(vol)
  const cents = Number((wanted === 1n ? product - 1n : product + 1n) / 20n)
  return { amount: Float64Array.of(cents / 100), vol: Float64Array.of(vol), factor: 1 }
}

/** Turnovers to 10^13 with cents and volumes to 10^10: sums within the limits of the fast way, at them, and beyond. */
function large(draw: Draw): Bars {
  const [amount, vol] = [bits(draw, 30, 49.9), bits(draw, 1, 33.2)]
  return bars(draw, draw() < 0.5 ? 9 : 17, () => [below(draw, amount) / 100, below(draw, vol)])
}

/** Numbers of all the digits that a double has, and volumes that are not whole. */
function noise(draw: Draw): Bars {
  const [amount, vol] = [bits(draw, 1, 40), bits(draw, 1, 30)]
  const whole = draw() < 0.5
  return bars(draw, 9, () => [draw() * amount, draw() < 0.1 ? 0 : whole ? below(draw, vol) : draw() * vol])
}

/** More than two decimals, tied at the fourth. */
function fine(draw: Draw): Bars {
  const places = 10 ** (3 + below(draw, 4))
  return bars(draw, 9, () => [below(draw, 1e9) / places, 1 + below(draw, 200)])
}

const kinds = { plain, ties, besideTie: (draw: Draw) => besideTie(draw, 2 ** 50), large, noise, fine }

export type Kind = keyof typeof kinds

/** Shares of the series by kind, added up. */
const shares: readonly (readonly [Kind, number])[] = [
  ['plain', 0.35],
  ['ties', 0.45],
  ['besideTie', 0.85],
  ['large', 0.97],
  ['noise', 0.985],
  ['fine', 1],
]

/** Series without end; the same ones for the same seed. */
export function* seriesWithoutEnd(seed: number): Generator<{ readonly kind: Kind; readonly bars: Bars }> {
  const draw = chances(seed)
  while (true) {
    const at = draw()
    const kind = shares.find(([, end]) => at < end)?.[0] ?? 'plain'
    yield { kind, bars: kinds[kind](draw) }
  }
}
