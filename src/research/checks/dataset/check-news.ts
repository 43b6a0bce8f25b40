import { newsSources } from '../../../contract/catalogue/news.js'
import { beijingMoment } from '../../../contract/date.js'
import { dictionary, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, textColumn } from '../check-columns.js'
import { brokenLaws, type CellsOf, cellsByRow, type Law, repeatedKeys, rowCheck } from '../row-findings.js'

type Verdict = 'pass' | 'warn' | 'duplicate' | 'mismatch'

const textNames = [
  'published_at',
  'display_at',
  'time_label',
  'updated_at',
  'source',
  'source_id',
  'title',
  'url',
  'image',
] as const
type News = CellsOf<'rank', (typeof textNames)[number]>

const sources: readonly (string | null)[] = newsSources

function isMoment(text: string | null): boolean {
  return text !== null && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text) && beijingMoment(text) === text
}

function wrongTimes({ published_at, display_at, time_label, updated_at }: News): string {
  const told = [
    published_at !== null && !isMoment(published_at) && `published_at ${published_at}`,
    !isMoment(display_at) && `display_at ${display_at}`,
    beijingMoment(updated_at ?? '') === undefined && `updated_at ${updated_at}`,
    time_label !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time_label) && `time_label ${time_label}`,
  ]
  return told.filter(Boolean).join(', ')
}

function isAfterSnapshot({ display_at, updated_at }: News): boolean {
  return (display_at ?? '') > (beijingMoment(updated_at ?? '') ?? '')
}

export function isAddress(text: string | null): boolean {
  return text !== null && /^https?:\/\/[^\s/]+/.test(text)
}

function lawsOf(repeated: ReadonlySet<number>): readonly Law<News, Verdict>[] {
  return [
    { rule: 'time', verdict: 'mismatch', broken: (one) => wrongTimes(one) && `no such time: ${wrongTimes(one)}` },
    {
      rule: 'order',
      verdict: 'warn',
      broken: (one) =>
        !wrongTimes(one) && isAfterSnapshot(one) && `display_at is after the snapshot that holds it, ${one.updated_at}`,
    },
    {
      rule: 'key',
      verdict: 'duplicate',
      broken: ({ row, source, source_id }) => repeated.has(row) && `${source} ${source_id} is a duplicate`,
    },
    {
      rule: 'source',
      verdict: 'warn',
      broken: ({ source }) => !sources.includes(source) && `${source} is none of the ${sources.length} sources`,
    },
    { rule: 'title', verdict: 'mismatch', broken: ({ title }) => (title ?? '').trim() === '' && 'the title is empty' },
    {
      rule: 'rank',
      verdict: 'mismatch',
      broken: ({ rank }) =>
        !Number.isNaN(rank) && !(Number.isInteger(rank) && rank >= 1) && `rank ${rank} is no place in a list`,
    },
    {
      rule: 'address',
      verdict: 'warn',
      broken: (one) =>
        (['url', 'image'] as const).map(
          (name) => one[name] !== null && !isAddress(one[name]) && `${name} is no absolute address`,
        ),
    },
  ]
}

/**
 * News records: times in their form (published_at and time_label may be null), a rank from 1 or null, a title, addresses or
 * null, and each record of a source once. How published_at and display_at relate is not said anywhere, so it is not looked at.
 */
export const newsCheck = rowCheck<Verdict>({
  name: 'news',
  summary: 'times, ranks and sources of news',
  chinese: '新闻的时间、名次与来源',
  dataset: 'news',
  rule: 'Times are in their form, ranks count from 1, and a source has each of its records once.',
  verdicts: {
    pass: passes('Times, rank and addresses are what they should be.'),
    warn: leavesOpen('Shown after it was collected, an address that is not absolute, or an unknown source.'),
    duplicate: fails('The record of the source is a duplicate.'),
    mismatch: fails('A time, rank or title is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => {
    const rows = cellsByRow(table, ['rank'], textNames)
    const repeated = repeatedKeys(rows, ({ source, source_id }) => JSON.stringify([source, source_id]))
    return {
      findings: brokenLaws(lawsOf(repeated), rows),
      columns: {
        display_at: textColumn('label', 'Time that all sources are sorted by.', strings(table, 'display_at')),
        source: labelColumn('label', 'Code of the source.', dictionary(table, 'source')),
        source_id: textColumn('label', 'Id of the record at its source.', strings(table, 'source_id')),
      },
    }
  },
})
