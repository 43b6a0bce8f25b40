import { say } from './chosen-language.js'

/** `1 row`, `2 rows`. */
export function numbered(n: number, what: 'row' | 'file' | 'fault' | 'note' | 'other reason'): string {
  return n === 1 ? say(`one ${what}`) : say(`n ${what}s`, { n })
}
