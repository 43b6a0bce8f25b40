import { EndedError } from '../share/error.js'
import type { Share } from '../share/share.js'

/** Fresh shares that one piece of work may ask for. */
const most = 3

/** A share that is replaced when it has ended. */
export interface Renewable {
  /**
   * Works with the share; when it has ended, once more with a fresh one.
   * @throws EndedError when a fresh share has ended before any byte came by it
   */
  use<T>(work: (share: Share) => Promise<T>): Promise<T>
  /** Bytes have come: the share is good for something. */
  progress(): void
  /** What a fresh share ended with that was good for nothing: no other will be. */
  readonly spent: EndedError | undefined
}

/** @param ask for a share: the first, and a fresh one each time that it has ended */
export function renewable(ask: () => Promise<Share>): Renewable {
  let held: { readonly share: Promise<Share> } | undefined
  let isFruitless = false
  let spent: EndedError | undefined

  /** A share that could not be had is asked for again by whoever comes next. */
  function now(): { readonly share: Promise<Share> } {
    if (held) return held
    const asked = { share: ask() }
    held = asked
    asked.share.catch(() => {
      if (held === asked) held = undefined
    })
    return asked
  }

  /** Whoever comes first asks; the others find the fresh one. */
  function renew(ended: { readonly share: Promise<Share> }, error: EndedError): void {
    if (held !== ended) return
    if (isFruitless) {
      spent = error
      throw error
    }
    isFruitless = true
    held = undefined
  }

  return {
    async use(work) {
      for (let renewals = 0; ; renewals++) {
        if (spent) throw spent
        const lent = now()
        try {
          return await work(await lent.share)
        } catch (error) {
          if (!(error instanceof EndedError) || renewals === most) throw error
          renew(lent, error)
        }
      }
    },
    progress() {
      isFruitless = false
    },
    get spent() {
      return spent
    },
  }
}
