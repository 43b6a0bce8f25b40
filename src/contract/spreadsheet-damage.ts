import type { Column } from './column.js'
import { dateOf, isDate } from './date.js'
import { sentence, type Words } from './sentence.js'

/** A whole number that was written as a decimal or with an exponent: 600000.0, 1E+05. */
const rewritten = /^(\d+)\.0+$|^\d(?:\.\d+)?E\+?\d+$/i

function codeMeant(text: string): string | undefined {
  const [, bare = '', suffix = ''] = /^(.*?)(\.(?:SH|SZ|BJ|HK))?$/i.exec(text) ?? []
  const digits = rewritten.test(bare) ? String(Number(bare)) : bare
  const isHongKong = suffix.toUpperCase() === '.HK'
  const isShort = suffix === '' || isHongKong ? /^\d{1,4}$/ : /^\d{1,5}$/
  if (digits === bare && !isShort.test(bare)) return undefined
  return `${digits.padStart(isHongKong ? 5 : 6, '0')}${suffix}`
}

/** Days from 1970 back to the day 0 of a spreadsheet, 1899-12-30. */
const spreadsheetEpoch = 25_569

function dateMeant(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  const plain = year === '' ? text.replace(/\.0+$/, '') : year + month.padStart(2, '0') + day.padStart(2, '0')
  if (isDate(plain)) return plain
  return /^[34]\d{4}$/.test(plain) ? dateOf(Number(plain) - spreadsheetEpoch) : undefined
}

/** What a cell was, probably, before a spreadsheet or a table of numbers took its zeros or its form; undefined where nothing tells. */
export function meantBy({ kind, isOwn }: Pick<Column, 'kind' | 'isOwn'>, cell: unknown): string | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number') return undefined
  const text = String(cell)
  switch (kind) {
    case 'code':
      if (isOwn) return undefined
      return codeMeant(text) ?? (typeof cell === 'number' ? text : undefined)
    case 'date':
      return dateMeant(text)
    case 'minute':
      return /^\d{3}$/.test(text) ? `0${text}` : typeof cell === 'number' ? text : undefined
    default:
      return undefined
  }
}

/** Said of a cell that was mangled; '' where nothing tells. */
export function meantNote(column: Pick<Column, 'kind' | 'isOwn'>, cell: unknown): Words {
  const meant = meantBy(column, cell)
  return meant === undefined ? '' : sentence`: ${meant} was probably meant; keep the column as text`
}
