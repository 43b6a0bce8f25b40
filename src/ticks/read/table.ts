import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { toBatches } from '../../table/arrow.js'
import { type Provenance, provenanceMetadata } from '../../table/provenance.js'
import {
  type ColumnData,
  type ColumnType,
  floatsIn,
  nulls,
  type RecordColumns,
  type Text,
  textIn,
} from '../../table/values.js'
import type { ColumnMetadata, DecodedColumns } from './decode.js'

/** What was read of a day. */
export interface DecodedDay {
  readonly day: string
  readonly decoded: DecodedColumns
}

/** Names of all days, in the order in which they came up. */
function namesOf(days: readonly DecodedDay[]): string[] {
  return [...new Set(days.flatMap(({ decoded }) => [...decoded.columns.of.keys()]))]
}

const kinds: Readonly<Record<ColumnType, string>> = {
  float: 'numbers',
  int: 'numbers',
  flag: 'true and false',
  codes: 'text',
  strings: 'text',
  lists: 'lists',
}

/** The one form of a column in all days. @throws QuotebookError FILE where it is text on one day and numbers on another */
function formOf(name: string, days: readonly DecodedDay[]): ColumnType {
  const found = days.flatMap(({ day, decoded }) => {
    const values = decoded.columns.of.get(name)
    return values ? [{ day, form: values.form, rows: decoded.columns.length }] : []
  })
  const filled = found.filter(({ rows }) => rows > 0)
  // Whether a number needs text to be told is not known where there is none.
  const [first, ...more] = filled.length > 0 ? filled : found
  if (!first) return 'float'
  const other = more.find(({ form }) => kinds[form] !== kinds[first.form])
  if (other) {
    const what = `column '${name}' has ${kinds[first.form]} on ${first.day} and ${kinds[other.form]} on ${other.day}`
    throw new QuotebookError('FILE', `${what}; read them apart`)
  }
  if (kinds[first.form] === 'text') return 'codes'
  return [first, ...more].some(({ form }) => form === 'float') ? 'float' : first.form
}

function inForm(values: ColumnData | undefined, form: ColumnType, rows: number): ColumnData {
  if (!values || rows === 0) return nulls(form, rows)
  if (form === 'codes') return textIn(values) as Text
  if (form !== 'float' || values.form !== 'int') return values
  return { form, data: floatsIn(values) as Float64Array, valid: values.valid }
}

/** Codes of all days into one list of words: those of a day that agree with it stay as they are. */
function shared(parts: readonly Text[]): Text[] {
  const words: string[] = []
  const places = new Map<string, number>()
  const placed = parts.map((part) => ({
    data: part.data,
    map: Int32Array.from(part.words, (word) => {
      const place = places.get(word) ?? words.push(word) - 1
      places.set(word, place)
      return place
    }),
  }))
  return placed.map(({ data, map }) => {
    if (map.every((place, code) => place === code)) return { form: 'codes', data, words }
    return { form: 'codes', data: data.map((code) => (code < 0 ? -1 : (map[code] as number))), words }
  })
}

function columnOf(name: string, days: readonly DecodedDay[]): readonly ColumnData[] {
  const form = formOf(name, days)
  const parts = days.map(({ decoded: { columns } }) => inForm(columns.of.get(name), form, columns.length))
  return form === 'codes' ? shared(parts as Text[]) : parts
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
  const names = namesOf(days)
  const columns = names.map((name) => columnOf(name, days))
  const parts = days.map(
    ({ decoded }, day): RecordColumns => ({
      length: decoded.columns.length,
      of: new Map(names.map((name, at) => [name, columns[at]?.[day] as ColumnData])),
    }),
  )
  return toBatches(parts, aboutOf(days), provenanceMetadata(about))
}
