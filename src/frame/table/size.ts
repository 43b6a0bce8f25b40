import type { ColumnData, RecordColumns } from './values.js'

function sizeOf(values: ColumnData): number {
  if (values.type === 'float') return values.data.byteLength + (values.valid?.byteLength ?? 0)
  if (values.type === 'int' || values.type === 'boolean')
    return values.data.byteLength + (values.valid?.byteLength ?? 0)
  if (values.type === 'dictionary') return values.data.byteLength + values.dictionary.length * 48
  if (values.type === 'string') return values.data.reduce((sum, text) => sum + 32 + 2 * (text?.length ?? 0), 0)
  return values.data.reduce((sum, list) => sum + 32 + 48 * (list?.length ?? 0), 0)
}

/** Bytes that columns take in memory, about: typed arrays exactly, texts as the engine is likely to hold them. */
export function bytesOf(columns: RecordColumns): number {
  return [...columns.columns.values()].reduce((sum, values) => sum + sizeOf(values), 1)
}
