import type { Readings } from '../../contract/fitting-names.js'

/** Reads characters by pinyin, of a name as a whole first: 行 is h in 银行, and x where it stands alone. The dictionary is loaded with it. */
export async function nameReadings(): Promise<Readings> {
  const { pinyin } = await import('#pinyin')
  const known = new Map<string, readonly string[]>()
  const all = (character: string): readonly string[] => {
    const found =
      known.get(character) ?? pinyin(character, { pattern: 'first', toneType: 'none', type: 'array', multiple: true })
    known.set(character, found)
    return found
  }
  return (name) => {
    const own = pinyin(name, { pattern: 'first', toneType: 'none', type: 'array' })
    const characters = [...name]
    return own.map((letter, at) => [...new Set([letter, ...all(characters[at] ?? letter)])])
  }
}
