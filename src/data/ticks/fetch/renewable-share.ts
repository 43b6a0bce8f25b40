import { ShareEndedError, type TickShare } from '../share/file-share.js'

/** Fresh shares that one piece of work may ask for. */
const most = 3

/** A share that is replaced when it has ended. */
export class RenewableShare {
  readonly #ask: () => Promise<TickShare>
  #current: Promise<TickShare> | undefined
  #isFruitless = false
  #spent: ShareEndedError | undefined

  /** @param ask for a share: the first, and a fresh one each time that it has ended */
  constructor(ask: () => Promise<TickShare>) {
    this.#ask = ask
  }

  /** What a fresh share ended with that was good for nothing: no other will be. */
  get spent(): ShareEndedError | undefined {
    return this.#spent
  }

  /** Bytes have come: the share is good for something. */
  progress(): void {
    this.#isFruitless = false
  }

  /**
   * Works with the share; when it has ended, once more with a fresh one.
   * @throws ShareEndedError when a fresh share has ended before any byte came by it
   */
  async use<T>(work: (share: TickShare) => Promise<T>): Promise<T> {
    for (let renewals = 0; ; renewals++) {
      if (this.#spent) throw this.#spent
      const share = this.#latest()
      try {
        return await work(await share)
      } catch (error) {
        if (!(error instanceof ShareEndedError) || renewals === most) throw error
        // Whoever comes first asks; the others find the fresh one.
        if (this.#current !== share) continue
        if (this.#isFruitless) {
          this.#spent = error
          throw error
        }
        this.#isFruitless = true
        this.#current = undefined
      }
    }
  }

  /** A share that could not be had is asked for again by whoever comes next. */
  #latest(): Promise<TickShare> {
    const share = this.#current ?? this.#ask()
    if (share === this.#current) return share
    this.#current = share
    share.catch(() => {
      if (this.#current === share) this.#current = undefined
    })
    return share
  }
}
