import { calendarYears } from '../contract/calendar.js'
import type { ArchiveStore } from '../data/archive/store/archive-store.js'
import type { Source } from '../data/source/source.js'
import { sizeText } from '../data/ticks/fetch/disk-space.js'
import type { FetchResult } from '../data/ticks/fetch/fetch-into-archive.js'
import { fetchYear } from '../data/ticks/fetch/fetch-year.js'
import { firstTickYear } from '../data/ticks/tick-files.js'
import { say } from './chosen-language.js'
import { numbered } from './count-words.js'
import { inLanguage, whyOf } from './error-text.js'

/** The first so many of some days. */
export function dayWords(list: readonly string[], most: number): string {
  const days = list.slice(0, most).join(', ')
  return list.length > most ? say('{days} and {more} more', { days, more: list.length - most }) : days
}

/** What was done, in one line. */
export function fetchedLine(result: FetchResult): string {
  const { year, files, bytes, fetched, replaced, complete, from, to, missingDays } = result
  const news =
    replaced > 0
      ? say('{count} fetched, {replaced} of them because they had changed', { count: fetched, replaced })
      : say('{count} fetched', { count: fetched })
  const what = complete > 0 ? `${news}${say(', {count} were there', { count: complete })}` : news
  const isKnown = year >= calendarYears[0] && year <= calendarYears[1]
  const span =
    missingDays.length > 0
      ? say('from {from} to {to}, where these trading days have no file: {days}', {
          from,
          to,
          days: dayWords(missingDays, 10),
        })
      : say(isKnown ? 'complete from {from} to {to}' : 'from {from} to {to}', { from, to })
  const [count, size] = [numbered(files, 'file'), sizeText(bytes)]
  return say('{year}: {files}, {size}: {what}; {span}', { year, files: count, size, what, span })
}

/** Hour of Beijing from which on the files of a day are looked for. */
const evening = '18'

/** The auction-tick files of the years of a sync, beside its datasets. */
export class TickFetch {
  readonly #source: Source
  readonly #archive: ArchiveStore
  /** The day on whose evening they were last fetched; empty when it was earlier than in an evening. */
  #fetched: string | undefined

  constructor(source: Source, archive: ArchiveStore) {
    this.#source = source
    this.#archive = archive
  }

  /** Fetches what the source's share has of each year and the archive has not. Tells each year in a line. */
  async fetch(from: string, latest: string, signal: AbortSignal): Promise<{ lines: string[]; isWhole: boolean }> {
    const lines: string[] = []
    let isWhole = true
    for (let year = Math.max(firstTickYear, Number(from.slice(0, 4))); year <= Number(latest.slice(0, 4)); year++) {
      try {
        const fetched = await fetchYear(this.#source, { year, dest: this.#archive, signal })
        lines.push(...fetched.notes.map((note) => `${year}${say(': ')}${inLanguage(note)}`), fetchedLine(fetched))
      } catch (error) {
        if (signal.aborted) throw error
        isWhole = false
        lines.push(say('{year}: the auction-tick files were not fetched: {why}', { year, why: whyOf(error) }))
      }
    }
    return { lines, isWhole }
  }

  /** The same after a run at a moment: after the first one, and in the evening of each day until all has come. */
  async fetchAfter(at: string, from: string, latest: string, signal: AbortSignal): Promise<string[]> {
    const day = at.slice(11, 13) >= evening ? at.slice(0, 10) : ''
    if (this.#fetched !== undefined && (day === '' || this.#fetched === day)) return []
    const { lines, isWhole } = await this.fetch(from, latest, signal)
    if (isWhole) this.#fetched = day
    return lines
  }
}
