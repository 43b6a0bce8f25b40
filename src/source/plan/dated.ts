import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { dayParam } from '../../contract/days.js'
import type { Box } from './box.js'

/** Of which days a request speaks (section 4.0). */
export interface Dated {
  /** One day. */
  readonly day?: string | undefined
  /** A range, either end of which may be open. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The latest so many. */
  readonly recent?: number | undefined
  /** No date was given, and that means the latest day. */
  readonly isLatest: boolean
}

/** Name of the param with a role. */
export function paramOf(dataset: Dataset, role: string): string | undefined {
  return Object.keys(dataset.params).find((name) => dataset.params[name]?.role === role)
}

/** The param that names one day: its own, or the end of a range, which alone means that day. */
export function oneDayParam(dataset: Dataset): string | undefined {
  return dayParam(dataset) ?? paramOf(dataset, 'day') ?? paramOf(dataset, 'to')
}

/** The days that a box of a query speaks of. */
export function datedOf(dataset: Dataset, query: Query, box: Box): Dated {
  if (box.day !== undefined) return { day: box.day, isLatest: false }
  if (box.days) return { from: box.days.from, to: box.days.open ? undefined : box.days.to, isLatest: false }
  const own = dayParam(dataset)
  const of = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : query[name]
    return typeof value === 'string' ? value : undefined
  }
  const day = of(own) ?? of(paramOf(dataset, 'day'))
  const [from, to] = [of(paramOf(dataset, 'from')), of(paramOf(dataset, 'to'))]
  const recent = query[paramOf(dataset, 'recent') ?? '']
  if (day !== undefined) return { day, isLatest: false }
  if (recent !== undefined) return { recent: Number(recent), isLatest: false }
  if (dataset.openRange) return { from, to, isLatest: false }
  if (from === undefined && to !== undefined) return { day: to, isLatest: false }
  return { from, to, isLatest: dataset.day !== undefined && from === undefined }
}
