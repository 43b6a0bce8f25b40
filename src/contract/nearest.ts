import { ParamsError } from './error.js'
import { sentence, type Words } from './sentence.js'

/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
export function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** Names are shorter; a longer word was meant for something else, and is not shown whole. */
const longest = 80

/** The name that was probably meant, or undefined when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const plain = (text: string): string => text.toLowerCase().replace(/[_\-\s]/g, '')
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const edits = editsBetween(plain(word), plain(name))
    if (edits < least) [best, least] = [name, edits]
  }
  return best
}

export const didYouMean = (near: string): Words => sentence`did you mean '${near}'?`

/** What an error says after a name that there is not: the one probably meant; where none is near all, or what is said instead. */
export function nameHint(word: string, names: readonly string[], instead?: Words): Words {
  const near = nearest(word, names)
  return near === undefined ? (instead ?? sentence`there are: ${names.join(', ')}`) : didYouMean(near)
}

/** What to throw for a name that there is not. @param owner what has the names, where `what` alone does not say it */
export function unknownName(
  field: string,
  word: string,
  names: readonly string[],
  what: Words,
  owner?: Words,
): ParamsError {
  const near = nearest(word, names)
  const hint = near === undefined ? sentence`It takes: ${names.join(', ')}.` : sentence`Did you mean '${near}'?`
  const shown = word.length > longest ? `${word.slice(0, longest)}…` : word
  const text =
    owner === undefined
      ? sentence`unknown ${what} '${shown}'. ${hint}`
      : `${what}` === 'value'
        ? sentence`unknown value of ${owner} '${shown}'. ${hint}`
        : sentence`unknown ${what} of ${owner} '${shown}'. ${hint}`
  return new ParamsError(field.slice(0, longest), text, near)
}
