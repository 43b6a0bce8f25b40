/*
 * Dates: `series.dt`.
 *
 * Stock danfo reads dates in the machine's time zone and '20260102' as no date at all, so that the same program has
 * another month elsewhere; months count from 0; texts are those of the machine's language.
 *
 * Now text is the wall clock that it shows: '20260102', '2026-01-02', '2026-01-02 09:30', with or without seconds. A Date,
 * and text with a zone, is an instant and shown in Beijing time (UTC+8, no summer time). Months count from 1 as in pandas;
 * days of the week from Sunday = 0 as danfo documents. What is missing stays missing, other text is refused. Results are
 * text like '2026-01-02' or '2026-01-02 09:30:00'.
 */
import { Dt, isNa, refuse, repair, Series } from './model.js'

const pattern = /^(\d{4})-?(\d{2})-?(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/
const hour = 3_600_000
const beijing = 8 * hour

/** A wall clock as the milliseconds of the same clock in UTC. @throws QuotebookError INVALID_VALUE for what is no date */
function clockOf(cell: unknown): number {
  if (cell instanceof Date) return cell.getTime() + beijing
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0', zone] = pattern.exec(String(cell)) ?? []
  const clock = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds))
  const date = new Date(clock)
  if (Number.isNaN(clock) || date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) {
    return refuse(`'${String(cell)}' is no date; dates read 20260102, 2026-01-02 or 2026-01-02 09:30`)
  }
  if (!zone) return clock
  const offset =
    zone === 'Z' ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * hour + Number(zone.slice(-2)) * 60_000)
  return clock - offset + beijing
}

function textOf(clock: number): string {
  const text = new Date(clock).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

interface Accessor {
  readonly $dateObjectArray: readonly (Date | undefined)[]
}

const part = (read: (date: Date) => number) =>
  function (this: Accessor): Series {
    return new Series(this.$dateObjectArray.map((date) => (date ? read(date) : Number.NaN)))
  }

const name = (read: (date: Date) => string | undefined) =>
  function (this: Accessor): Series {
    return new Series(
      this.$dateObjectArray.map((date) => (date ? read(date) : null)),
      { columns: ['0'], dtypes: ['string'] },
    )
  }

repair<Accessor>(Dt.prototype, {
  processData(cells: readonly unknown[]): (Date | undefined)[] {
    return cells.map((cell) => (isNa(cell) ? undefined : new Date(clockOf(cell))))
  },

  year: part((date) => date.getUTCFullYear()),
  month: part((date) => date.getUTCMonth() + 1),
  dayOfMonth: part((date) => date.getUTCDate()),
  dayOfWeek: part((date) => date.getUTCDay()),
  hours: part((date) => date.getUTCHours()),
  minutes: part((date) => date.getUTCMinutes()),
  seconds: part((date) => date.getUTCSeconds()),
  monthName: name((date) => months[date.getUTCMonth()]),
  dayOfWeekName: name((date) => weekdays[date.getUTCDay()]),
  date: name((date) => textOf(date.getTime())),
})
