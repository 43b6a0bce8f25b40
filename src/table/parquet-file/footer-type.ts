import type { SchemaElement } from 'hyparquet'

const plain: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  INT32: 'int32',
  INT64: 'int64',
  INT96: 'int96',
  FLOAT: 'float',
  DOUBLE: 'double',
  BYTE_ARRAY: 'binary',
}

const converted: Readonly<Record<string, string>> = {
  UTF8: 'string',
  ENUM: 'string',
  JSON: 'json',
  BSON: 'bson',
  DATE: 'date',
  TIME_MILLIS: 'time[ms]',
  TIME_MICROS: 'time[us]',
  TIMESTAMP_MILLIS: 'timestamp[ms, UTC]',
  TIMESTAMP_MICROS: 'timestamp[us, UTC]',
  UINT_8: 'uint8',
  UINT_16: 'uint16',
  UINT_32: 'uint32',
  UINT_64: 'uint64',
  INT_8: 'int8',
  INT_16: 'int16',
  INT_32: 'int32',
  INT_64: 'int64',
  INTERVAL: 'interval',
}

const units = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const

function logical({ logical_type: type }: SchemaElement): string | undefined {
  switch (type?.type) {
    case 'STRING':
    case 'ENUM':
      return 'string'
    case 'DATE':
      return 'date'
    case 'DECIMAL':
      return `decimal(${type.precision},${type.scale})`
    case 'TIME':
      return `time[${units[type.unit]}]`
    case 'TIMESTAMP':
      return `timestamp[${units[type.unit]}${type.isAdjustedToUTC ? ', UTC' : ''}]`
    case 'INTEGER':
      return `${type.isSigned ? 'int' : 'uint'}${type.bitWidth}`
    case 'FLOAT16':
    case 'JSON':
    case 'BSON':
    case 'UUID':
      return type.type.toLowerCase()
    default:
      return undefined
  }
}

/** The type of a column in a word; undefined for one that has none. */
export function typeOf(element: SchemaElement): string | undefined {
  const { type, type_length: length, converted_type: old, precision, scale = 0 } = element
  if (type === undefined) return undefined
  if (element.logical_type) return logical(element) ?? plain[type] ?? `fixed(${length})`
  if (old === 'DECIMAL') return `decimal(${precision},${scale})`
  return converted[old ?? ''] ?? plain[type] ?? `fixed(${length})`
}
