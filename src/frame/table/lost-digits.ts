import { sentence, type Words } from '../../contract/sentence.js'
import type { RecordColumns } from './values.js'

/** A number of a reply that JSON has rounded, and where it stands: beyond 2^53 whole numbers fall together. */
export function lostDigits({ columns }: RecordColumns): { message: Words; field: string; row: number } | undefined {
  const most = Number.MAX_SAFE_INTEGER
  for (const [field, values] of columns) {
    if (values.type !== 'float') continue
    const { data } = values
    for (let row = 0; row < data.length; row++) {
      if (!(Math.abs(data[row] as number) > most)) continue
      const message = sentence`row ${row + 1}: ${field} must be within 2^53, beyond which digits are lost, not ${data[row]}`
      return { message, field, row }
    }
  }
  return undefined
}
