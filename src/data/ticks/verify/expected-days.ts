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

/**
 * Who knows which days should have a file, from the first to the last that have one: the days that were given; else those
 * that the archive's other datasets hold, and beside them the calendar, which is sure only where it stands alone and knows
 * no more than what was announced.
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
  const expected: ExpectedDays[] = []
  const notMade: Words[] = []
  const archive = (await readManifest(dir)) && new Archive(dir, dir, { cacheBytes: 1 })
  for (const name of archive ? daily : []) {
    try {
      const days = await archivedDays(archive as Archive, name, from, to)
      if (days.length > 0) expected.push({ days: days.sort(), by: name, isSure: true })
    } catch (error) {
      notMade.push(sentence`the days of ${name} can not be read: ${messageOf(error)}`)
    }
  }
  const [first, last] = [`${calendarYears[0]}0101`, `${calendarYears[1]}1231`]
  if (from < first || to > last) notMade.push(sentence`the trading calendar knows ${calendarYears.join(' to ')} only`)
  const [, begin = first] = [from, first].sort()
  const [end = last] = [to, last].sort()
  const days = begin <= end ? tradingDays(begin, end) : []
  expected.push({ days, by: sentence`the trading calendar`, isSure: expected.length === 0 })
  return { expected, notMade }
}
