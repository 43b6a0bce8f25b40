/*
 * Coefficients of algorithm AS 241, PPND16: M. J. Wichura, The Percentage Points of the Normal Distribution, Applied
 * Statistics 37 (1988), 477-484. Highest power first. Relative error about 1e-16. Not simple-statistics' `probit`, which is
 * off in the third decimal.
 */
const near = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
] as const
const middle = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
] as const
const far = [
  [
    2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
] as const

function ratio([above, below]: readonly [readonly number[], readonly number[]], x: number): number {
  const at = (coefficients: readonly number[]): number => coefficients.reduce((sum, one) => sum * x + one, 0)
  return at(above) / at(below)
}

/** The number below which a standard normal variable lies with probability `p`, 0 < p < 1. */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * ratio(near, 0.180625 - q * q)
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  const size = r <= 5 ? ratio(middle, r - 1.6) : ratio(far, r - 5)
  return q < 0 ? -size : size
}

/**
 * The probability that a standard normal variable is below `x`: its Taylor series near the middle (Marsaglia, Evaluating the
 * Normal Distribution, 2004), Laplace's continued fraction in the tails. Relative error below 1e-12 down to -37. Not
 * simple-statistics' `cumulativeStdNormalProbability`, which reads a table of four digits.
 */
export function normalProbability(x: number): number {
  const size = Math.abs(x)
  const density = Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI)
  if (size < 3) {
    let [term, sum] = [x, x]
    for (let k = 3; sum + term !== sum; k += 2) {
      term *= (x * x) / k
      sum += term
    }
    return 0.5 + sum * density
  }
  let fraction = size
  for (let k = 150; k > 0; k--) fraction = size + k / fraction
  return x < 0 ? density / fraction : 1 - density / fraction
}
