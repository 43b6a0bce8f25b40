import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../archive/file-access.js'

/** File of an archive that is there while a sync has not come to its end. */
const file = '.unfinished-sync'
/** Milliseconds for which what was heard of a day that may still change counts for the sync that goes on. */
const believed = 15 * 60_000

/** What must be the same for a sync to go on from one that was killed. */
export interface SyncStamp {
  readonly source: string
  /** Latest day that the source shows; a day that settles makes void what was heard. */
  readonly latest: string
  readonly today: string
  /** State of the archive behind the source, where it tells. */
  readonly state: string | undefined
}

/** What the file says: the stamp, and when the first sync with it began, in milliseconds since 1970. */
interface Unfinished {
  readonly stamp: string
  readonly began: number
}

async function readUnfinished(dir: string): Promise<Partial<Unfinished>> {
  try {
    return JSON.parse(await readFile(join(dir, file), 'utf8')) as Unfinished
  } catch {
    return {}
  }
}

/**
 * The moment from which on an answer about a day that may still change was heard by the sync that goes on, in milliseconds since
 * 1970; undefined for a sync that begins anew.
 */
export async function heardSince(dir: string, stamp: SyncStamp, now: number): Promise<number | undefined> {
  const { stamp: before, began = 0 } = await readUnfinished(dir)
  return before === JSON.stringify(stamp) && began <= now ? Math.max(began, now - believed) : undefined
}

/** Says that a sync has begun; one that goes on counts from the beginning of the one that was killed. */
export async function beginSync(dir: string, stamp: SyncStamp, began: number): Promise<void> {
  const text = JSON.stringify(stamp)
  const { stamp: before } = await readUnfinished(dir)
  if (before !== text) await writeFileAtomically(join(dir, file), JSON.stringify({ stamp: text, began }))
}

/** Folder in which versions up to manifest format 2 kept the replies to a sync that was killed. */
const olderFolder = '.resume'

/** Says that it has come to its end. */
export async function endSync(dir: string): Promise<void> {
  await rm(join(dir, file), { force: true })
  await rm(join(dir, olderFolder), { recursive: true, force: true })
}
