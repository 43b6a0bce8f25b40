const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/** A real date of the calendar, `YYYYMMDD`. */
export function isDate(text: string): boolean {
  if (!/^\d{8}$/.test(text)) return false
  const digits = Number(text)
  const [year, month, day] = [Math.trunc(digits / 10_000), Math.trunc(digits / 100) % 100, digits % 100]
  const days = (monthDays[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)
  return year >= 1 && day >= 1 && day <= days
}

/** 2026-07-01, 2026/7/1 and 2026-07-01 00:00:00, as databases and spreadsheets write days. */
const writtenDay = /^\s*(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?\s*$/

/** A date as people and programs write it, `2026-07-27`, `2026/7/27` or `20260727`, in the one form of the wire; undefined for what is no date. */
export function writtenDate(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const [, year = '', , month = '', day = ''] = writtenDay.exec(text) ?? []
  const date = year === '' ? text.trim() : `${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

/** Days since 1970-01-01 of a date, free of any time zone. */
export function dayNumber(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6, 8))) / 86_400_000
}

/** The inverse of dayNumber. */
export function dateOf(day: number): string {
  const date = new Date(day * 86_400_000)
  const digits = date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  return String(digits).padStart(8, '0')
}

const beijing = 8 * 3_600_000

/** The Beijing day of a moment. @param time ms since 1970 */
export function beijingDay(time: number): string {
  return dateOf(Math.floor((time + beijing) / 86_400_000))
}

/** A moment as Beijing writes it, to the second, ISO 8601 with its offset. @param time ms since 1970 */
export function beijingTime(time: number): string {
  return `${new Date(time + beijing).toISOString().slice(0, 19)}+08:00`
}

/** Day of the week of a date: 0 Sunday … 6 Saturday. */
export function weekday(date: string): number {
  return (((dayNumber(date) + 4) % 7) + 7) % 7
}

const day = /(\d{4})-(\d{2})-(\d{2})|(\d{4})(\d{2})(\d{2})/
const clock = /[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?/
const moment = new RegExp(`^(?:${day.source})(?:${clock.source})?$`)

/** Minutes east of Greenwich of `Z`, `+08`, `+0800`, `-05:30`; undefined beyond what there is on earth. */
function minutesOf(offset: string): number | undefined {
  if (offset === 'Z') return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', '') || 0)]
  if (hours > 14 || minutes > 59) return undefined
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/**
 * A point in time as `YYYY-MM-DDTHH:MM:SS`, Beijing. Takes `YYYYMMDD` and `YYYY-MM-DD` (the end of that day) and
 * ISO 8601 (without an offset, Beijing time is meant). Undefined when it is none of these.
 */
export function beijingMoment(text: string): string | undefined {
  const match = moment.exec(text)
  if (!match) return undefined
  const [year = '', month = '', day = ''] = match[1] === undefined ? match.slice(4, 7) : match.slice(1, 4)
  const [hour, minute = '00', second = '00', offset] = match.slice(7)
  if (!isDate(year + month + day)) return undefined
  if (hour === undefined) return `${year}-${month}-${day}T23:59:59`
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  if (offset === undefined) return local
  const shift = minutesOf(offset)
  if (shift === undefined) return undefined
  return new Date(Date.parse(`${local}Z`) + (480 - shift) * 60_000).toISOString().slice(0, 19)
}

/** The date of anything that begins with one: `20260701`, `2026-07-01 10:00:00`, `2026-07-01T10:00:00`. */
export function dateIn(text: string): string | undefined {
  const date = text.slice(0, 10).replaceAll('-', '').slice(0, 8)
  return isDate(date) ? date : undefined
}
