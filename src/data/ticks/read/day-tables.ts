import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { toBatches } from '../../../frame/table/arrow.js'
import { DictionaryBuilder } from '../../../frame/table/column-builder.js'
import type { ColumnMetadata, DecodedColumns } from '../../../frame/table/parquet-file/decode-columns.js'
import { type Provenance, provenanceMetadata } from '../../../frame/table/provenance.js'
import {
  type ColumnData,
  type ColumnType,
  floatsIn,
  nulls,
  type RecordColumns,
  type Text,
  textIn,
} from '../../../frame/table/values.js'

/** What was read of a day. */
export interface DecodedDay {
  readonly day: string
  readonly decoded: DecodedColumns
}

const kinds: Readonly<Record<ColumnType, Words>> = {
  float: sentence`numbers`,
  int: sentence`numbers`,
  boolean: sentence`true and false`,
  dictionary: sentence`text`,
  string: sentence`text`,
  list: sentence`lists`,
}

/** The one type of a column in all days. @throws QuotebookError FILE where it is text on one day and numbers on another */
function formOf(name: string, days: readonly DecodedDay[]): ColumnType {
  const found = days.flatMap(({ day, decoded }) => {
    const values = decoded.columns.columns.get(name)
    return values ? [{ day, type: values.type, rows: decoded.columns.length }] : []
  })
  const filled = found.filter(({ rows }) => rows > 0)
  // A file without rows does not show whether its numbers fit a double.
  const [first, ...more] = filled.length > 0 ? filled : found
  if (!first) return 'float'
  const other = more.find(({ type }) => `${kinds[type]}` !== `${kinds[first.type]}`)
  if (other) {
    const what = sentence`column '${name}' has ${kinds[first.type]} on ${first.day} and ${kinds[other.type]} on ${other.day}`
    throw new QuotebookError('FILE', sentence`${what}; read them apart`)
  }
  if (`${kinds[first.type]}` === 'text') return 'dictionary'
  return [first, ...more].some(({ type }) => type === 'float') ? 'float' : first.type
}

function inForm(values: ColumnData | undefined, type: ColumnType, rows: number): ColumnData {
  if (!values || rows === 0) return nulls(type, rows)
  if (type === 'dictionary') return textIn(values) as Text
  if (type !== 'float' || values.type !== 'int') return values
  return { type, data: floatsIn(values) as Float64Array, valid: values.valid }
}

/** Codes of all days into one list of words: those of a day that agree with it stay as they are. */
function shareWords(parts: readonly Text[]): Text[] {
  const words = new DictionaryBuilder(0)
  const maps = parts.map(({ dictionary }) => Int32Array.from(dictionary, (word) => words.codeOf(word)))
  return parts.map(({ data }, part) => {
    const map = maps[part] as Int32Array
    const isSame = map.every((place, code) => place === code)
    const codes = isSame ? data : data.map((code) => (code < 0 ? -1 : (map[code] as number)))
    return { type: 'dictionary', data: codes, dictionary: words.dictionary }
  })
}

function columnOf(name: string, days: readonly DecodedDay[]): readonly ColumnData[] {
  const type = formOf(name, days)
  const parts = days.map(({ decoded: { columns } }) => inForm(columns.columns.get(name), type, columns.length))
  return type === 'dictionary' ? shareWords(parts as Text[]) : parts
}

/** What all days that have a column say alike of it: a unit that changed is none. */
function aboutOf(days: readonly DecodedDay[]): ColumnMetadata {
  const about = new Map<string, ReadonlyMap<string, string>>()
  for (const { decoded } of days) {
    for (const [name, own] of decoded.metadata) {
      const known = about.get(name) ?? own
      about.set(name, new Map([...known].filter(([key, value]) => own.get(key) === value)))
    }
  }
  return about
}

/**
 * Days as one table, a batch a day. A column that a day does not have is missing there.
 * @throws QuotebookError FILE where a column has numbers on one day and text on another
 */
export function tableOfDays(days: readonly DecodedDay[], about: Provenance): Table {
  // In the order in which they came up.
  const names = [...new Set(days.flatMap(({ decoded }) => [...decoded.columns.columns.keys()]))]
  const columns = names.map((name) => columnOf(name, days))
  const parts = days.map(
    ({ decoded }, day): RecordColumns => ({
      length: decoded.columns.length,
      columns: new Map(names.map((name, at) => [name, columns[at]?.[day] as ColumnData])),
    }),
  )
  return toBatches(parts, aboutOf(days), provenanceMetadata(about))
}
