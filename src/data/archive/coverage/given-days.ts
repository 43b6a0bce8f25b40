import { datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import { dateIn } from '../../../contract/date.js'
import { type Days, dayParam, lastDaysUpTo, overRange, type PlainDays, spanParams } from '../../../contract/day-list.js'
import { ParamsError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { strings } from '../../../frame/read-columns.js'
import { paramWithRole } from '../../source/plan/asked.js'
import type { Source } from '../../source/source.js'
import { completedDay } from './latest-day.js'

type Given = Readonly<Record<string, unknown>>

/**
 * The latest day of a dataset that its answer without a date shows, and no forecast; of one whose answer shows none, the latest
 * trading day of the source.
 */
async function latestDay(source: Source, dataset: Dataset, params: Given): Promise<string> {
  const { day = '', columns } = dataset
  const isShown = columns[day] !== undefined && columns[day].mode === undefined
  const asked = isShown ? dataset : datasetOf('theme_daily')
  const required = Object.entries(asked.params).filter(([, param]) => param.required)
  const own = required.map(([name, { values = [] }]) => [name, (isShown ? params[name] : undefined) ?? values[0]])
  const page = asked.limit.kind === 'page' ? { limit: 1 } : {}
  const column = isShown ? day : (asked.day as string)
  const table = await source.query(asked, { ...Object.fromEntries(own), ...page }, { fields: [column], whole: true })
  const days = [...new Set(strings(table, column).flatMap((cell) => dateIn(cell ?? '') ?? []))].sort()
  const latest = asked.cache?.latest === 'completed' ? completedDay(days) : days.at(-1)
  if (latest !== undefined) return latest
  throw new ParamsError('days', sentence`${source.name} shows no latest day of ${dataset.name}; give from and to.`)
}

/**
 * Params and days of a query as a source takes them: a range in the params of a dataset that has some, a number of days and an open
 * end by the latest day of the source, in one request more where it must be asked for.
 * @param unasked nothing may be asked for: an open end must be said
 * @throws ParamsError for a dataset without days, beside a date in params, and for what is neither days nor a number
 */
export async function givenDays(
  source: Source,
  dataset: Dataset,
  params: unknown,
  days: Days | undefined,
  unasked?: 'unasked',
): Promise<{ readonly params: unknown; readonly days: PlainDays | undefined }> {
  const isOpen = typeof days === 'object' && 'from' in days && days.to === undefined
  if (typeof days !== 'number' && !isOpen) return overRange(dataset, params, days as PlainDays | undefined)
  const [range, given] = [spanParams(dataset), (params ?? {}) as Given]
  if (!range && dayParam(dataset) === undefined)
    throw new ParamsError('days', sentence`${dataset.name} has no days to choose from.`)
  const latest = async (): Promise<string> => {
    if (!unasked) return latestDay(source, dataset, given)
    throw new ParamsError('days', sentence`explain sends nothing, so it must be told the last day: give from and to.`)
  }
  if (typeof days !== 'number') {
    const { params: dated } = overRange(dataset, params, { from: days.from, to: days.from })
    if (range) return { params: { ...(dated as Given), [range[1]]: undefined }, days: undefined }
    return { params, days: { from: days.from, to: await latest() } }
  }
  if (!Number.isSafeInteger(days) || days < 1)
    throw new ParamsError('days', sentence`days must be a whole number of trading days from 1, not ${days}.`)
  const recent = paramWithRole(dataset, 'recent')
  if (recent !== undefined) return { params: { ...given, [recent]: days }, days: undefined }
  const to = await latest()
  return overRange(dataset, params, { from: lastDaysUpTo(to, days)[0] ?? to, to })
}
