import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { beijingDay, dateOf, dayNumber, isDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { memoized } from '../../../data/archive/answer/memoized.js'
import type { KeyPlan } from '../authenticator.js'

/** Days of a share, `YYYYMMDD`, both included. */
export interface ShareDays {
  readonly from: string
  readonly to: string
}

/** Calendar days that the professional plan reaches back, today included (section 4.13). */
const professionalDays = 365

/**
 * The days of a year that a plan entitles to at a time; undefined when there are none.
 * @throws QuotebookError FORBIDDEN for the free plan, which has no shares
 */
export function entitledDays(plan: KeyPlan, year: number, time: number): ShareDays | undefined {
  if (plan === 'free') {
    throw new QuotebookError('FORBIDDEN', sentence`file_download needs a professional or flagship plan.`)
  }
  const [first, last] = [`${year}0101`, `${year}1231`]
  if (plan === 'flagship') return { from: first, to: last }
  const today = dayNumber(beijingDay(time))
  const from = Math.max(dayNumber(first), today - professionalDays + 1)
  const to = Math.min(dayNumber(last), today)
  return from <= to ? { from: dateOf(from), to: dateOf(to) } : undefined
}

/** What a link gives: the days it was made for, whoever holds it, until it expires. */
export interface ShareGrant extends ShareDays {
  /** Whom it was made for: see `ShareLinks.callersOf`. */
  readonly caller: string
  /** Seconds since 1970 from which the link is dead. */
  readonly expires: number
  readonly password: string
}

export interface ShareLink {
  /** The part of the path that stands for the share. No secret: it opens nothing without the password. */
  readonly token: string
  readonly password: string
  readonly expires: number
}

const tokenPattern = /^(\d{8})-(\d{8})-(\d{1,12})-([0-9a-f]{16})-[A-Za-z0-9_-]{43}$/
const signatureLength = 43

/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/**
 * Links of which nothing is stored: days, expiry and a hash of the caller stand in the token, signed with the secret;
 * the password is computed from them.
 */
export class ShareLinks {
  readonly #secret: Uint8Array
  readonly #half: number

  /**
   * @param secret at least 16 bytes; links live as long as it does
   * @param lifetime of a link in seconds, at least 2; one that is asked for has more than half of it left
   */
  constructor(secret: Uint8Array, lifetime: number) {
    this.#secret = secret
    this.#half = Math.floor(lifetime / 2)
  }

  /** The link of a caller for some days; the same one for half a lifetime. `time`: milliseconds since 1970. */
  issue(caller: string, { from, to }: ShareDays, time: number): ShareLink {
    const expires = (Math.floor(time / 1000 / this.#half) + 2) * this.#half
    const body = `${from}-${to}-${expires}-${this.#caller(caller)}`
    return { token: `${body}-${this.#sign('link', body)}`, password: this.#password(body), expires }
  }

  /** What a token of ours stands for, also when it has expired; undefined for any other text. */
  read(token: string): ShareGrant | undefined {
    const [, from = '', to = '', expires = '', caller = ''] = tokenPattern.exec(token) ?? []
    if (!isDate(from) || !isDate(to)) return undefined
    const body = token.slice(0, -signatureLength - 1)
    if (!sameSecret(token.slice(-signatureLength), this.#sign('link', body))) return undefined
    return { from, to, expires: Number(expires), caller, password: this.#password(body) }
  }

  /** Callers as links name them. */
  readonly callersOf = memoized(
    (callers: ReadonlyMap<string, string>): ReadonlySet<string> =>
      new Set(Array.from(callers.values(), (caller) => this.#caller(caller))),
  )

  #caller(caller: string): string {
    return this.#sign('caller', caller, 'hex').slice(0, 16)
  }

  #sign(purpose: string, text: string, encoding: 'base64url' | 'hex' = 'base64url'): string {
    return createHmac('sha256', this.#secret).update(`${purpose}\n${text}`).digest(encoding)
  }

  #password(body: string): string {
    return this.#sign('password', body).slice(0, 24)
  }
}

/** What the path of a request asks for. */
export interface SharePath {
  readonly token: string
  /** Name of a file; undefined for the folder. */
  readonly name: string | undefined
  /** The folder was named without the slash at its end. */
  readonly lacksSlash: boolean
}

const sharePath = /^\/share\/([A-Za-z0-9_-]{1,200})(?:\/([^/]{0,200}))?$/

/** A path of the form `/share/TOKEN/NAME`, read literally: nothing is joined, collapsed or normalised. Undefined otherwise. */
export function parseSharePath(url: string): SharePath | undefined {
  const [, token, encoded] = sharePath.exec(url.split('?', 1)[0] as string) ?? []
  if (token === undefined) return undefined
  if (!encoded) return { token, name: undefined, lacksSlash: encoded === undefined }
  try {
    return { token, name: decodeURIComponent(encoded), lacksSlash: false }
  } catch {
    return undefined
  }
}

/** The password of HTTP Basic credentials (RFC 7617), under any user name; undefined when there are none. */
export function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]*={0,2}) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : pair.slice(colon + 1)
}
