/*
 * What stands behind `series.dt` (dates) and `series.str` (text).
 *
 * Stock danfo reads dates in the machine's time zone and '20260102' as no date at all, so that the same program has
 * another month elsewhere; months count from 0; texts are those of the machine's language.
 *
 * Now text is the wall clock that it shows: '20260102', '2026-01-02', '2026-01-02 09:30', with or without seconds. A Date,
 * and text with a zone, is an instant and shown in Beijing time (UTC+8, no summer time). Months count from 1 as in pandas;
 * days of the week from Sunday = 0 as danfo documents. What is missing stays missing, other text is refused. Results are
 * text like '2026-01-02' or '2026-01-02 09:30:00'.
 *
 * Stock danfo prints the Series when one is called with `inplace`, makes NaN of a null among text, 'nulla' of null and 'a'
 * (concat with a list). Now nothing is printed, what is missing stays missing, and text stays text whatever it looks like.
 */
import { sentence } from '../../../contract/sentence.js'
import {
  cellsOf,
  Dt,
  dtypeWith,
  inferred,
  isNa,
  refuse,
  repair,
  result,
  Series,
  Str,
  seriesLike,
  tidied,
} from './model.js'
import { paired } from './row-labels.js'

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
    return refuse(sentence`'${String(cell)}' is no date; dates read 20260102, 2026-01-02 or 2026-01-02 09:30`)
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

interface DateAccessor {
  readonly $dateObjectArray: readonly (Date | undefined)[]
}

const part = (read: (date: Date) => number) =>
  function (this: DateAccessor): Series {
    return new Series(this.$dateObjectArray.map((date) => (date ? read(date) : Number.NaN)))
  }

const name = (read: (date: Date) => string | undefined) =>
  function (this: DateAccessor): Series {
    return new Series(
      this.$dateObjectArray.map((date) => (date ? read(date) : null)),
      { columns: ['0'], dtypes: ['string'] },
    )
  }

repair<DateAccessor>(Dt.prototype, {
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

interface TextAccessor {
  readonly series: Series
  readonly values: readonly unknown[]
}

type Method = (this: TextAccessor, ...args: unknown[]) => Series

/** The same arguments without `inplace`, and whether it was asked for. */
function apart(args: readonly unknown[]): [args: unknown[], inplace: boolean] {
  let inplace = false
  const rest = args.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('inplace' in arg)) return arg
    inplace = Boolean(arg.inplace)
    return { ...arg, inplace: false }
  })
  return [rest, inplace]
}

function repaired(original: Method): Method {
  return function (this: TextAccessor, ...args: unknown[]): Series {
    const [rest, inplace] = apart(args)
    const made = cellsOf(original.apply(this, rest)).map((cell, row) => (isNa(this.values[row]) ? null : cell))
    const { dtype } = inferred(made.filter((_, row) => !isNa(this.values[row])))
    const type = dtypeWith(dtype === 'undefined' ? 'string' : dtype, made)
    return result(this.series, seriesLike(this.series, tidied(made, type), type), { inplace }) as Series
  }
}

/** Text in front of (position 0) or behind (1) the cells: one for all, or one each from a list or a Series. */
function joined(this: TextAccessor, other: unknown, position = 1): Series {
  const others = Array.isArray(other) || other instanceof Series ? paired(this.series, other) : undefined
  const cells = this.values.map((cell, row) => {
    const added: unknown = others ? others[row] : other
    if (isNa(cell) || isNa(added)) return null
    return position === 1 ? `${cell}${added}` : `${added}${cell}`
  })
  return seriesLike(this.series, cells, 'string')
}

const prototype = Str.prototype as unknown as Record<string, Method>
for (const name of Object.keys(prototype)) {
  const original = name === 'concat' ? joined : prototype[name]
  if (original && name !== 'constructor') repair(prototype, { [name]: repaired(original as Method) })
}
