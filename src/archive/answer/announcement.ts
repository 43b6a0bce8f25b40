import type { Query } from '../../contract/check-params.js'
import { dateIn } from '../../contract/date.js'
import { type ColumnData, cellOf } from '../../table/values.js'
import { plainConditions } from './condition.js'
import { type OpenRange, partsBetween } from './parts.js'
import { type Condition, selectSlices, where, whereWord } from './row-conditions.js'
import type { AnswerRule } from './rule.js'
import { isNewest } from './versions.js'

/** Business date: the report period of a financial report, the event date of anything else (section 4.14, `date`). */
function onBusinessDate(test: (date: string) => boolean): Condition {
  return (columns) => {
    const [type, period, event] = ['announcement_type', 'period', 'event_date'].map(
      (name) => columns.columns.get(name) as ColumnData,
    )
    return (row) => {
      const ofReport = cellOf(type as ColumnData, row) === 'financial_report' ? cellOf(period as ColumnData, row) : null
      const date = ofReport ?? dateIn(String(cellOf(event as ColumnData, row)))
      return typeof date === 'string' && test(date)
    }
  }
}

function between(from: unknown, to: unknown): (date: string) => boolean {
  return (date) => (from === undefined || date >= String(from)) && (to === undefined || date <= String(to))
}

/**
 * The days of disclosure that decide: nothing is disclosed before its business date, but a report long after its period, and
 * a newer version after the one that it replaces.
 */
function decisive({ startdate, date, period, ann_startdate, ann_enddate, as_of, version }: Query): OpenRange {
  const first = [startdate, date, period, ann_startdate].filter((day) => day !== undefined).sort()
  const last = [as_of === undefined ? undefined : dateIn(String(as_of)), version === 'all' ? ann_enddate : undefined]
  return { from: first.at(-1) as string | undefined, to: last.filter((day) => day !== undefined).sort()[0] as string }
}

/**
 * Announcements by business date, report period and disclosure date. `as_of` hides whatever was disclosed later, and only
 * then is the newest version of a record chosen, so that the past is seen as it was.
 */
export const announcement: AnswerRule = async (snapshot, dataset, query) => {
  const { startdate, enddate, date, period, ann_startdate, ann_enddate, as_of } = query
  const known = as_of === undefined ? undefined : where('disclosed_at', (at) => at !== null && at <= String(as_of))
  const wanted = plainConditions(dataset, query)
  if (period !== undefined) wanted.push(whereWord('period', [period as string]))
  if (date !== undefined) wanted.push(onBusinessDate((word) => word === date))
  if (startdate !== undefined || enddate !== undefined) wanted.push(onBusinessDate(between(startdate, enddate)))
  if (ann_startdate !== undefined || ann_enddate !== undefined) {
    const inside = between(ann_startdate, ann_enddate)
    wanted.push(where('disclosed_at', (at) => inside(dateIn(at ?? '') ?? '')))
  }
  const isWanted =
    query.version === 'all' ? known : await isNewest(snapshot, dataset, ['record_id', 'version_no'], known)
  const to = as_of === undefined ? ann_enddate : dateIn(String(as_of))
  const parts = partsBetween(snapshot.parts(dataset.name), { from: ann_startdate as string, to: to as string })
  const slices = await selectSlices(snapshot, dataset, parts, isWanted ? [isWanted, ...wanted] : wanted)
  return { slices, requiredDays: { span: decisive(query) } }
}
