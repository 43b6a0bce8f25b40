import { dateIn } from '../../contract/date.js'
import { cellOf, type Values } from '../../frame/values.js'
import { plainConditions } from './condition.js'
import type { Rule } from './rule.js'
import { type Condition, filter, scan, where, whereWord } from './scan.js'
import { allRows, isNewest } from './versions.js'

/** Business date: the report period of a financial report, the event date of anything else (section 4.14, `date`). */
function onBusinessDate(test: (date: string) => boolean): Condition {
  return (columns) => {
    const [type, period, event] = ['announcement_type', 'period', 'event_date'].map(
      (name) => columns.of.get(name) as Values,
    )
    return (row) => {
      const ofReport = cellOf(type as Values, row) === 'financial_report' ? cellOf(period as Values, row) : null
      const date = ofReport ?? dateIn(String(cellOf(event as Values, row)))
      return typeof date === 'string' && test(date)
    }
  }
}

function between(from: unknown, to: unknown): (date: string) => boolean {
  return (date) => (from === undefined || date >= String(from)) && (to === undefined || date <= String(to))
}

/**
 * Announcements by business date, report period and disclosure date. `as_of` hides whatever was disclosed later, and only
 * then is the newest version of a record chosen, so that the past is seen as it was.
 */
export const announcement: Rule = async (shelf, dataset, query) => {
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
  if (query.version === 'all') {
    const parts = shelf.parts(dataset.name)
    return { pieces: await scan(shelf, dataset, parts, known ? [known, ...wanted] : wanted) }
  }
  const latest = isNewest('record_id', 'version_no', known)
  return { pieces: [filter(await allRows(shelf, dataset), [latest, ...wanted])] }
}
