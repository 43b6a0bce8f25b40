import { firstTickYear } from '../../contract/catalogue/file-download.js'
import { newsSources } from '../../contract/catalogue/news.js'
import { indexNames } from '../../contract/catalogue/theme-daily.js'
import { beijingMoment, dateIn } from '../../contract/date.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { ownExchange, parseCode } from '../../contract/symbol.js'

/** What a column can be said to hold, and what is said of a cell that is none of it. */
interface LawForm {
  readonly holds: (cell: string | number) => boolean
  readonly wrong: (column: string, cell: string | number | null) => Words
}

const matches =
  (pattern: RegExp): LawForm['holds'] =>
  (cell) =>
    pattern.test(String(cell))
const isMoment: LawForm['holds'] = (cell) => beijingMoment(String(cell)) !== undefined
const isLocal: LawForm['holds'] = (cell) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(String(cell)) && beijingMoment(String(cell)) === cell
const isCount: LawForm['holds'] = (cell) => Number.isInteger(cell) && Number(cell) >= 0
const isPlace: LawForm['holds'] = (cell) => isCount(cell) && cell !== 0
const noTime: LawForm['wrong'] = (column, cell) => sentence`no such time: ${`${column} ${cell}`}`
const among = (list: readonly string[], wrong: (cell: unknown, count: number) => Words): LawForm => ({
  holds: (cell) => list.includes(String(cell)),
  wrong: (_, cell) => wrong(cell, list.length),
})

function isListed(cell: string | number): boolean {
  const code = parseCode(String(cell))
  return /^\d{6}$/.test(code.bare) && ['SH', 'SZ'].includes(ownExchange(code) ?? '')
}

/** Forms by the words of the laws: `url is an address`. */
// biome-ignore format: a table, one form a line
export const lawForms: Readonly<Record<string, LawForm>> = {
  'a stock code': { holds: matches(/^\d{6}(\.[A-Z]{2})?$/), wrong: (_, cell) => sentence`${cell} is no stock code` },
  'a code of six digits': { holds: matches(/^\d{6}$/), wrong: (_, cell) => sentence`${cell} is no code of six digits` },
  'a stock of Shanghai or Shenzhen': { holds: isListed, wrong: (_, cell) => sentence`${cell} is no stock of Shanghai or Shenzhen` },
  'a string of digits': { holds: matches(/^\d+$/), wrong: (_, cell) => sentence`${cell} is no string of digits` },
  'an address': { holds: matches(/^https?:\/\/[^\s/]+/), wrong: (column) => sentence`${column} is no absolute address` },
  'a text': { holds: (cell) => String(cell).trim() !== '', wrong: (column) => sentence`the ${column} is empty` },
  'a date or time': { holds: isMoment, wrong: (column, cell) => sentence`${column} ${cell} is no date or time` },
  'a point in time': { holds: (cell) => isMoment(cell) && dateIn(String(cell)) !== undefined, wrong: (column, cell) => sentence`${column} ${cell} is no point in time` },
  'a time of the vendor': { holds: isMoment, wrong: noTime },
  'a local time': { holds: isLocal, wrong: noTime },
  'a clock time': { holds: matches(/^([01]\d|2[0-3]):[0-5]\d$/), wrong: noTime },
  'a place in a list': { holds: isPlace, wrong: (column, cell) => sentence`${column} ${cell} is no place in a list` },
  'a version': { holds: isPlace, wrong: (column, cell) => sentence`${column} ${cell} is no version` },
  'a revision': { holds: isPlace, wrong: (column, cell) => sentence`${column} ${cell} is no revision` },
  'a year with files': { holds: (cell) => Number.isInteger(cell) && Number(cell) >= firstTickYear, wrong: (column, cell) => sentence`${column} ${cell} has no files` },
  'a count': { holds: isCount, wrong: (column, cell) => sentence`${column} ${cell} is no count` },
  'a size': { holds: isCount, wrong: (column, cell) => sentence`${column} ${cell} is no size` },
  'one of the sources': among(newsSources, (cell, count) => sentence`${cell} is none of the ${count} sources`),
  'one of the names': among(indexNames, (cell, count) => sentence`${cell} is none of the ${count} names`),
}

/** The form of a law; words that name none are what is meant: `status is ready`. */
export function lawForm(form: string): LawForm {
  const meant: LawForm = {
    holds: (cell) => cell === form,
    wrong: (column, cell) => sentence`${column} is ${cell}, not ${form}`,
  }
  return Object.hasOwn(lawForms, form) ? (lawForms[form] as LawForm) : meant
}
