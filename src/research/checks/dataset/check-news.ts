import type { Table } from 'apache-arrow'
import { beijingMoment } from '../../../contract/date.js'
import { sentence } from '../../../contract/sentence.js'
import { fails, leavesOpen, passes } from '../check.js'
import { cellsByRow, type RowFinding, warn } from '../findings.js'
import { lawForm } from '../law-forms.js'
import { givenColumns, rowCheck } from '../row-check.js'

/** Records that are shown after the snapshot that holds them. */
function* shownLate(table: Table): Iterable<RowFinding<'warn'>> {
  const isLocal = lawForm('a local time').holds
  for (const { row, display_at: shown, updated_at: held } of cellsByRow(table, [], ['display_at', 'updated_at'])) {
    const snapshot = beijingMoment(held ?? '')
    if (shown === null || snapshot === undefined || !isLocal(shown) || shown <= snapshot) continue
    yield warn(row, 'order', sentence`display_at is after the snapshot that holds it, ${held}`)
  }
}

/**
 * News records: times in their form (published_at and time_label may be null), a rank from 1 or null, a title, addresses or
 * null, and each record of a source once. How published_at and display_at relate is not said anywhere, so it is not looked at.
 */
export const newsCheck = rowCheck({
  name: 'news',
  summary: 'times, ranks and sources of news',
  dataset: 'news',
  rule: 'Times are in their form, ranks count from 1, and a source has each of its records once.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Times, rank and addresses are what they should be.`),
    warn: leavesOpen(sentence`Shown after it was collected, an address that is not absolute, or an unknown source.`),
    duplicate: fails(sentence`The record of the source is a duplicate.`),
    mismatch: fails(sentence`A time, rank or title is not a valid one.`),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  twice: (cell) => sentence`${cell('source')} ${cell('source_id')} is a duplicate`,
  read: (table) => ({
    findings: shownLate(table),
    columns: givenColumns(table, 'news', 'display_at', 'source', 'source_id'),
  }),
})
