import { type Law, type Meaning, open } from '../../checks/law.js'

/** A row of `equal` that has no number on either side; told apart from the others in what is shown. */
export const bothMissing = 'equal, both missing'

const nothingCompared = open('No number was sent and none can be recomputed. Nothing is compared.')

/** What a verdict means, in plain words. One that is not known counts as open. */
export function meaningOf({ meanings }: Law, verdict: string): Meaning {
  if (verdict === bothMissing) return nothingCompared
  return (Object.hasOwn(meanings, verdict) ? meanings[verdict] : undefined) ?? open('')
}
