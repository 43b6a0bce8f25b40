import type { Table } from 'apache-arrow'
import type { Archive } from '../archive/archive.js'
import { QuotebookError } from '../contract/error.js'
import { namesOf } from '../frame/column.js'
import { fromParquet } from '../frame/parquet.js'
import { withProvenance } from '../frame/provenance.js'
import type { TickFiles } from './tick-files.js'

/**
 * A day of auction ticks of an archive, with whatever columns its file has. The file is held against its checksum.
 * @throws QuotebookError FILE when the day has no file, ARCHIVE when the file is not what was written
 */
export async function readTicks(archive: Archive, day: string): Promise<Table> {
  const entry = (await archive.manifest()).ticks.find((tick) => tick.day === day)
  if (!entry) throw new QuotebookError('FILE', `${archive.name} has no auction ticks of ${day}`)
  const table = await fromParquet(await archive.bytes(entry.file, entry.sha256), entry.file)
  return withProvenance(table, {
    dataset: 'auction_tick',
    source: archive.name,
    request: { params: { day }, fields: namesOf(table) },
    rows: table.numRows,
    complete: table.numRows === entry.rows,
    total: entry.rows,
  })
}

/** The tick files of an archive. */
export function localTicks(archive: Archive): TickFiles {
  return {
    async days(year) {
      const days = (await archive.manifest()).ticks.map(({ day }) => day)
      return year === undefined ? days : days.filter((day) => day.startsWith(`${year}`))
    },
    read: (day) => readTicks(archive, day),
  }
}
