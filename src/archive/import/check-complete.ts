import type { Dataset } from '../../contract/dataset.js'
import { ImportError } from '../../contract/error.js'
import type { FileRows } from './read-rows.js'

const way = 'or import it as it is with --partial, and the archive will say that it may not be whole'

/** A reply with as many rows as a call may have: what came after them is not in it. */
function checkCap({ limit }: Dataset, { file, items, reply }: FileRows): void {
  if (!reply || limit.kind !== 'cap' || items.length < limit.rows) return
  throw new ImportError(
    file,
    `holds ${items.length} rows, the most a call gives: it may be cut. Split the query, ${way}`,
  )
}

interface Page {
  readonly from: number
  readonly to: number
}

/** Where the pages of one query leave rows out; undefined when they reach from the first to the last. */
function gapIn(pages: readonly Page[], total: number): string | undefined {
  let reached = 0
  for (const { from, to } of [...pages].sort((a, b) => a.from - b.from)) {
    if (from > reached) return `rows ${reached + 1} to ${from} of ${total}`
    reached = Math.max(reached, to)
  }
  return reached < total ? `rows ${reached + 1} to ${total} of ${total}` : undefined
}

/** Pages of replies that count their rows: together they must hold as many as they say there are. */
function checkPages(files: readonly FileRows[]): void {
  const pages = new Map<number, Page[]>()
  for (const { beside, items, reply } of files) {
    const { total, offset = 0 } = beside
    if (!reply || typeof total !== 'number' || typeof offset !== 'number') continue
    const page = { from: offset, to: offset + items.length }
    pages.set(total, [...(pages.get(total) ?? []), page])
  }
  for (const [total, list] of pages) {
    const gap = gapIn(list, total)
    if (gap)
      throw new ImportError(files.map(({ file }) => file).join(', '), `leaves out ${gap}. Give all pages, ${way}`)
  }
}

/**
 * Refuses replies that were cut off: at the row cap of a call, or before the `total` that they state.
 * @throws ImportError naming what is missing
 */
export function checkWhole(dataset: Dataset, files: readonly FileRows[]): void {
  for (const file of files) checkCap(dataset, file)
  if (dataset.limit.kind === 'page') checkPages(files)
}
