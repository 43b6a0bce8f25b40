import { Bucket } from '../../source/transport/bucket.js'

/** Share of a minute's requests that may come at once after a rest: ten seconds' worth. */
const share = 1 / 6

/** Requests that a key may send at once after a rest: a sixth of its rate, at least 1. */
export function burstOf(rate: number): number {
  return Math.max(1, Math.floor(rate * share))
}

/** How often one key may ask: in any window no more than burst + rate × minutes. */
export interface Rate {
  /** 0 when a request at `now` is let in, and counts; otherwise the whole seconds after which one would be. `now`: ms. */
  take(now: number): number
}

/** @param rate requests a minute; null: as many as come */
export function rateOf(rate: number | null): Rate {
  if (rate === null) return { take: () => 0 }
  const bucket = new Bucket({ perSecond: rate / 60, burst: burstOf(rate), concurrent: Infinity })
  return {
    take(now) {
      const readyAt = bucket.readyAt()
      if (readyAt <= now) {
        bucket.start(now)
        bucket.end()
        return 0
      }
      const seconds = Math.floor((readyAt - now) / 1000)
      return now + seconds * 1000 < readyAt ? seconds + 1 : seconds
    },
  }
}
