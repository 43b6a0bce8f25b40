import { tradingDays } from '../../src/contract/calendar.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { beijingTime } from '../../src/contract/date.js'
import { messageOf } from '../../src/contract/error.js'
import { Archive } from '../../src/data/archive/archive.js'
import { archiveStatus, type ScopeStatus } from '../../src/data/archive/archive-status.js'
import { readFollowStatus } from '../../src/data/archive/follow-status.js'
import { HttpSource } from '../../src/data/source/http-source.js'
import { type FollowRun, followArchive } from '../../src/data/sync/follow.js'
import { toObjects } from '../../src/frame/read-columns.js'
import { faultsOn, moment } from './month-faults.js'
import { MonthClock, MonthVendor, monthSeries } from './month-vendor.js'
import type { Row } from './vendor.js'

export const monthDatasets: readonly string[] = monthSeries.map(({ name }) => name)

/** What an archive and its follower say of themselves at the end. */
export interface Told {
  readonly status: readonly ScopeStatus[]
  readonly runs: readonly FollowRun[]
  readonly late: readonly string[]
}

/**
 * Days that are named: `dataset scope day`, with `*` where a dataset is named without its scopes. That a day is unproven names
 * nothing: a follower's every day is, with the best of vendors.
 */
export function named({ status, runs, late }: Told): ReadonlySet<string> {
  const { waiting = [] } = status as { readonly waiting?: readonly { dataset: string; scope?: string; day: string }[] }
  const found = new Set(waiting.map(({ dataset, scope = '*', day }) => `${dataset} ${scope} ${day}`))
  for (const { dataset, scope, why } of status) {
    for (const [, from, to] of (why ?? '').matchAll(/(\d{8})(?:\.\.(\d{8}))?/g))
      for (const day of tradingDays(from as string, to ?? (from as string))) found.add(`${dataset} ${scope} ${day}`)
  }
  const last = new Map(runs.flatMap(({ result }) => (result?.datasets ?? []).map((one) => [one.dataset, one] as const)))
  for (const [dataset, { missing, failed, due }] of last)
    for (const day of failed === undefined ? missing : due) found.add(`${dataset} * ${day}`)
  const today = runs.at(-1)?.at.slice(0, 10).replaceAll('-', '')
  for (const dataset of late) found.add(`${dataset} * ${today}`)
  return found
}

/** Rows in an order of their own, NaN as null. */
function canonical(rows: readonly Row[], names: readonly string[]): string[] {
  const cell = (value: unknown): unknown =>
    value === undefined || Number.isNaN(value)
      ? null
      : value !== null && typeof value === 'object'
        ? [...(value as string[])]
        : value
  return rows.map((row) => JSON.stringify(names.map((name) => cell(row[name])))).sort()
}

/** A day of an archive that is not that of the vendor. */
export interface WrongDay {
  /** `dataset scope day` */
  readonly day: string
  readonly what: string
}

/** The params of one day. */
function ofDay(name: string, scope: readonly [string, string] | undefined, day: string) {
  const own: Record<string, string> = scope ? { [scope[0]]: scope[1] } : {}
  if (name === 'thememembers_jx') return [own, {}] as const
  if (name === 'interactive_qa') return [{ version: 'all', date: day }, {}] as const
  if (scope) return [own, { days: [day] }] as const
  return [{ ...(name === 'theme_daily' ? { type: 'tj' } : {}), startdate: day, enddate: day }, {}] as const
}

