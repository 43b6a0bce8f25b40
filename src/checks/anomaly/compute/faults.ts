import type { Force } from './in-force.js'
import { isBeyondLimit } from './judge.js'
import type { Path } from './path.js'
import type { Prices } from './prices.js'

function isPrice(x: number): boolean {
  return x > 0 && x < Number.POSITIVE_INFINITY
}

/** What is wrong with the numbers of a row; undefined for nothing. @param first of its stock */
export function faultOfRow({ close, pre, factor }: Prices, row: number, first: boolean): string | undefined {
  const price = close[row] as number
  if (!isPrice(price)) {
    return `close is ${price}: prices are above 0, and only additive adjustment makes them otherwise`
  }
  if (pre) {
    const before = pre[row] as number
    if (Number.isNaN(before)) return first ? undefined : 'pre_close is null'
    if (!isPrice(before)) return `pre_close is ${before}: prices are above 0`
  }
  if (factor) {
    const by = factor[row] as number
    if (Number.isNaN(by)) return 'adj_factor is null'
    if (!isPrice(by)) return `adj_factor is ${by}: factors are above 0`
  }
  return undefined
}

const [least, most] = [1e-100, 1e100]

/** The first day of a path whose close cannot be, and why; undefined for none. */
export function faultOfPath(
  prices: Prices,
  path: Path,
  forceOn: (at: number) => Force,
): { readonly at: number; readonly why: string } | undefined {
  for (let at = 0; at < path.length; at++) {
    const level = path.level[at] as number
    if (!(level > least && level < most))
      return { at, why: 'prices and factors are too large or small to be computed with' }
    if (at === 0 || path.row[at] === -1 || path.free[at] === 1) continue
    const close = prices.close[path.row[at] as number] as number
    const reference = path.reference[at] as number
    const force = forceOn(at)
    if (close <= reference * (1 + force.limit) && close >= reference * (1 - force.limit)) continue
    if (!isBeyondLimit({ prices, path, force, end: at, forecast: false })) continue
    const change = ((close / reference - 1) * 100).toFixed(2)
    const [from, limit] = [reference.toFixed(2), force.limitPercent]
    return {
      at,
      why: `close ${close} is ${change} % from ${from}, beyond the limit of ${limit} %: additive adjustment, an ex-right day without its factor, or a day without limit (option unlimited)`,
    }
  }
  return undefined
}
