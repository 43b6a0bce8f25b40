import type { Danfo } from './types.js'

let loaded: Promise<Danfo> | undefined

async function load(): Promise<Danfo> {
  const bundle: Danfo & { readonly default?: Danfo } = await import('#danfo')
  return bundle.default ?? bundle
}

/** danfo in double precision (see bundle.mjs), loaded on first use. */
export function danfo(): Promise<Danfo> {
  loaded ??= load()
  return loaded
}
