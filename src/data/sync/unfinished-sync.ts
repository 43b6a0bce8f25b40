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

/** What a sync finds of one before it that has not come to its end. */
export interface Begun {
  /** Whether it goes on from there. */
  readonly goesOn: boolean
  /** From which moment on an answer about a day that may still change counts, in milliseconds since 1970; undefined where none does. */
  readonly heardSince: number | undefined
}

/** What the sync that goes on with a stamp has of the one that was killed. */
export async function begunBefore(dir: string, stamp: SyncStamp, now: number): Promise<Begun> {
  try {
    const { stamp: before, began } = JSON.parse(await readFile(join(dir, file), 'utf8')) as Unfinished
    const goesOn = before === JSON.stringify(stamp)
    return { goesOn, heardSince: goesOn && began <= now ? Math.max(began, now - believed) : undefined }
  } catch {
    return { goesOn: false, heardSince: undefined }
  }
}

/** Says that a sync has begun; one that goes on counts from the beginning of the one that was killed. */
export async function beginSync(dir: string, stamp: SyncStamp, began: number): Promise<void> {
  await writeFileAtomically(join(dir, file), JSON.stringify({ stamp: JSON.stringify(stamp), began }))
}

/** Folder in which versions up to manifest format 2 kept the replies to a sync that was killed. */
const olderFolder = '.resume'

/** Says that it has come to its end. */
export async function endSync(dir: string): Promise<void> {
  await rm(join(dir, file), { force: true })
  await rm(join(dir, olderFolder), { recursive: true, force: true })
}
