import type { IncomingMessage } from 'node:http'
import { messageOf } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { RefusedError } from './refused-error.js'

/** What a key entitles to (section 4.13). */
export const plans = ['free', 'professional', 'flagship'] as const
export type KeyPlan = (typeof plans)[number]

/** Who asks, once the key is known. */
export interface Caller {
  /** Name of the key in the key file; never the key. */
  readonly name: string
  readonly plan: KeyPlan
}

/** Decides who may ask, and how often. */
export interface Authenticator {
  /** Any text is a key, so that nobody has to be asked for one. */
  readonly acceptsAnyKey?: true
  /**
   * At once, unless another process or machine has to be asked how often the key has come.
   * @throws RefusedError of a key that is not good, or comes too often
   */
  authenticate(apikey: string): Caller | Promise<Caller>
}

/** What refuses a key. */
export function badKey(message: Words): RefusedError {
  return new RefusedError(401, message, { code: 403, headers: { 'www-authenticate': 'Bearer' } })
}

const anyone: Caller = { name: 'anyone', plan: 'flagship' }

/** Lets in whoever brings a key, whatever it is: for a service without a key file, on this machine only. */
export function acceptAnyKey(): Authenticator {
  return {
    acceptsAnyKey: true,
    authenticate: (apikey) => {
      if (apikey === '') throw badKey(sentence`apikey is missing or empty; any text will do here`)
      return anyone
    },
  }
}

/** Lets in a request that carries its key in a header, `Authorization: Bearer KEY`. @throws RefusedError */
export async function admitByHeader(
  authenticator: Authenticator,
  { headers: { authorization = '' } }: IncomingMessage,
): Promise<Caller> {
  const key = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1] ?? (authenticator.acceptsAnyKey ? 'anyone' : '')
  try {
    return await authenticator.authenticate(key)
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 401) throw error
    throw badKey(sentence`${messageOf(error)}; send Authorization: Bearer KEY`)
  }
}
