import { calendarYears, tradingDays } from '../../../contract/calendar.js'
import { dateIn } from '../../../contract/date.js'
import { messageOf } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { textCells } from '../../../frame/table/values.js'
import { Archive } from '../../archive/archive.js'
import { readManifest } from '../../archive/manifest.js'

/** Days that should have a file. */
export interface ExpectedDays {
  /** Ascending. */
  readonly days: readonly string[]
  /** Who says so. */
  readonly by: Words
  /** A day without a file is a fault, or may be one. */
  readonly isSure: boolean
}

/** Datasets that have rows of every trading day, and of no other. */
const daily = ['convertible_daily', 'theme_daily'] as const

async function archivedDays(
  archive: Archive,
  name: (typeof daily)[number],
  from: string,
  to: string,
): Promise<string[]> {
  return archive.read(async (snapshot) => {
    const days = new Set<string>()
    for (const part of snapshot.parts(name)) {
      if ((part.from ?? from) > to || (part.to ?? to) < from) continue
      for (const day of textCells(await snapshot.load(name, part), 'tradedate')) if (day !== null) days.add(day)
    }
    return [...days].flatMap((day) => dateIn(day) ?? []).filter((day) => day >= from && day <= to)
  })
}

async function ofArchive(dir: string, from: string, to: string): Promise<{ sure: ExpectedDays[]; notMade: Words[] }> {
  if (!(await readManifest(dir))) return { sure: [], notMade: [] }
  const archive = new Archive(dir, dir, { cacheBytes: 1 })
  const sure: ExpectedDays[] = []
  const notMade: Words[] = []
  for (const name of daily) {
    try {
      const days = await archivedDays(archive, name, from, to)
      if (days.length > 0) sure.push({ days: days.sort(), by: name, isSure: true })
    } catch (error) {
      notMade.push(sentence`the days of ${name} can not be read: ${messageOf(error)}`)
    }
  }
  return { sure, notMade }
}

/** The calendar's days, as far as it goes. It knows no more than what was announced. */
function ofCalendar(from: string, to: string, isSure: boolean): { expected: ExpectedDays; notMade: Words[] } {
  const [first, last] = [`${calendarYears[0]}0101`, `${calendarYears[1]}1231`]
  const [begin, end] = [from < first ? first : from, to > last ? last : to]
  const days = begin <= end ? tradingDays(begin, end) : []
  const notMade =
    begin === from && end === to ? [] : [sentence`the trading calendar knows ${calendarYears.join(' to ')} only`]
  return { expected: { days, by: sentence`the trading calendar`, isSure }, notMade }
}

/**
 * Who knows which days should have a file, from the first to the last that have one: the days that were given; else those
 * that the archive's other datasets hold, and beside them the calendar, which is sure only where it stands alone.
 */
export async function expectedDays(
  dir: string,
  present: readonly string[],
  given: readonly string[] | undefined,
): Promise<{ readonly expected: readonly ExpectedDays[]; readonly notMade: readonly Words[] }> {
  if (given)
    return { expected: [{ days: [...new Set(given)].sort(), by: sentence`the days given`, isSure: true }], notMade: [] }
  const [from, to] = [present[0], present.at(-1)]
  if (from === undefined || to === undefined) return { expected: [], notMade: [sentence`no file has a day`] }
  const { sure, notMade } = await ofArchive(dir, from, to)
  const calendar = ofCalendar(from, to, sure.length === 0)
  return { expected: [...sure, calendar.expected], notMade: [...notMade, ...calendar.notMade] }
}
