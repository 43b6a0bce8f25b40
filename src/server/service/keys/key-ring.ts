import { beijingTime } from '../../../contract/date.js'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { type Clock, realClock, wallTime } from '../../../data/source/transport/clock.js'
import { TokenBucket } from '../../../data/source/transport/rate-limiter.js'
import { type Authenticator, badKey, type Caller } from '../authenticator.js'
import { RefusedError } from '../refused-error.js'
import { expiryTime, hashOfKey, type KeyEntry, parseKeys, readKeyFileText } from './key-file.js'

/** Requests that a key may send at once after a rest: a sixth of its rate, at least 1. */
export function burstOf(rate: number): number {
  return Math.max(1, Math.floor(rate / 6))
}

/** How often one key may ask: in any window no more than burst + rate × minutes. */
export interface RateLimit {
  /** 0 when a request at `now` is let in, and counts; otherwise the whole seconds after which one would be. `now`: ms. */
  take(now: number): number
}

/** A limit that more than this process keeps to: it may have to be asked for. */
export interface SharedLimit {
  take(now: number): number | Promise<number>
}

/** The limit of a key. `id`: no secret, the same for the same key and rate in every process and machine. */
export type LimitOf = (id: string, rate: number) => SharedLimit

/** @param rate requests a minute; null: as many as come */
export function rateLimit(rate: number | null): RateLimit {
  if (rate === null) return { take: () => 0 }
  const bucket = new TokenBucket({ perSecond: rate / 60, burst: burstOf(rate), concurrent: Infinity })
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

export interface KeyRingOptions {
  /** Milliseconds since 1970, for expiry. */
  readonly time?: () => number
  /** Milliseconds of a clock that never goes back, for rates and for looking at the file. */
  readonly clock?: Pick<Clock, 'now'>
  /** Where rates are kept. Default: in this process. */
  readonly limitOf?: LimitOf | undefined
  /** The file has become unreadable, wrong or is gone: called once for each fault; the keys read before stay in force. */
  readonly onFault?: (fault: QuotebookError) => void
  /** Other keys than before are in force, or the file is good again. `keys`: how many it holds. */
  readonly onRead?: (keys: number) => void
}

interface ActiveKey {
  readonly entry: KeyEntry
  readonly limit: SharedLimit
}

/** How often the file is looked at, at most, ms. */
const lookInterval = 1000
/** Longer texts are no keys, and not worth hashing. */
const maxKeyLength = 1024

/** Identifies a rate limit over changes of the file: the same key at the same rate. */
function rateId({ sha256, rate }: KeyEntry): string {
  return `${sha256} ${rate}`
}

/**
 * Lets in the keys of a key file. The file is looked at again when a second has passed, by the first request then, so that
 * keys that are added, changed or revoked count without a restart; what a key has used up of its rate stays used up. A
 * file that is wrong or gone opens no door and closes none: the keys read last stay in force, and `onFault` says so.
 *
 * A key is looked up by its sha256: how long that takes can at most tell of hashes, which open nothing.
 *
 * A missing key, a key that is not good and one that has expired are told apart; whoever sends an expired key had it.
 * Unknown keys are not slowed down: a guesser has 2^256 keys of `quotebook keys add` before him, and no address of his is known
 * here. A hash of a short word, written into the file by hand, has no such protection.
 */
export class KeyRing implements Authenticator {
  readonly #file: string
  readonly #options: Required<Pick<KeyRingOptions, 'time' | 'clock'>> & KeyRingOptions
  /** By their sha256. */
  #keys: ReadonlyMap<string, ActiveKey> = new Map()
  #inForce: ReadonlyMap<string, string> = new Map()
  #text = ''
  #fault = ''
  #faultSince: string | undefined
  #nextLook: number

  /** @throws QuotebookError KEYS when the file is missing or not exactly a key file */
  constructor(file: string, options: KeyRingOptions = {}) {
    this.#file = file
    this.#options = { time: wallTime, clock: realClock, ...options }
    this.#nextLook = this.#options.clock.now() + lookInterval
    this.#use(this.#read())
  }

  authenticate(apikey: string): Caller | Promise<Caller> {
    const now = this.#options.clock.now()
    if (now >= this.#nextLook) this.#look(now)
    if (apikey === '') throw badKey(sentence`apikey is missing or empty`)
    const key = apikey.length > maxKeyLength ? undefined : this.#keys.get(hashOfKey(apikey))
    if (!key) throw badKey(sentence`apikey is not valid`)
    const { name, plan, expiry, rate } = key.entry
    if (this.#options.time() >= expiryTime(key.entry))
      throw badKey(sentence`apikey has expired; ${expiry} was its last day`)
    const admit = (retryAfter: number): Caller => {
      if (retryAfter === 0) return { name, plan }
      const message = sentence`too many requests: this key has ${rate} a minute; try again in ${retryAfter} s`
      throw new RefusedError(429, message, { headers: { 'retry-after': String(retryAfter) }, caller: name })
    }
    const retryAfter = key.limit.take(now)
    return retryAfter instanceof Promise ? retryAfter.then(admit) : admit(retryAfter)
  }

  /**
   * The keys of the file by their names, each as a text that no other key has, nor the same one in another plan. The same map
   * while they are the same.
   */
  inForce(): ReadonlyMap<string, string> {
    const now = this.#options.clock.now()
    if (now >= this.#nextLook) this.#look(now)
    return this.#inForce
  }

  /** Since when the file is wrong or gone, Beijing time; undefined while it is good. */
  faultSince(): string | undefined {
    this.inForce()
    return this.#faultSince
  }

  #read(): string {
    const text = readKeyFileText(this.#file)
    if (text !== undefined) return text
    throw new QuotebookError(
      'KEYS',
      sentence`${this.#file}: the key file does not exist; quotebook keys add NAME makes one`,
    )
  }

  #use(text: string): void {
    const before = new Map(Array.from(this.#keys.values(), ({ entry, limit }) => [rateId(entry), limit]))
    this.#keys = new Map(
      parseKeys(text, this.#file).map((entry) => {
        const limit = before.get(rateId(entry)) ?? this.#limitOf(entry)
        return [entry.sha256, { entry, limit }]
      }),
    )
    this.#inForce = new Map(
      Array.from(this.#keys.values(), ({ entry: { name, sha256, plan } }) => [name, `${sha256} ${plan}`]),
    )
    this.#text = text
  }

  #limitOf(entry: KeyEntry): SharedLimit {
    const { limitOf } = this.#options
    if (!limitOf || entry.rate === null) return rateLimit(entry.rate)
    return limitOf(hashOfKey(rateId(entry)).slice(0, 32), entry.rate)
  }

  /** A key file is short: reading it once a second is as cheap as any sign of change, and surer than all of them. */
  #look(now: number): void {
    this.#nextLook = now + lookInterval
    try {
      const text = this.#read()
      if (text === this.#text && this.#fault === '') return
      if (text !== this.#text) this.#use(text)
    } catch (error) {
      const what = String(messageOf(error))
      if (what === this.#fault) return
      this.#fault = what
      this.#faultSince ??= beijingTime(this.#options.time())
      const stay = sentence`the keys read before stay in force, also those that were to be revoked`
      this.#options.onFault?.(new QuotebookError('KEYS', sentence`${what}; ${stay}`))
      return
    }
    this.#fault = ''
    this.#faultSince = undefined
    this.#options.onRead?.(this.#keys.size)
  }
}
