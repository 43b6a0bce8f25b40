import { inCalendar, tradingDayAfter, tradingDayBefore, tradingDays } from '../../contract/calendar.js'
import { dayNumber, weekday, writtenDate } from '../../contract/date.js'
import { misuse } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { allOf, sentence, type Words } from '../../contract/sentence.js'
import { firstFrom } from './join-columns.js'
import type { Panel } from './panel.js'

/**
 * The times at which a strategy decides. `every`: each n-th trading day from the first of the account. `weekly`: the
 * first trading day on or after that weekday (1 Monday … 5 Friday). `monthly`: the n-th trading day of a month, the
 * last one if the month has fewer, or `'last'`. `days`: the named days; if the exchanges are closed on one, it moves to
 * the next trading day, and the result reports it. `at`: closing minutes of bars (default: the last bar of the day).
 */
export type Schedule = (
  | { readonly every: number }
  | { readonly weekly: 1 | 2 | 3 | 4 | 5 }
  | { readonly monthly: number | 'last' }
  | { readonly days: readonly string[] }
  // biome-ignore lint/complexity/noBannedTypes: every day
  | {}
) & { readonly at?: readonly string[] | 'every bar' }

const kinds = ['every', 'weekly', 'monthly', 'days']

function isPositive(value: unknown, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
}

function check(when: Schedule, minutes: readonly string[]): void {
  const wrong = (what: Words): never => {
    throw misuse(sentence`when: ${what}`)
  }
  const any = 'any'
  const given = Object.keys(
    checkOptions<object>(when, { every: any, weekly: any, monthly: any, days: any, at: any }, 'when'),
  )
  const both = given.filter((name) => kinds.includes(name))
  if (both.length > 1) wrong(sentence`${allOf(both)}: take one`)
  if ('every' in when && !isPositive(when.every, 1e6)) wrong(sentence`every is a whole number of trading days, from 1`)
  if ('weekly' in when && !isPositive(when.weekly, 5)) wrong(sentence`weekly is a weekday, 1 Monday to 5 Friday`)
  if ('monthly' in when && when.monthly !== 'last' && !isPositive(when.monthly, 23))
    wrong(sentence`monthly is a trading day of the month, from 1 to 23, or 'last'`)
  if ('days' in when && !(Array.isArray(when.days) && when.days.every((day) => writtenDate(String(day)))))
    wrong(sentence`days are an array of dates, such as ['20260701']`)
  if (when.at === undefined || when.at === 'every bar') return
  if (!Array.isArray(when.at)) wrong(sentence`at is an array of closing minutes, such as ['1000'], or 'every bar'`)
  const unknown = when.at.find((minute) => !minutes.includes(minute))
  const bars = minutes[0] ? sentence`there are ${minutes.join(', ')}` : sentence`the prices are daily`
  if (unknown !== undefined) wrong(sentence`at: no bar closes at ${unknown}; ${bars}`)
}

/** Trading days of a month that come before its first day in the panel. */
function missedInMonth(first: string): number {
  const start = `${first.slice(0, 6)}01`
  return inCalendar(first) ? tradingDays(start, first).filter((day) => day < first).length : 0
}

/** Whether a weekday fell between the trading day before and this one, this one included. */
function passed(weekdayWanted: number, before: string | undefined, day: string): boolean {
  const from = before === undefined ? dayNumber(day) : dayNumber(before) + 1
  const since = (weekday(day) - weekdayWanted + 7) % 7
  return dayNumber(day) - since >= from
}

/** Which trading day of its month a day is, from 1. */
function placeInMonth(days: readonly string[]): (day: number) => number {
  const missed = missedInMonth(days[0] as string)
  return (day) => {
    let place = 1
    while (days[day - place]?.slice(0, 6) === days[day]?.slice(0, 6)) place++
    return place + (place > day ? missed : 0)
  }
}

/** By the calendar, which is known before: no later row is looked at. */
function isLastInMonth(day: string): boolean {
  return tradingDayAfter(day).slice(0, 6) > day.slice(0, 6)
}

/** Named days, and the first day of a panel from each on; undefined before its first day and after its last. */
function movedDays(
  named: readonly string[],
  days: readonly string[],
): { readonly day: string; readonly to: string | undefined }[] {
  return named.map((one) => {
    const day = writtenDate(one) as string
    return { day, to: day < (days[0] as string) ? undefined : days[firstFrom(days, day)] }
  })
}

