import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sentence, type Words } from '../../contract/sentence.js'
import { writeFileAtomically } from './file-access.js'
import { statusFile } from './manifest.js'

export interface FollowCounts {
  readonly runs: number
  /** Runs of which something failed. */
  readonly failures: number
  readonly rows: number
  readonly requests: number
}

/** When something is due next, and what. */
export interface FollowNext {
  readonly at: string
  readonly datasets: readonly string[]
  /** Who asked to be left alone, and until when; absent where nobody did, or it is over. */
  readonly held?: { readonly by: string; readonly until: string }
}

/** What `sync --follow` says of itself, in `sync-status.json` of the archive. Moments are Beijing time, ISO 8601 with the offset. */
export interface FollowStatus {
  readonly since: string
  /** Who follows, as its caller calls itself. */
  readonly owner?: string
  /** When it ended; absent while it runs, and after it was killed. */
  readonly ended?: string
  /** What was done since then. */
  readonly counts: FollowCounts
  /** The last run of which the source answered. */
  readonly last?: {
    readonly at: string
    readonly datasets: readonly string[]
    readonly rows: number
    readonly requests: number
    /** Trading days that the source lacks, over all datasets asked. */
    readonly missing: number
  }
  /** The last time that something failed; the first of these since the source last answered. */
  readonly failure?: { readonly at: string; readonly why: Words; readonly since?: string }
  /** Datasets whose batch of the day was not there when it was due. */
  readonly late: readonly string[]
  readonly next: FollowNext
  /** When each dataset was last brought up to the source. */
  readonly brought: Readonly<Record<string, string>>
}

/** Since when an archive has not been kept up to its source, and why; undefined while it is. */
export function unfollowed({
  ended,
  last,
  failure,
}: Pick<FollowStatus, 'ended' | 'last' | 'failure'>): { readonly since: string; readonly why: Words } | undefined {
  if (failure && !(last && last.at >= failure.at)) return { since: failure.since ?? failure.at, why: failure.why }
  return ended === undefined
    ? undefined
    : { since: ended, why: sentence`the process that follows the source has ended` }
}

export async function writeFollowStatus(dir: string, status: FollowStatus): Promise<void> {
  await writeFileAtomically(join(dir, statusFile), `${JSON.stringify(status, null, 1)}\n`)
}

/** What the last follower of an archive said; undefined where there was none, and for a file that says nothing of the kind. */
export async function readFollowStatus(dir: string): Promise<FollowStatus | undefined> {
  try {
    const status = JSON.parse(await readFile(join(dir, statusFile), 'utf8')) as FollowStatus
    return typeof status.since === 'string' ? status : undefined
  } catch {
    return undefined
  }
}

/** Who syncs an archive that is locked, as far as its status tells. */
export async function holderOf(dir: string): Promise<Words> {
  const { since, owner, ended } = (await readFollowStatus(dir)) ?? { ended: '' }
  return ended === undefined
    ? sentence`${owner ?? sentence`a process`}, which follows its source since ${since}`
    : sentence`another process`
}
