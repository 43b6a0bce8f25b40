import { sumDecimals } from '../checks/exact/decimal.js'

/** A number by day, `YYYYMMDD`; NaN where it is not known. */
export type DaySeries = ReadonlyMap<string, number>

/** The mean over some of the last days, and how many of them have a number. */
export interface PastMean {
  readonly window: number
  readonly days: number
  readonly mean: number
}

/** The latest number of a series, beside the days that lead to it. */
export interface AgainstPast {
  readonly day: string
  readonly value: number
  /** Means over the last days of each window, this one included; none of fewer than two numbers. */
  readonly means: readonly PastMean[]
  /** Place among the numbers of the last 60 days, 1 the highest; undefined without others. */
  readonly rank: number | undefined
  readonly of: number
}

/** Days that means are taken over. */
export const windows = [20, 60] as const

/**
 * Holds the latest number of a series against those of the days before.
 * @param days the days that windows are counted in, ascending
 * @param over the windows
 */
export function againstPast(
  series: DaySeries,
  days: readonly string[],
  over: readonly number[] = windows,
): AgainstPast | undefined {
  const day = [...series.keys()].sort().at(-1)
  if (day === undefined) return undefined
  const value = series.get(day) ?? Number.NaN
  const before = days.filter((one) => one < day)
  const known = (window: number): number[] =>
    [...before.slice(before.length - Math.min(before.length, window - 1)), day].flatMap((one) => {
      const number = series.get(one) ?? Number.NaN
      return Number.isNaN(number) ? [] : [number]
    })
  const means = over.flatMap((window): PastMean[] => {
    const numbers = known(window)
    if (numbers.length < 2) return []
    return [{ window, days: numbers.length, mean: sumDecimals(numbers) / numbers.length }]
  })
  const all = known(60)
  const isRanked = !Number.isNaN(value) && all.length > 1
  return { day, value, means, rank: isRanked ? 1 + all.filter((one) => one > value).length : undefined, of: all.length }
}

/** Sums by day, of the rows that have a number; a day whose every number is missing is NaN. */
export function sumsByDay(codes: Int32Array, days: readonly string[], values: Float64Array): DaySeries {
  const lists: number[][] = days.map(() => [])
  codes.forEach((code, row) => {
    const value = values[row] as number
    if (!Number.isNaN(value)) lists[code]?.push(value)
  })
  const seen = new Set(codes)
  return new Map(
    days.flatMap((day, code): [string, number][] => {
      const list = lists[code] ?? []
      return seen.has(code) ? [[day, list.length > 0 ? sumDecimals(list) : Number.NaN]] : []
    }),
  )
}
