import type { ArchiveTables } from './archive-tables.js'
import { commitsTable, type ManifestCommits } from './manifest-commits.js'

/** Seconds for which a state that gave way may still be read, and after which what no state names is that of a writer that has gone. */
export const sweepAges = { readable: 600, abandoned: 86_400 }

/**
 * Lets go of states that gave way ten minutes ago, with what the next one dropped, and of what writers that were killed left a
 * day ago.
 * @param named partitions that the present state names
 */
export async function sweepTables(
  tables: ArchiveTables,
  commits: ManifestCommits,
  named: ReadonlySet<string>,
  { readable, abandoned } = sweepAges,
): Promise<void> {
  const views = await commits.views()
  const pending = new Set<string>()
  const found = await tables.partitions()
  const left = found.filter(({ partition, age }) => age > abandoned && !named.has(partition))
  for (const [at, view] of views.entries()) {
    const next = views[at + 1]
    if (!next || (view.replaced < readable && left.length === 0)) continue
    const dropped = await commits.left(next.number)
    if (view.replaced < readable) {
      for (const { partition } of dropped) pending.add(partition)
      continue
    }
    for (const place of dropped) await tables.drop(place).catch(() => undefined)
    const row = await commits.rowOf(view.number)
    await commits.drop(view.name)
    if (row !== undefined) await tables.drop({ table: commitsTable, partition: row })
  }
  const numbers = new Set((await commits.views()).map(({ number }) => number))
  for (const place of left) {
    const isOfState = place.table === commitsTable && numbers.has(Number(place.partition.split(' ')[0]))
    if (!isOfState && !pending.has(place.partition)) await tables.drop(place).catch(() => undefined)
  }
}
