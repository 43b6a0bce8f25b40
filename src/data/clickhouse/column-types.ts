import type { Column } from '../../contract/column.js'
import { columnTypeOf } from '../../frame/table/arrow.js'
import type { ColumnData, ColumnType, RecordColumns } from '../../frame/table/values.js'

/** Types that both 18.16 and today's servers have. A list that is missing is `[NULL]`: an array is never NULL there. */
const types: Readonly<Record<ColumnType, string>> = {
  float: 'Float64',
  int: 'Int32',
  boolean: 'UInt8',
  dictionary: 'String',
  string: 'String',
  list: 'Array(Nullable(String))',
}

/** The type of a form. */
export function typeOfForm(form: ColumnType, nullable: boolean): string {
  const type = types[form]
  return nullable && form !== 'list' ? `Nullable(${type})` : type
}

/** The type of a contract's column: nullable where the contract says so. */
export function clickHouseType({ kind, nullable }: Column): string {
  return typeOfForm(columnTypeOf(kind), nullable === true)
}

function hasNull(values: ColumnData): boolean {
  switch (values.type) {
    case 'dictionary':
      return values.data.some((code) => code < 0)
    case 'string':
    case 'list':
      return values.data.includes(null)
    default:
      return values.valid?.includes(0) === true
  }
}

/** Types of columns that no contract declares: nullable where a cell is missing. */
export function typesOf({ columns }: RecordColumns): Map<string, string> {
  return new Map([...columns].map(([name, values]) => [name, typeOfForm(values.type, hasNull(values))]))
}

/** The form of columns that are read back, where it is not the one that their types have by themselves. */
export function formsOf(columns: Readonly<Record<string, Column>>): Map<string, ColumnType> {
  return new Map(Object.entries(columns).map(([name, { kind }]) => [name, columnTypeOf(kind)]))
}

/** The form that a type of a server has when it is read. */
export function formOfType(type: string): ColumnType {
  const plain = type.replace(/^Nullable\((.*)\)$/s, '$1')
  if (plain.startsWith('Array')) return 'list'
  if (plain === 'Bool') return 'boolean'
  if (/^(U?Int(8|16)|Int32|Nothing)$/.test(plain)) return 'int'
  return /^(U?Int|Float|Decimal)/.test(plain) ? 'float' : 'dictionary'
}
