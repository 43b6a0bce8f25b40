import { isUtf8 } from 'node:buffer'
import { type Data, DataType, Field, Schema, type Table, Utf8, type Vector } from 'apache-arrow'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { tableOfChunks } from './arrow.js'
import { namedValues } from './unwrap.js'

/** Whether every cell of a type has its form, whatever bytes stand there. */
function isPlain(type: DataType): boolean {
  const isNumber = DataType.isInt(type) || DataType.isFloat(type) || DataType.isDecimal(type) || DataType.isBool(type)
  return isNumber || DataType.isDate(type) || DataType.isTime(type) || DataType.isTimestamp(type)
}

function isWhole({ type, values, valueOffsets, length, dictionary }: Data): boolean {
  if (dictionary) return dictionary.data.every(isWhole)
  return DataType.isUtf8(type) && (length === 0 || isUtf8(values.subarray(valueOffsets[0], valueOffsets[length])))
}

/** Bytes that are text, as text: their buffers are the same. */
function asText(table: Table): Table {
  const { fields, metadata } = table.schema
  if (!fields.some(({ type }) => DataType.isBinary(type))) return table
  const textField = (field: Field): Field =>
    DataType.isBinary(field.type) ? new Field(field.name, new Utf8(), field.nullable, field.metadata) : field
  const schema = new Schema(fields.map(textField), metadata)
  const textChunk = (chunk: Data): Data => (DataType.isBinary(chunk.type) ? chunk.clone(new Utf8() as never) : chunk)
  const batches = table.batches.map(({ data: { length, children } }) => ({ length, children: children.map(textChunk) }))
  return tableOfChunks(schema, batches)
}

/**
 * A table that was read from a file, of types that have a form here; bytes that are text are text.
 * @param name what errors call the file
 * @throws QuotebookError FILE naming a column of another type, or of bytes that are no text
 */
export function readable(table: Table, name: Words): Table {
  table.schema.fields.forEach((field, at) => {
    const vector = table.getChildAt(at) as Vector
    if (isPlain(field.type) || vector.data.every(isWhole)) return
    try {
      namedValues(String(field.name), vector)
    } catch (cause) {
      throw new QuotebookError('FILE', sentence`${name} can not be read: ${messageOf(cause)}`, { cause })
    }
  })
  return asText(table)
}
