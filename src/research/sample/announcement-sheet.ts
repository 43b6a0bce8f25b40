import { groupItems } from '../../frame/table/group-items.js'
import { hostileSummaries, hostileTitles } from './hostile-texts.js'
import { below, type Draw, drawsFrom, fork, isChosen } from './random.js'
import { clock, type Day, dashed, sampleDaysBetween } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { type WholeRow, wholeSheetOf } from './sample-sheet.js'
import { nameOn, type SampleStock } from './sample-stock.js'
import { announcementTopics, fillBlanks, reportSummaries, type Topic } from './sample-texts.js'

type Row = WholeRow<'finance_announcement'>

/** First day of the service's history. */
const since = '20260101'
const reportNames: Readonly<Record<string, string>> = {
  '1231': '年度报告',
  '0331': '第一季度报告',
  '0630': '半年度报告',
  '0930': '第三季度报告',
}

/** First day of the quarter of a date. */
function quarterStart(date: string): string {
  const month = Math.floor((Number(date.slice(4, 6)) - 1) / 3) * 3 + 1
  return `${date.slice(0, 4)}${String(month).padStart(2, '0')}01`
}

/** End of the quarter before a date. */
function periodBefore(date: string): string {
  const year = Number(date.slice(0, 4))
  const ends = [`${year - 1}1231`, `${year}0331`, `${year}0630`, `${year}0930`]
  return ends[Math.floor((Number(date.slice(4, 6)) - 1) / 3)] ?? ''
}

/** Half of the records name a day, half a time. Both forms sort as time passes. */
function disclosed(day: Day, { int, once }: Draw): Pick<Row, 'event_date' | 'disclosed_at'> {
  const time = clock(once(5) ? 7 * 3600 + int(0, 5400) : 16 * 3600 + int(0, 6 * 3600))
  const date = dashed(day.date)
  return { event_date: once(2) ? date : `${date} ${time}`, disclosed_at: `${date}T${time}` }
}

interface Texts {
  readonly events: readonly Topic[]
  readonly reports: readonly string[]
}

const plainTexts: Texts = { events: announcementTopics, reports: reportSummaries }
const hostileTexts: Texts = {
  events: [...announcementTopics, ...hostileTitles.map((title) => ({ title, bodies: hostileSummaries }))],
  reports: [...reportSummaries, ...hostileSummaries],
}

type Body = Pick<Row, 'summary' | 'content_url' | 'record_id'>

function bodyOf(record: string, summaries: readonly string[], words: Draw, { once, pick }: Draw): Body {
  return {
    summary: once(4) ? null : fillBlanks(pick(summaries), words),
    content_url: once(6) ? null : `https://example.invalid/announcement/${record}.html`,
    record_id: record,
  }
}

/** The report of a stock for one period, disclosed on a day of the quarter after it, and its revision. */
function* reportRows(root: number, texts: Texts, stock: SampleStock, quarter: readonly Day[]): Iterable<Row> {
  const period = periodBefore(quarter[0]?.date ?? '')
  const own = fork(fork(fork(root, 'report'), stock.code), Number(period))
  const place = below(fork(own, 'day'), 62)
  const record = `R${stock.code}-${period}`
  const title = `${period.slice(0, 4)}年${reportNames[period.slice(4)] ?? '定期报告'}`
  const versions = [place, ...(isChosen(own, 4) ? [place + 3 + below(fork(own, 'wait'), 15)] : [])]
  for (const [at, when] of versions.entries()) {
    const day = quarter[when]
    if (!day) continue
    const draws = drawsFrom(fork(own, at))
    yield {
      symbol: stock.code,
      ...disclosed(day, draws),
      title: `${nameOn(stock, day)}:${title}${at === 0 ? '' : '(修订版)'}`,
      announcement_type: 'financial_report',
      ...bodyOf(record, texts.reports, drawsFrom(fork(own, 'words')), draws),
      version_no: at + 1,
      period,
    }
  }
}

/** An event of a stock on a day, now and then revised on the next trading day. */
function* eventRows(root: number, texts: Texts, stock: SampleStock, day: Day, next: Day | undefined): Iterable<Row> {
  const own = fork(fork(fork(root, 'event'), stock.code), day.t)
  if (!isChosen(own, 7)) return
  const draws = drawsFrom(own)
  const announcement_type = draws.once(8) ? 'unknown' : 'other'
  const topic = draws.pick(texts.events)
  const words = drawsFrom(fork(own, 'words'))
  const subject = fillBlanks(topic.title, words, { year: day.date.slice(0, 4) })
  const title = /^[=+@]/.test(subject) ? subject : `${nameOn(stock, day)}:${subject}`
  const record = `E${stock.code}-${day.date}`
  const common = { symbol: stock.code, announcement_type, period: null } as const
  yield { ...common, ...disclosed(day, draws), title, ...bodyOf(record, topic.bodies, words, draws), version_no: 1 }
  if (!draws.once(12) || !next) return
  yield {
    ...common,
    ...disclosed(next, draws),
    title: `${title}(更正)`,
    ...bodyOf(record, topic.bodies, words, draws),
    version_no: 2,
  }
}

/** From the start of the first day's quarter, so that its reports are there; not before 2026. */
function announcementDays(sample: Sample): Day[] {
  const first = quarterStart(sample.days[0]?.date ?? '')
  return sampleDaysBetween(first > since ? first : since, sample.latest.date)
}

function* allRows(sample: Sample, days: readonly Day[]): Iterable<Row> {
  const root = fork(sample.seed, 'announcement')
  const texts = sample.hostile ? hostileTexts : plainTexts
  const quarters = groupItems(days, ({ date }) => quarterStart(date))
  for (const stock of sample.stocks) {
    for (const quarter of quarters.values()) yield* reportRows(root, texts, stock, quarter)
    for (const [at, day] of days.entries()) yield* eventRows(root, texts, stock, day, days[at + 1])
  }
}

/** Announcements with all their versions: reports of the quarter before, and events. */
export const announcementSheet = wholeSheetOf('finance_announcement', announcementDays, allRows)
