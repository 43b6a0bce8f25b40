import { ShareEndedError, type TickShare } from '../share/file-share.js'

/** Fresh shares that one piece of work may ask for. */
const most = 3

/** A share that is replaced when it has ended. */
export interface RenewableShare {
  /**
   * Works with the share; when it has ended, once more with a fresh one.
   * @throws ShareEndedError when a fresh share has ended before any byte came by it
   */
  use<T>(work: (share: TickShare) => Promise<T>): Promise<T>
  /** Bytes have come: the share is good for something. */
  progress(): void
  /** What a fresh share ended with that was good for nothing: no other will be. */
  readonly spent: ShareEndedError | undefined
}

/** @param ask for a share: the first, and a fresh one each time that it has ended */
export function renewableShare(ask: () => Promise<TickShare>): RenewableShare {
  let current: Promise<TickShare> | undefined
  let isFruitless = false
  let spent: ShareEndedError | undefined

  /** A share that could not be had is asked for again by whoever comes next. */
  function latest(): Promise<TickShare> {
    if (current) return current
    const share = ask()
    current = share
    share.catch(() => {
      if (current === share) current = undefined
    })
    return share
  }

  return {
    async use(work) {
      for (let renewals = 0; ; renewals++) {
        if (spent) throw spent
        const share = latest()
        try {
          return await work(await share)
        } catch (error) {
          if (!(error instanceof ShareEndedError) || renewals === most) throw error
          // Whoever comes first asks; the others find the fresh one.
          if (current !== share) continue
          if (isFruitless) {
            spent = error
            throw error
          }
          isFruitless = true
          current = undefined
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
