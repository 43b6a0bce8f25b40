import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import type { Window } from './window.js'

/** What a link gives: the days it was made for, whoever holds it, until it expires. */
export interface Grant extends Window {
  /** Seconds since 1970 from which the link is dead. */
  readonly expires: number
  readonly password: string
}

export interface Link {
  /** The part of the path that stands for the share. No secret: it opens nothing without the password. */
  readonly token: string
  readonly password: string
  readonly expires: number
}

/** Makes links and knows them again. */
export interface Links {
  /** The link of a caller for some days; the same one for half a lifetime. `time`: milliseconds since 1970. */
  issue(caller: string, window: Window, time: number): Link
  /** What a token of ours stands for, also when it has expired; undefined for any other text. */
  read(token: string): Grant | undefined
}

const shape = /^(\d{8})-(\d{8})-(\d{1,12})-[0-9a-f]{16}-[A-Za-z0-9_-]{43}$/
const macLength = 43

/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/**
 * Links that are remembered by nobody: days, expiry and a mark of the caller stand in the token, signed with the secret;
 * the password is computed from them.
 * @param secret at least 16 bytes; links live as long as it does
 * @param lifetime of a link in seconds, at least 2; one that is asked for has more than half of it left
 */
export function createLinks(secret: Uint8Array, lifetime: number): Links {
  if (secret.length < 16) throw new QuotebookError('USAGE', 'the secret of the shares must have at least 16 bytes')
  if (!Number.isSafeInteger(lifetime) || lifetime < 2) {
    throw new QuotebookError(
      'USAGE',
      `the lifetime of a share must be a whole number of seconds from 2, not ${lifetime}`,
    )
  }
  const half = Math.floor(lifetime / 2)
  const sign = (what: string, text: string): string =>
    createHmac('sha256', secret).update(`${what}\n${text}`).digest('base64url')
  const passwordOf = (body: string): string => sign('password', body).slice(0, 24)
  const markOf = (caller: string): string =>
    createHmac('sha256', secret).update(`caller\n${caller}`).digest('hex').slice(0, 16)

  return {
    issue(caller, { from, to }, time) {
      const expires = (Math.floor(time / 1000 / half) + 2) * half
      const body = `${from}-${to}-${expires}-${markOf(caller)}`
      return { token: `${body}-${sign('link', body)}`, password: passwordOf(body), expires }
    },
    read(token) {
      const [, from = '', to = '', expires = ''] = shape.exec(token) ?? []
      if (!isDate(from) || !isDate(to)) return undefined
      const body = token.slice(0, -macLength - 1)
      if (!sameSecret(token.slice(-macLength), sign('link', body))) return undefined
      return { from, to, expires: Number(expires), password: passwordOf(body) }
    },
  }
}