/** Every day of an archive that differs from the vendor's truth. */
export async function wrongDays(
  dir: string,
  vendor: MonthVendor,
  time: number,
  first: string,
  datasets: readonly string[] = monthDatasets,
): Promise<WrongDay[]> {
  const archive = new Archive(dir, 'month')
  const wrong: WrongDay[] = []
  for (const series of monthSeries.filter(({ name }) => datasets.includes(name))) {
    const dataset = datasetOf(series.name)
    const since = [first, dataset.since ?? ''].sort()[1] as string
    const all = vendor.days(series, time).filter((day) => day >= since)
    for (const scope of series.scope?.[1] ?? [''])
      for (const day of series.day === undefined ? all.slice(-1) : all) {
        const truth = vendor.truth(series, day, scope, time)
        const names = Object.keys(truth[0] ?? {})
        const [params, options] = ofDay(series.name, series.scope && [series.scope[0], scope], day)
        const about = { day: `${series.name} ${scope} ${day}` }
        try {
          const table = await archive.query(dataset, params, { ...options, whole: true })
          const [own, right] = [canonical(toObjects(table) as Row[], names), canonical(truth, names)]
          const other = own.filter((row) => !right.includes(row)).length
          if (own.join() !== right.join())
            wrong.push({ ...about, what: `${own.length} rows of ${right.length}, ${other} others` })
        } catch (error) {
          wrong.push({ ...about, what: String(messageOf(error)) })
        }
      }
  }
  return wrong
}

export interface Month {
  readonly runs: readonly FollowRun[]
  /** Moments at which the follower ended by itself, and why. */
  readonly ends: readonly string[]
  /** Trading days on which it did not run at all. */
  readonly silent: readonly string[]
  /** Wrong days that nothing names. */
  readonly unnamed: readonly WrongDay[]
  /** Wrong days that are named. */
  readonly told: readonly WrongDay[]
  readonly requests: number
}

/** A follower over some days of the vendor, with faults by the places of their days; one that ends is begun again. */
export async function followMonth(
  dir: string,
  days: readonly string[],
  plan: Readonly<Record<string, number>>,
  datasets: readonly string[] = monthDatasets,
): Promise<Month> {
  const [first, last] = [days[0] as string, days.at(-1) as string]
  const [begin, end] = [moment(first, '10:00'), moment(last, '23:00')]
  const clock = new MonthClock(begin, 49)
  const vendor = new MonthVendor(clock, first, last)
  const faults = faultsOn(days, plan)
  vendor.faults = faults
  clock.ahead = (time) =>
    faults.reduce((sum, { from, to, ahead = 0 }) => sum + (from <= time && time < to ? ahead : 0), 0)
  await vendor.open()
  const restore = vendor.resolveNames()
  const deadlines = { headers: 1000, body: 1000 }
  const source = new HttpSource({ nodes: [vendor.url], apikey: 'KEY', clock, time: clock.wall, deadlines })
  const stop = new AbortController()
  const runs: FollowRun[] = []
  const [ends, ran]: [string[], Set<string>] = [[], new Set()]
  const sleep: MonthClock['sleep'] = async (milliseconds, signal) => {
    if (clock.time + milliseconds > end) stop.abort()
    await clock.sleep(milliseconds, signal)
  }
  const given = {
    archive: dir,
    datasets,
    from: first,
    clock: { now: clock.now, chance: clock.chance, sleep },
    time: clock.wall,
    signal: stop.signal,
  }
  try {
    while (!stop.signal.aborted) {
      try {
        for await (const run of followArchive(source, given)) {
          runs.push(run)
          ran.add(beijingTime(clock.time).slice(0, 10).replaceAll('-', ''))
        }
      } catch (error) {
        ends.push(`${beijingTime(clock.time).slice(0, 16)} ${messageOf(error)}`)
      }
      if (!stop.signal.aborted) await sleep(600_000).catch(() => undefined)
    }
    const archive = new Archive(dir, 'month')
    const dueBy = beijingTime(clock.time)
    const status = await archive.read((snapshot) => archiveStatus(snapshot, { dueBy }))
    const late = (await readFollowStatus(dir))?.late ?? []
    const names = named({ status, runs, late })
    const wrong = await wrongDays(dir, vendor, clock.time, first, datasets)
    const isTold = ({ day }: WrongDay): boolean => {
      const [dataset, , on] = day.split(' ')
      return names.has(day) || names.has(`${dataset} * ${on}`)
    }
    return {
      runs,
      ends,
      silent: days.filter((day) => !ran.has(day)),
      unnamed: wrong.filter((one) => !isTold(one)),
      told: wrong.filter(isTold),
      requests: vendor.requests,
    }
  } finally {
    restore()
    await source.close()
    await vendor.close()
  }
}
