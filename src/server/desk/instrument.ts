import { allDatasets } from '../../contract/catalogue.js'
import { kindsOfNumber } from '../../contract/code-spelling.js'
import type { CodeKind } from '../../contract/dataset.js'
import { type NamedCode, wholeCode } from '../../contract/fitting-names.js'
import { parseCode } from '../../contract/symbol.js'
import type { DeskVisit } from './desk-visit.js'

/** What a code of an address is of; its name where the latest rows of the archive tell one. */
export interface DeskInstrument {
  readonly code: string
  readonly kind: CodeKind
  readonly name: string | undefined
}

/** Every code that the latest rows of the archive name. */
export function namedCodes({ market, once }: DeskVisit): Promise<readonly NamedCode[]> {
  return once('names', () => market.find(''))
}

/** The codes of some kinds that the latest rows name: of one kind they are read sooner than of all. */
export async function namedOf({ market, once }: DeskVisit, kinds: readonly CodeKind[]): Promise<readonly NamedCode[]> {
  const all = kinds.flatMap((kind) => allDatasets().find(({ instruments }) => instruments === kind)?.name ?? [])
  const found = all.map((dataset) => once(`names ${dataset}`, () => market.find('', { dataset })))
  return (await Promise.all(found)).flat()
}

/** The instrument of a code, with or without its exchange; undefined of a text that can be no code. */
export async function instrumentOf(visit: DeskVisit, text: string): Promise<DeskInstrument | undefined> {
  const { bare, exchange } = parseCode(text.toUpperCase())
  const knownOf = (all: readonly NamedCode[]): NamedCode | undefined => {
    const same = all.filter(({ code }) => parseCode(code).bare === bare)
    return same.find(({ code }) => code === text.toUpperCase()) ?? (exchange ? undefined : same[0])
  }
  const kinds = /^\d{5}$/.test(bare) ? ['hk' as const] : kindsOfNumber(bare)
  // Numbers of stocks all fit their kind, and names of stocks take longest to read; indices have codes of their own.
  const others: readonly CodeKind[] = /\d/.test(bare) ? ['index', 'bond', 'fund', 'hk'] : ['index']
  const known = knownOf(await namedOf(visit, kinds.length > 0 ? kinds : others))
  if (known) return { code: known.code, kind: known.instrument, name: known.name }
  const [kind] = kinds
  return kind && { code: wholeCode(text.toUpperCase(), kind), kind, name: undefined }
}

/** Named codes near a text: those that it is a part of, or whose code is a digit away. */
export async function nearInstruments(visit: DeskVisit, text: string, most = 8): Promise<readonly NamedCode[]> {
  const { bare } = parseCode(text)
  const all = await namedCodes(visit)
  const apart = (code: string): number => {
    const own = parseCode(code).bare
    return own.length === bare.length ? [...own].filter((digit, at) => digit !== bare[at]).length : 9
  }
  const ranked = all.map((one) => ({ one, apart: one.name.includes(text) ? 0 : apart(one.code) }))
  const near = ranked.filter(({ apart: by }) => by < Math.max(2, bare.length / 2)).sort((a, b) => a.apart - b.apart)
  const seen = new Set<string>()
  return near.flatMap(({ one }) => (seen.has(one.code) || !seen.add(one.code) ? [] : one)).slice(0, most)
}
