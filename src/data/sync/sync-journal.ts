import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DayRanges, union } from '../archive/coverage/day-ranges.js'
import { sha256, writeFileAtomically } from '../archive/file-access.js'
import type { KeptReplies } from '../source/reply/kept-replies.js'
import type { HttpResponse } from '../source/transport/http-client.js'
import type { SyncSeries } from './sync-series.js'

/** Folder of an archive with what a sync that does not come to its end has heard. */
const folder = '.resume'
/** Milliseconds for which what was heard counts. */
const believed = 15 * 60_000

/** What must be the same for a sync to go on from an earlier one: another is asked anew. */
export interface SyncStamp {
  readonly source: string
  /** Latest day that the source shows; a day that settles makes all void. */
  readonly latest: string
  readonly today: string
  /** State of the archive behind the source, where it tells. */
  readonly state: string | undefined
}

/** What was heard, and when: in milliseconds since 1970, and the beginning of the sync in Beijing time. */
interface Heard {
  readonly stamp: string
  readonly at: number
  readonly began: string
}

/** Dates that were asked for, whatever came. */
interface HeardDates extends Heard {
  readonly dates: DayRanges
  /** Latest day that the series had shown then. */
  readonly latest?: string | undefined
}

interface HeardReply extends Heard {
  readonly reply: Omit<HttpResponse, 'bytes'>
  readonly sha256: string
}

/** A file that a folder of them holds; undefined where there is none, or none that can be read: the source is asked then. */
async function bytesOf(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined)
}

function parsed<T>(bytes: Uint8Array | undefined): T | undefined {
  try {
    return bytes && (JSON.parse(bytes.toString()) as T)
  } catch {
    return undefined
  }
}

function nameOf({ dataset, scope }: SyncSeries): string {
  return `${dataset.name}.${sha256(scope).slice(0, 12)}`
}

/** Replies to the question of a series that is under way. Their files are as good as the archive: written whole, compared with a checksum. */
export interface QuestionReplies extends KeptReplies {
  /** When the earliest of the syncs began that the replies so far are of; undefined where none was kept. */
  readonly began: string | undefined
}

/**
 * What a sync has heard and not stored as settled, so that one that is killed and begun again goes on as the same: the replies
 * to the questions under way, of days that can no longer change, and the dates that were asked for and are asked for again by
 * every sync. It counts for a quarter of an hour, of the same source with the same latest day; a sync that comes to its end
 * leaves nothing.
 */
export class SyncJournal {
  readonly #dir: string
  readonly #stamp: string
  readonly #began: string
  readonly #now: () => number
  readonly #heard = new Map<string, readonly HeardDates[]>()

  private constructor(dir: string, stamp: SyncStamp, began: string, now: () => number) {
    this.#dir = join(dir, folder)
    this.#stamp = JSON.stringify([stamp.source, stamp.latest, stamp.today, stamp.state])
    this.#began = began
    this.#now = now
  }

  /** Reads what an earlier sync has left. @param began beginning of this sync, Beijing time */
  static async open(dir: string, stamp: SyncStamp, began: string, now: () => number): Promise<SyncJournal> {
    const journal = new SyncJournal(dir, stamp, began, now)
    const names = await readdir(journal.#dir).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.json'))) {
      const list = parsed<readonly HeardDates[]>(await bytesOf(join(journal.#dir, name)))
      if (Array.isArray(list)) journal.#heard.set(name.slice(0, -'.json'.length), list.filter(journal.#isValid))
    }
    return journal
  }

  readonly #about = (): Heard => ({ stamp: this.#stamp, at: this.#now(), began: this.#began })

  readonly #isValid = ({ stamp, at }: Heard): boolean =>
    stamp === this.#stamp && at <= this.#now() && at > this.#now() - believed

  /** Dates of a series that were asked for, and the latest day that it had shown. */
  of(series: SyncSeries): { readonly dates: DayRanges; readonly latest: string | undefined } {
    const list = this.#heard.get(nameOf(series)) ?? []
    const dates = list.reduce<DayRanges>((sum, one) => union(sum, one.dates), [])
    return {
      dates,
      latest: list
        .flatMap(({ latest }) => latest ?? [])
        .sort()
        .at(-1),
    }
  }

  /** A place for the replies to the next question of a series. */
  replies(series: SyncSeries): QuestionReplies {
    const turns = new Map<string, number>()
    let began: string | undefined
    const pathOf = (request: string): string =>
      join(this.#dir, nameOf(series), sha256(`${turns.get(request)} ${request}`).slice(0, 32))
    return {
      get began() {
        return began
      },
      take: async (request) => {
        turns.set(request, (turns.get(request) ?? 0) + 1)
        const bytes = await bytesOf(pathOf(request))
        const end = bytes?.indexOf('\n') ?? -1
        const heard = parsed<HeardReply>(bytes?.subarray(0, end))
        const body = bytes?.subarray(end + 1)
        if (!heard?.reply || !body || !this.#isValid(heard) || sha256(body) !== heard.sha256) return undefined
        began = [began ?? heard.began, heard.began].sort()[0]
        return { ...heard.reply, bytes: body }
      },
      keep: async (request, { bytes, ...reply }) => {
        const heard: HeardReply = { ...this.#about(), reply, sha256: sha256(bytes) }
        const file = Buffer.concat([Buffer.from(`${JSON.stringify(heard)}\n`), bytes])
        // Where it can not be written the archive can't either, and says so.
        await writeFileAtomically(pathOf(request), file, { unsynced: true }).catch(() => undefined)
      },
    }
  }

  /** A question is answered and stored. @param dates those that it did not settle */
  async stored(series: SyncSeries, dates: DayRanges, latest: string | undefined): Promise<void> {
    const name = nameOf(series)
    if (dates.length > 0) {
      const list = [...(this.#heard.get(name) ?? []), { ...this.#about(), dates, latest }]
      this.#heard.set(name, list)
      await writeFileAtomically(join(this.#dir, `${name}.json`), JSON.stringify(list))
    }
    await this.drop(series)
  }

  /** Lets the replies to a question go. */
  async drop(series: SyncSeries): Promise<void> {
    await rm(join(this.#dir, nameOf(series)), { recursive: true, force: true })
  }

  async end(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true })
  }
}
