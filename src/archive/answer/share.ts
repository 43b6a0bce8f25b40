import { ParamsError } from '../../contract/error.js'
import { decode } from '../../table/decode.js'
import { wholeSlice } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/**
 * An archive has no clock: its latest year counts as the present one. `present`: the year that it is, where somebody knows.
 * @throws ParamsError for a year after it
 */
export function checkShareYear(ticks: readonly { readonly day: string }[], year: number, present = 0): void {
  const last = Math.max(present, Number(ticks.at(-1)?.day.slice(0, 4) ?? year))
  if (year <= last) return
  throw new ParamsError('year', `year must be from 2022 to ${last}, not ${year}.`)
}

/**
 * file_download over an archive: its own tick files of the year. The share is a folder: it has no password and does not
 * expire, so `password` is empty and `expires_at` the last moment that can be written.
 */
export const share: AnswerRule = async (snapshot, dataset, query) => {
  const all = snapshot.ticks()
  checkShareYear(all, Number(query.year))
  const files = all.filter(({ day }) => day.startsWith(String(query.year)))
  const [first, last] = [files[0], files.at(-1)]
  if (!first || !last) return { slices: [] }
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
  return { slices: [wholeSlice(decode(dataset, Object.keys(row), [Object.values(row)]))] }
}
