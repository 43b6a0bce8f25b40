import { datasetOf } from '../../contract/catalogue.js'
import type { PartEntry } from './manifest-entries.js'
import { LostFileError } from './part-file.js'
import { noArchive } from './store/archive-store.js'
import { type ArchivePlace, storeOf } from './store/store-of.js'
import { ArchiveWriter } from './writer.js'

/** A file of an archive that can not be read any more, and what it held. */
export interface LostFile {
  /** The name of a dataset, or `ticks`. */
  readonly dataset: string
  readonly file: string
  /** First and last day; undefined where its rows have none. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly rows: number
  readonly why: string
  /** Rows of a cache that went with it: what is covered can not be told without it. */
  readonly voided?: boolean
  /** Rows that had given way to others: what was known of their days before can not be told any more. */
  readonly revisions?: true
}

async function lossOf(what: Omit<LostFile, 'why'>, read: () => Promise<unknown>): Promise<LostFile[]> {
  try {
    await read()
    return []
  } catch (error) {
    if (!(error instanceof LostFileError)) throw error
    return [{ ...what, why: error.what }]
  }
}

/**
 * Lets go of all that an archive names and that is missing or damaged, in one step. A damaged file stays beside it, under its
 * name with `.damaged` at the end. A cache lets go of all that it keeps of the dataset, and asks again.
 * @throws QuotebookError USAGE where there is no archive, ARCHIVE for a file that is there and can not be read
 */
export async function repairArchive(place: ArchivePlace): Promise<readonly LostFile[]> {
  const store = storeOf(place)
  if (!(await store.read())) throw noArchive(store, 'USAGE')
  const writer = await ArchiveWriter.open(store)
  const lost: LostFile[] = []
  try {
    const { datasets, ticks } = writer.manifest
    for (const [dataset, { parts, kept, revised = [] }] of Object.entries(datasets)) {
      const lose = async (part: PartEntry, about: Pick<LostFile, 'voided' | 'revisions'>, drop: () => void) => {
        const { file, from, to, rows } = part
        const what = { dataset, file, from, to, rows, ...about }
        const losses = await lossOf(what, () => store.readPart(datasetOf(dataset), part))
        if (losses.length > 0) drop()
        lost.push(...losses)
      }
      for (const part of parts) await lose(part, { voided: kept !== undefined }, () => writer.dropPart(dataset, part))
      for (const part of revised)
        await lose(part, { revisions: true }, () => writer.dropRevised(datasetOf(dataset), part))
    }
    for (const { day, file, rows, sha256 } of ticks) {
      const losses = await lossOf({ dataset: 'ticks', file, from: day, to: day, rows }, () =>
        store.verify(file, sha256),
      )
      if (losses.length > 0) writer.dropTicks(day)
      lost.push(...losses)
    }
    for (const { file } of lost) await store.putAside(file)
  } catch (error) {
    await writer.abort()
    throw error
  }
  await (lost.length > 0 ? writer.commit() : writer.abort())
  return lost
}
