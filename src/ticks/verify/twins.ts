import type { KeyFacts, RowCount } from './facts.js'

/** 53 bits of a text: equal texts have equal ones, and others all but never. */
function fingerprint(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

interface Found {
  rows: number
  first: string
}

/** Tells rows with the key of an earlier one apart: equal to it in all columns, or not. */
export function duplicateRows(keyText: (row: number) => string): {
  /** @param row from 1 */
  take(key: number, row: number, text: string): void
  facts(): Pick<KeyFacts, 'repeated' | 'differing'>
} {
  const seen = new Map<number, { readonly row: number; readonly print: number }>()
  const found: { repeated: Found | undefined; differing: Found | undefined } = {
    repeated: undefined,
    differing: undefined,
  }
  return {
    take(key, row, text) {
      const print = fingerprint(text)
      const before = seen.get(key)
      if (!before) {
        seen.set(key, { row, print })
        return
      }
      const kind = before.print === print ? 'repeated' : 'differing'
      found[kind] ??= { rows: 0, first: `${keyText(row)} in rows ${before.row} and ${row}` }
      found[kind].rows++
    },
    facts: () => found as { repeated: RowCount | undefined; differing: RowCount | undefined },
  }
}
