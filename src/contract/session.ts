/** Closing minutes of the buckets of a trading day; the first holds the opening auction. */
function buckets(step: number): string[] {
  const closes = (from: number, to: number): string[] => {
    const out: string[] = []
    for (let at = from; at <= to; at += step) {
      out.push(String(Math.floor(at / 60)).padStart(2, '0') + String(at % 60).padStart(2, '0'))
    }
    return out
  }
  return [...closes(9 * 60 + 30, 11 * 60 + 30), ...closes(13 * 60 + step, 15 * 60)]
}

/** Bucket closes of a period: 17 for `15m`, 9 for `30m`. Sessions are 0930 to 1130 and 1301 to 1500. */
export const bucketCloses: Readonly<Record<'15m' | '30m', readonly string[]>> = {
  '15m': buckets(15),
  '30m': buckets(30),
}

/** First day whose minute bars all carry a vwap; before it, null may stand for "not backfilled" (section 2.6). */
export const vwapSince = '20250821'

/** Units in a lot, the factor of the vwap rule: 10 bonds, 100 ETF units. */
export const lotFactor: Readonly<Record<'convertible_minute' | 'etf_minute', number>> = {
  convertible_minute: 10,
  etf_minute: 100,
}
