import { datasetOf } from '../../contract/catalogue.js'
import type { Words } from '../../contract/sentence.js'
import { manyRows } from '../../frame/table/parquet.js'
import { dayByCode } from './day-by-code.js'
import { contractVersion, emptyManifest, filesOf, isOutdated } from './manifest.js'
import type { DatasetEntry, PartEntry } from './manifest-entries.js'
import { LostFileError, OtherContractError } from './part-file.js'
import { type ArchiveStore, noArchive } from './store/archive-store.js'
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
  readonly why: Words
  /** What the file held, and so what is lost with it. */
  readonly held: Held
}

/**
 * `rows` that are there no more; `cached` rows, with all that the cache kept of the dataset, whose coverage can not be told without
 * them; `revisions`, without which nobody can tell what was known of their days before; a `copy` by code of rows that the files of
 * the days have too; a day that is `restored` from its month by code.
 */
type Held = 'rows' | 'cached' | 'revisions' | 'copy' | 'restored'

/** A dataset that was written under another declaration or by an earlier version, and what of it was written again. */
export interface RewrittenDataset {
  readonly dataset: string
  readonly files: number
  readonly rows: number
  /** Months of bars of which a file by code was made. */
  readonly months: number
}

/** Options of `repairArchive`. */
export interface RepairOptions {
  /**
   * Also rewrites what was written under another declaration of its dataset, and lets go of what can not be; and large files of
   * an earlier version, which are read slower; and makes the months of bars by code that are not there.
   */
  readonly rewrite?: boolean
  /** Called for each file before it is looked at. */
  readonly onProgress?: (done: number, of: number, what: string) => void
  /** Called for each dataset that was rewritten. */
  readonly onRewritten?: (one: RewrittenDataset) => void
}

/** A repair that is under way. */
interface Repair {
  readonly store: ArchiveStore
  readonly writer: ArchiveWriter
  readonly lost: LostFile[]
  readonly step: (what: string) => void
}

/** Reads all files of a dataset, and lets go of those that can not be read. @param isOld which of them are rewritten */
async function repairDataset(
  { store, writer, lost, step }: Repair,
  name: string,
  entry: DatasetEntry,
  isOld: (part: PartEntry) => boolean,
): Promise<Omit<RewrittenDataset, 'months'>> {
  const dataset = datasetOf(name)
  const { parts, kept, revised = [] } = entry
  const done = { dataset: name, files: 0, rows: 0 }
  for (const part of [...parts, ...revised]) {
    step(name)
    const { file, from, to, rows } = part
    const about = { dataset: name, file, from, to, rows }
    const isRevision = revised.includes(part)
    try {
      const own = await store.readPart(dataset, part)
      if (!isOld(part) || !(await writer.rewrite(dataset, part, own))) continue
      done.files++
      done.rows += rows
    } catch (error) {
      const again =
        error instanceof LostFileError && !isRevision ? await dayByCode(store, dataset, entry, part) : undefined
      if (again) {
        await writer.restore(part, again)
        lost.push({ ...about, why: (error as LostFileError).what, held: 'restored' })
      } else if (error instanceof LostFileError) {
        lost.push({ ...about, why: error.what, held: isRevision ? 'revisions' : kept ? 'cached' : 'rows' })
        isRevision ? writer.dropRevised(dataset, part) : writer.dropPart(name, part)
      } else if (!(error instanceof OtherContractError)) throw error
      else if (isOld(part)) {
        lost.push({ ...about, why: error.what, held: 'rows' })
        await writer.rewrite(dataset, part)
      }
    }
  }
  return done
}

/** Lets go of months by code of which a file is lost. */
async function repairByCode({ store, writer, lost, step }: Repair, name: string, { byCode = [] }: DatasetEntry) {
  for (const one of byCode) {
    const { file, rows, sha256 } = one
    step(name)
    try {
      await store.verify(file, sha256)
    } catch (error) {
      if (!(error instanceof LostFileError)) throw error
      lost.push({ dataset: name, file, from: undefined, to: undefined, rows, why: error.what, held: 'copy' })
      writer.dropByCode(name, one)
    }
  }
}

async function repairTicks({ store, writer, lost, step }: Repair): Promise<void> {
  for (const { day, file, rows, sha256 } of writer.manifest.ticks) {
    step('auction ticks')
    try {
      await store.verify(file, sha256)
    } catch (error) {
      if (!(error instanceof LostFileError)) throw error
      lost.push({ dataset: 'ticks', file, from: day, to: day, rows, why: error.what, held: 'rows' })
      writer.dropTicks(day)
    }
  }
}

/**
 * Lets go of all that an archive names and that is missing or damaged, in one step; a day of bars comes back from its month by code. A damaged file stays beside it, under its
 * name with `.damaged` at the end. A cache releases all that it keeps of the dataset, and asks again. Rewriting puts aside
 * likewise what can be no rows of the present declaration.
 * @throws QuotebookError USAGE where there is no archive, ARCHIVE for a file that is there and can not be read
 */
export async function repairArchive(
  place: ArchivePlace,
  { rewrite = false, onProgress, onRewritten }: RepairOptions = {},
): Promise<readonly LostFile[]> {
  const store = storeOf(place)
  if (!(await store.read())) throw noArchive(store, 'USAGE')
  const writer = await ArchiveWriter.open(store)
  const { datasets, format } = writer.manifest
  const of = filesOf(writer.manifest).size
  let done = 0
  const repair: Repair = { store, writer, lost: [], step: (what) => onProgress?.(done++, of, what) }
  const { lost } = repair
  const rewritten: RewrittenDataset[] = []
  try {
    for (const [name, entry] of Object.entries(datasets)) {
      const dataset = datasetOf(name)
      const isOld = ({ contract, rows }: PartEntry): boolean =>
        rewrite && (contract !== contractVersion(dataset) || (store.dir !== undefined && rows >= manyRows))
      const done = await repairDataset(repair, name, entry, isOld)
      const isOther = rewrite && isOutdated(dataset, entry)
      await repairByCode(repair, name, entry)
      const months = rewrite ? await writer.keepByCode(dataset) : 0
      if (isOther) writer.renew(dataset)
      if (isOther || done.files > 0 || months > 0) rewritten.push({ ...done, months })
    }
    await repairTicks(repair)
    for (const { file, held } of lost) if (held !== 'restored') await store.putAside(file)
  } catch (error) {
    await writer.abort()
    throw error
  }
  const isChanged = lost.length + rewritten.length > 0 || (rewrite && format !== emptyManifest.format)
  await (isChanged ? writer.commit() : writer.abort())
  for (const one of rewritten) onRewritten?.(one)
  return lost
}
