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

/**
 * Lets go of all that an archive names and that is missing or damaged, in one step. A damaged file stays beside it, under its
 * name with `.damaged` at the end. A cache releases all that it keeps of the dataset, and asks again.
 * @throws QuotebookError USAGE where there is no archive, ARCHIVE for a file that is there and can not be read
 */
export async function repairArchive(place: ArchivePlace): Promise<readonly LostFile[]> {
  const store = storeOf(place)
  if (!(await store.read())) throw noArchive(store, 'USAGE')
  const writer = await ArchiveWriter.open(store)
  const lost: LostFile[] = []
  const check = async (about: Omit<LostFile, 'why'>, read: () => Promise<unknown>, drop: () => void): Promise<void> => {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof LostFileError)) throw error
      lost.push({ ...about, why: error.what })
      drop()
    }
  }
  try {
    const { datasets, ticks } = writer.manifest
    for (const [dataset, { parts, kept, revised = [] }] of Object.entries(datasets)) {
      const read = (part: PartEntry) => (): Promise<unknown> => store.readPart(datasetOf(dataset), part)
      const about = ({ file, from, to, rows }: PartEntry) => ({ dataset, file, from, to, rows })
      for (const part of parts)
        await check({ ...about(part), voided: kept !== undefined }, read(part), () => writer.dropPart(dataset, part))
      for (const part of revised)
        await check({ ...about(part), revisions: true }, read(part), () => writer.dropRevised(datasetOf(dataset), part))
    }
    for (const { day, file, rows, sha256 } of ticks) {
      const about = { dataset: 'ticks', file, from: day, to: day, rows }
      await check(
        about,
        () => store.verify(file, sha256),
        () => writer.dropTicks(day),
      )
    }
    for (const { file } of lost) await store.putAside(file)
  } catch (error) {
    await writer.abort()
    throw error
  }
  await (lost.length > 0 ? writer.commit() : writer.abort())
  return lost
}
