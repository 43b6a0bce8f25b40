import { isDate } from '../../contract/date.js'

/** 2026-07-01, 2026/7/1 and 2026-07-01 00:00:00, as databases and spreadsheets write days. */
const spelled = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?$/

/** A day as the contract writes it: `20260701` for `2026-07-01`; any other text, and a day that is none, as it is. */
export function plainDate(text: string): string {
  const [, year = '', , month = '', day = ''] = spelled.exec(text) ?? []
  const plain = `${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`
  return year !== '' && isDate(plain) ? plain : text
}

/** Reads the days of a file, and remembers in which columns they were written otherwise. */
export class DaySpelling {
  readonly #columns = new Set<string>()

  read(column: string, text: string): string {
    const plain = plainDate(text)
    if (plain !== text) this.#columns.add(column)
    return plain
  }

  get columns(): readonly string[] {
    return [...this.#columns]
  }
}
