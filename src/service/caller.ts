/** What a key entitles to (section 4.13). */
export const plans = ['free', 'professional', 'flagship'] as const
export type Plan = (typeof plans)[number]

/** Who asks, once the key is known. */
export interface Caller {
  /** Name of the key in the key file; never the key. */
  readonly name: string
  readonly plan: Plan
}

/** Whether a request is let in. `retryAfter`: whole seconds after which it would be; `name`: whose key it is. */
export type Admission =
  | { readonly caller: Caller }
  | { readonly refused: 'forbidden'; readonly message: string }
  | { readonly refused: 'too many'; readonly message: string; readonly retryAfter: number; readonly name?: string }

/** Decides who may ask, and how often. */
export interface Doorkeeper {
  /** Any text is a key, so that nobody has to be asked for one. */
  readonly open?: true
  admit(apikey: string): Admission
}
