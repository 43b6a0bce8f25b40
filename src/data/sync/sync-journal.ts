import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DayRanges, union } from '../archive/coverage/day-ranges.js'
import { sha256, writeFileAtomically } from '../archive/file-access.js'
import type { KeptReplies } from '../source/reply/kept-replies.js'
import { ReplyLog } from './reply-log.js'
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

/** Replies to a question of a series. */
export interface QuestionReplies extends KeptReplies {
  /** When the earliest of the syncs began that the replies so far are of; undefined where none was kept. */
  readonly began: string | undefined
  /** Lets them go. */
  drop(): void
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
  #replies: ReplyLog<Heard> | undefined

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
    journal.#replies = await ReplyLog.open<Heard>(journal.#dir, journal.#isValid)
    return journal
  }

  readonly #about = (): Heard => ({ stamp: this.#stamp, at: this.#now(), began: this.#began })

  readonly #isValid = ({ stamp, at = 0 }: Partial<Heard> = {}): boolean =>
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
    const log = this.#replies as ReplyLog<Heard>
    const owner = {}
    const turns = new Map<string, number>()
    let began: string | undefined
    const nameIn = (request: string): string => `${nameOf(series)} ${turns.get(request)} ${request}`
    return {
      get began() {
        return began
      },
      take: async (request) => {
        turns.set(request, (turns.get(request) ?? 0) + 1)
        const found = log.take(nameIn(request))
        if (!found) return undefined
        began = [began ?? found.about.began, found.about.began].sort()[0]
        return found.reply
      },
      keep: async (request, reply) => {
        try {
          log.keep(owner, nameIn(request), this.#about(), reply)
        } catch {
          // Where it can not be written the archive can't either, and says so.
        }
      },
      drop: () => log.drop(owner),
    }
  }

  /** A question is answered and stored. @param dates those that it did not settle */
  async stored(series: SyncSeries, dates: DayRanges, latest: string | undefined): Promise<void> {
    if (dates.length === 0) return
    const name = nameOf(series)
    const list = [...(this.#heard.get(name) ?? []), { ...this.#about(), dates, latest }]
    this.#heard.set(name, list)
    await writeFileAtomically(join(this.#dir, `${name}.json`), JSON.stringify(list))
  }

  /** What is kept stays for a next sync. */
  close(): void {
    this.#replies?.close()
  }

  async end(): Promise<void> {
    this.close()
    await rm(this.#dir, { recursive: true, force: true })
  }
}
