import type { Table } from 'apache-arrow'
import { newsSources } from '../../contract/catalogue/news.js'
import { beijingMoment } from '../../contract/date.js'
import type { Data } from '../../frame/data.js'
import { numbers, texts, words } from '../../frame/read-columns.js'
import { type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { labelColumn, textColumn } from '../check-columns.js'
import { duplicate, mismatch, type RowFinding, rowCheck, warn } from '../row-findings.js'

/** What `checkNews` says of a row; its documentation explains each word. */
export type NewsVerdict = 'pass' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<NewsVerdict>
type Texts = readonly (string | null)[]

const sources: Texts = newsSources
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

function isMoment(text: string | null): boolean {
  return text !== null && moment.test(text) && beijingMoment(text) === text
}

function isLabel(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}

function* timeRules(table: Table): Iterable<Found> {
  const [published, display] = [texts(table, 'published_at'), texts(table, 'display_at')]
  const [label, updated] = [texts(table, 'time_label'), texts(table, 'updated_at')]
  for (let row = 0; row < display.length; row++) {
    const [from, shown] = [published[row] ?? null, display[row] ?? null]
    const [short, at] = [label[row] ?? null, updated[row] ?? null]
    const wrongTimes = [
      from !== null && !isMoment(from) && `published_at ${from}`,
      !isMoment(shown) && `display_at ${shown}`,
      (at === null || beijingMoment(at) === undefined) && `updated_at ${at}`,
      short !== null && !isLabel(short) && `time_label ${short}`,
    ].filter((told) => typeof told === 'string')
    if (wrongTimes.length > 0) {
      yield mismatch(row, 'time', `no such time: ${wrongTimes.join(', ')}`)
    } else if ((shown ?? '') > (beijingMoment(at ?? '') ?? '')) {
      yield warn(row, 'order', `display_at is after the snapshot that holds it, ${at}`)
    }
  }
}

function* otherRules(table: Table): Iterable<Found> {
  const [source, id, title] = [texts(table, 'source'), texts(table, 'source_id'), texts(table, 'title')]
  const addresses = (['url', 'image'] as const).map((name) => [name, texts(table, name)] as const)
  const rank = numbers(table, 'rank')
  const seen = new Set<string>()
  for (let row = 0; row < source.length; row++) {
    const key = JSON.stringify([source[row], id[row]])
    if (seen.has(key)) yield duplicate(row, 'key', `${source[row]} ${id[row]} stands there twice`)
    seen.add(key)
    if (!sources.includes(source[row] ?? null)) {
      yield warn(row, 'source', `${source[row]} is none of the ${sources.length} sources`)
    }
    if ((title[row] ?? '').trim() === '') yield mismatch(row, 'title', 'the title is empty')
    const place = rank[row] as number
    if (!Number.isNaN(place) && !(Number.isInteger(place) && place >= 1)) {
      yield mismatch(row, 'rank', `rank ${place} is no place in a list`)
    }
    for (const [name, column] of addresses) {
      const address = column[row] ?? null
      if (address === null || /^https?:\/\/[^\s/]+/.test(address)) continue
      yield warn(row, 'address', `${name} is no absolute address`)
    }
  }
}

function* findings(table: Table): Iterable<Found> {
  yield* timeRules(table)
  yield* otherRules(table)
}

export const newsCheck = rowCheck<NewsVerdict>({
  name: 'news',
  summary: 'times, ranks and sources of news',
  chinese: '新闻的时间、名次与来源',
  dataset: 'news',
  rule: 'Times are in their form, ranks count from 1, and a source has each of its records once.',
  verdicts: {
    pass: passes('Times, rank and addresses are what they should be.'),
    warn: leavesOpen('Shown after it was collected, an address that is not absolute, or an unknown source.'),
    duplicate: fails('The record of the source stands there twice.'),
    mismatch: fails('A time, rank or title is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: findings(table),
    columns: {
      display_at: textColumn('label', 'Time that all sources are sorted by.', texts(table, 'display_at')),
      source: labelColumn('label', 'Code of the source.', words(table, 'source')),
      source_id: textColumn('label', 'Id of the record at its source.', texts(table, 'source_id')),
    },
  }),
})

/**
 * Holds news records against what is said of them: times in their form (published_at and time_label may be null), a rank
 * from 1 or null, a title, addresses or null, and each record of a source once. How published_at and display_at relate is
 * not said anywhere, so it is not looked at.
 *
 * - `pass`.
 * - `warn`: shown after the snapshot that holds it was collected, an address that is not absolute, or a source that is
 *   none of the four.
 * - `duplicate`: a record of a source a second time. `mismatch`: a time, rank or title that is none.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkNews(input: Data): CheckResult<NewsVerdict> {
  return newsCheck.check(input)
}
