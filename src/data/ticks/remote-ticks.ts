import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { sha256 } from '../archive/file-access.js'
import { type Clock, realClock } from '../source/transport/clock.js'
import { sha256InTag } from './fetch/fetch-plan.js'
import { DayAbsentError, type OpenedFile, ShareEndedError, type TickShare } from './share/file-share.js'
import { openOffer, requestYearOffer, type ShareSource } from './share/year-offer.js'
import { type FetchedFile, firstTickYear, type TickFiles } from './tick-files.js'

export type { ShareSource } from './share/year-offer.js'

/** A share, and how many files the service counts in it. */
interface Offered {
  readonly share: TickShare
  readonly files: number
}

/** Years without files after which nobody goes on asking. */
const most = 8
/** Bytes of a file that are read into memory. */
const largest = 2 ** 30

async function bytesOf({ body }: OpenedFile, day: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > largest) throw new QuotebookError('FILE', sentence`the file of ${day} is larger than ${largest} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}

/** @throws QuotebookError FILE when its entity tag is a sha256, and that of other bytes */
async function fileOf({ share }: Offered, day: string, signal: AbortSignal | undefined): Promise<FetchedFile> {
  const opened = await share.open(day, { signal })
  const bytes = await bytesOf(opened, day)
  const sum = sha256InTag(opened.etag)
  if (sum !== undefined && sum !== sha256(bytes))
    throw new QuotebookError(
      'FILE',
      sentence`the file of ${day} is not what ${share.name} says it is: its sha256 is another`,
    )
  const whole = opened.framed === true && (opened.size ?? bytes.length) === bytes.length
  return { name: sentence`the file of ${day}`, day, bytes, whole }
}

/** The tick files of a service: a share a year, whose files are listed and read over HTTP. */
export class RemoteTicks implements TickFiles {
  readonly name: Words
  readonly #source: ShareSource
  readonly #clock: Clock
  /** Shares that were handed out, by year, until one has ended. */
  readonly #shares = new Map<number, Offered>()

  constructor(source: ShareSource, options: { readonly clock?: Clock | undefined } = {}) {
    this.name = source.name
    this.#source = source
    this.#clock = options.clock ?? realClock
  }

  /**
   * @throws SourceError FORBIDDEN for a key without the plan; QuotebookError FILE for a share that can not be listed, or
   * lists other files than the service counts
   */
  async days(year?: number): Promise<string[]> {
    if (year !== undefined) return [...((await this.#list(year)) ?? [])]
    const all: string[] = []
    for (let next = firstTickYear, empty = 0; empty < most; next++) {
      const days = await this.#list(next)
      if (days === undefined) break
      empty = days.length > 0 ? 0 : empty + 1
      all.push(...days)
    }
    return all
  }

  /**
   * The file of a day, compared with its checksum where the service sends one.
   * @throws SourceError for what the service does not answer; QuotebookError FILE when the day has no file, or what came is
   * not what the service says it is; the signal's reason
   */
  async file(day: string, signal?: AbortSignal): Promise<FetchedFile> {
    const file = isDate(day) ? await this.#file(day, signal) : undefined
    if (file) return file
    throw new QuotebookError('FILE', sentence`${this.#source.name} has no auction ticks of ${day}`)
  }

  /** Undefined for a year later than the service has files of. */
  async #list(year: number): Promise<readonly string[] | undefined> {
    const offered = await this.#fresh(year)
    if (offered === 'later') return undefined
    if (offered === undefined) return []
    const days = (await offered.share.list()).map(({ day }) => day)
    if (days.length === offered.files && days.every((day) => day.startsWith(`${year}`))) return days
    const message = sentence`the share of ${year} lists ${days.length} files where the service counts ${offered.files}`
    throw new QuotebookError('FILE', sentence`${this.#source.name}: ${message}`)
  }

  /** Undefined when the day has no file. An old link may have ended: then there is a new one. */
  async #file(day: string, signal: AbortSignal | undefined): Promise<FetchedFile | undefined> {
    const year = Number(day.slice(0, 4))
    const known = this.#shares.get(year)
    if (known) {
      try {
        return await fileOf(known, day, signal)
      } catch (error) {
        if (!(error instanceof ShareEndedError || error instanceof DayAbsentError)) throw error
      }
    }
    const offered = year < firstTickYear ? undefined : await this.#fresh(year, signal)
    if (offered === undefined || offered === 'later') return undefined
    return fileOf(offered, day, signal).catch((error: unknown) => {
      if (error instanceof DayAbsentError || (error instanceof ShareEndedError && error.status === 404))
        return undefined
      throw error
    })
  }

  async #fresh(year: number, signal?: AbortSignal): Promise<Offered | 'later' | undefined> {
    const offer = await requestYearOffer(this.#source, year, { clock: this.#clock, signal })
    if (offer === undefined || offer === 'later') {
      this.#shares.delete(year)
      return offer
    }
    const offered = { share: openOffer(this.#source, offer), files: offer.files }
    this.#shares.set(year, offered)
    return offered
  }
}
