import { join } from 'node:path'
import type { Archive } from '../archive/archive.js'
import { QuotebookError } from '../contract/error.js'
import type { TickFiles } from './tick-files.js'

/** The tick files of an archive. */
export function localTicks(archive: Archive): TickFiles {
  return {
    name: archive.name,
    async days(year) {
      const days = (await archive.manifest()).ticks.map(({ day }) => day)
      return year === undefined ? days : days.filter((day) => day.startsWith(`${year}`))
    },
    async file(day) {
      const entry = (await archive.manifest()).ticks.find((tick) => tick.day === day)
      if (!entry) throw new QuotebookError('FILE', `${archive.name} has no auction ticks of ${day}`)
      const { file, sha256, rows } = entry
      return { name: `the file of ${day}`, day, path: join(archive.dir, file), sha256, rows }
    },
  }
}
