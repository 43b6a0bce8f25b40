import type { Dataset } from '../../contract/dataset.js'
import { type Covered, contractVersion, type DatasetEntry } from '../manifest.js'
import { type DayRanges, union } from './day-ranges.js'

/** What is known to be kept of a dataset and scope, as one manifest says it. */
export interface Coverage {
  /** Days of which every row is there. */
  readonly all: DayRanges
  /** Days of which every row of a code is there, by the code as it was asked for. */
  readonly codes: ReadonlyMap<string, DayRanges>
  /** Latest day that the service has shown. */
  readonly latest: string | undefined
}

const nothing: Coverage = { all: [], codes: new Map(), latest: undefined }

/** Whether what an entry says to be kept was written under the dataset's present declaration. */
export function isCurrent(dataset: Dataset, entry: DatasetEntry | undefined): boolean {
  return entry?.kept?.contract === contractVersion(dataset)
}

/** What an entry covers; nothing when it was written under another declaration of the dataset. */
export function coverageOf(dataset: Dataset, entry: DatasetEntry | undefined, scope: string): Coverage {
  if (!entry || (entry.kept && !isCurrent(dataset, entry))) return nothing
  let all: DayRanges = []
  const codes = new Map<string, DayRanges>()
  for (const part of entry.covered ?? []) {
    if (part.scope !== scope) continue
    if (part.symbols === 'all') all = union(all, part.days)
    else for (const code of part.symbols) codes.set(code, union(codes.get(code) ?? [], part.days))
  }
  return { all, codes, latest: entry.latest?.[scope] }
}

/** Codes by the days that they share, each list of codes once. */
function grouped(scope: string, codes: ReadonlyMap<string, DayRanges>): Covered[] {
  const lists = new Map<string, { days: DayRanges; symbols: string[] }>()
  for (const [code, days] of codes) {
    const name = days.join(' ')
    const list = lists.get(name)
    if (list) list.symbols.push(code)
    else lists.set(name, { days, symbols: [code] })
  }
  const all = [...lists.values()].map(({ days, symbols }) => ({ scope, symbols: symbols.sort(), days }))
  return all.sort((a, b) => ((a.symbols[0] as string) < (b.symbols[0] as string) ? -1 : 1))
}

/** The list of what is covered, with more days of one scope. */
export function extended(
  covered: readonly Covered[],
  scope: string,
  symbols: 'all' | readonly string[],
  days: DayRanges,
): readonly Covered[] {
  if (days.length === 0) return covered
  const others = covered.filter((part) => part.scope !== scope)
  let all: DayRanges = []
  const codes = new Map<string, DayRanges>()
  const add = (part: Omit<Covered, 'scope'>): void => {
    if (part.symbols === 'all') all = union(all, part.days)
    else for (const code of part.symbols) codes.set(code, union(codes.get(code) ?? [], part.days))
  }
  for (const part of covered) if (part.scope === scope) add(part)
  add({ symbols, days })
  const whole: Covered[] = all.length > 0 ? [{ scope, symbols: 'all', days: all }] : []
  return [...others, ...whole, ...grouped(scope, codes)].sort((a, b) =>
    a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0,
  )
}
