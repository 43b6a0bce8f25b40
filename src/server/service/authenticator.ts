import type { IncomingMessage } from 'node:http'
import { sentence, type Words } from '../../contract/sentence.js'

/** What a key entitles to (section 4.13). */
export const plans = ['free', 'professional', 'flagship'] as const
export type KeyPlan = (typeof plans)[number]

/** The key of a request that carries it in a header: `Authorization: Bearer KEY`; '' when there is none. */
export function bearerKey({ headers: { authorization = '' } }: IncomingMessage): string {
  return /^bearer +(\S+)\s*$/i.exec(authorization)?.[1] ?? ''
}

/** Who asks, once the key is known. */
export interface Caller {
  /** Name of the key in the key file; never the key. */
  readonly name: string
  readonly plan: KeyPlan
}

/** Whether a request is let in. `retryAfter`: whole seconds after which it would be; `name`: whose key it is. */
export type Admission =
  | { readonly caller: Caller }
  | { readonly refused: 'forbidden'; readonly message: Words }
  | { readonly refused: 'too many'; readonly message: Words; readonly retryAfter: number; readonly name?: string }

/** Decides who may ask, and how often. */
export interface Authenticator {
  /** Any text is a key, so that nobody has to be asked for one. */
  readonly acceptsAnyKey?: true
  /** At once, unless another process or machine has to be asked how often the key has come. */
  authenticate(apikey: string): Admission | Promise<Admission>
}

const anyone: Admission = { caller: { name: 'anyone', plan: 'flagship' } }
const missing: Admission = {
  refused: 'forbidden',
  message: sentence`apikey is missing or empty; any text will do here`,
}

/** Lets in whoever brings a key, whatever it is: for a service without a key file, on this machine only. */
export function acceptAnyKey(): Authenticator {
  return { acceptsAnyKey: true, authenticate: (apikey) => (apikey === '' ? missing : anyone) }
}