/** What is to be told of a schedule: days that are moved because they are no trading days, and those outside the run. */
export function scheduleNotes(when: Schedule, { days, begin }: Panel): Words[] {
  if ('monthly' in when && when.monthly !== 'last') {
    const [place, wanted] = [placeInMonth(days), when.monthly]
    const short = days.filter((day, at) => at >= begin && isLastInMonth(day) && place(at) < wanted)
    const note = sentence`when: ${short.length} months have fewer than ${wanted} trading days, and the last one decides: ${short.slice(0, 5).join(', ')}`
    return short.length ? [note] : []
  }
  if (!('days' in when)) return []
  const run = days.slice(begin)
  const all = movedDays(when.days, run)
  const listed = (list: readonly string[]): string => `${list.slice(0, 5).join(', ')}${list.length > 5 ? ' …' : ''}`
  const moved = all.flatMap(({ day, to }) => (to === undefined || to === day ? [] : [`${day} → ${to}`]))
  const outside = all.flatMap(({ day, to }) => (to === undefined ? [day] : []))
  const twice = all.flatMap(({ day, to }, at) =>
    to !== undefined && all.findIndex((one) => one.to === to) < at ? [day] : [],
  )
  const notes = [
    moved.length &&
      sentence`when: ${moved.length} days are no trading days and are moved to the next one: ${listed(moved)}`,
    twice.length && sentence`when: ${twice.length} days fall on a trading day that is named already: ${listed(twice)}`,
    outside.length && sentence`when: ${outside.length} days lie outside the run and decide nothing: ${listed(outside)}`,
  ]
  return notes.filter((note) => note !== 0)
}

function decidesOn(when: Schedule, { days, begin }: Pick<Panel, 'days' | 'begin'>): (day: number) => boolean {
  const text = (day: number): string => days[day] as string
  if ('every' in when) return (day) => (day - begin) % when.every === 0
  if ('weekly' in when) {
    const before = tradingDayBefore(text(0))
    return (day) => passed(when.weekly, days[day - 1] ?? before, text(day))
  }
  if ('monthly' in when) {
    const { monthly } = when
    const place = placeInMonth(days)
    return (day) => place(day) === monthly || ((monthly === 'last' || place(day) < monthly) && isLastInMonth(text(day)))
  }
  if ('days' in when) {
    const asked = new Set(movedDays(when.days, days.slice(begin)).map(({ to }) => to))
    return (day) => asked.has(text(day))
  }
  return () => true
}

const known = new WeakMap<readonly string[], Map<string, Uint8Array>>()

/** For each time of a panel, 1 where a decision is made. It does not depend on later days. Runs over the same days share it. */
export function decisionTimes(when: Schedule, panel: Panel): Uint8Array {
  check(when, panel.minutes)
  const key = JSON.stringify([when, panel.minutes, panel.begin])
  const all = known.get(panel.days) ?? new Map<string, Uint8Array>()
  const times = all.get(key) ?? computeTimes(when, panel)
  known.set(panel.days, all.set(key, times))
  return times
}

/** Trading days beyond a panel among which its next decision is looked for. */
const lookedAhead = 260

/** The first day after a panel on which a schedule decides, by the calendar; undefined where it names none within a year. */
export function nextDecision(when: Schedule, { days, minutes, begin }: Panel): string | undefined {
  check(when, minutes)
  const longer = [...days]
  while (longer.length < days.length + lookedAhead) longer.push(tradingDayAfter(longer.at(-1) as string))
  const onDay = decidesOn(when, { days: longer, begin })
  return longer.find((_, day) => day >= days.length && onDay(day))
}

function computeTimes(when: Schedule, panel: Panel): Uint8Array {
  const { days, minutes, begin } = panel
  const onDay = decidesOn(when, panel)
  const at = when.at === 'every bar' ? minutes : (when.at ?? [minutes.at(-1) as string])
  const inDay = minutes.map((minute) => at.includes(minute))
  const times = new Uint8Array(days.length * minutes.length)
  days.forEach((_, day) => {
    if (day < begin || !onDay(day)) return
    inDay.forEach((is, minute) => {
      if (is) times[day * minutes.length + minute] = 1
    })
  })
  return times
}
