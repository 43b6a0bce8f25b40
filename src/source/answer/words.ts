import type { RecordColumns } from '../../table/values.js'

/** The distinct words that stand in rows of a column; a dictionary may hold more of them. */
export function distinctValues({ columns: of }: RecordColumns, name: string): readonly string[] {
  const values = of.get(name)
  if (values?.type !== 'dictionary') return []
  const used = new Uint8Array(values.dictionary.length)
  for (const code of values.data) if (code >= 0) used[code] = 1
  return values.dictionary.filter((_, code) => used[code] === 1)
}
