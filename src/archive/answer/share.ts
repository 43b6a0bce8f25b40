import { ParamsError } from '../../contract/error.js'
import { decode } from '../../frame/decode.js'
import type { Rule } from './rule.js'
import { empty } from './scan.js'

/**
 * file_download over an archive: its own tick files of the year. The share is a folder: it has no password and does not
 * expire, so `password` is empty and `expires_at` the last moment that can be written.
 */
export const share: Rule = async (shelf, dataset, query) => {
  const all = shelf.ticks()
  const newest = Number(all.at(-1)?.day.slice(0, 4) ?? query.year)
  if (Number(query.year) > newest) {
    throw new ParamsError('year', `year must be from 2022 to ${newest}, the latest that has files, not ${query.year}.`)
  }
  const files = all.filter(({ day }) => day.startsWith(String(query.year)))
  const [first, last] = [files[0], files.at(-1)]
  if (!first || !last) return { columns: empty(dataset) }
  const row = {
    data_type: query.data_type,
    year: query.year,
    start_date: first.day,
    end_date: last.day,
    file_count: files.length,
    size_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    status: 'ready',
    url: 'ticks/',
    password: '',
    expires_at: '9999-12-31T23:59:59+08:00',
    retry_after: 0,
  }
  return { columns: decode(dataset, Object.keys(row), [Object.values(row)]) }
}
