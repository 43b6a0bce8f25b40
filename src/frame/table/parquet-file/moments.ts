import { DataType, Field, Schema, type Timestamp, TimestampSecond, tableFromIPC, type Vector } from 'apache-arrow'
import { worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { Codec, CodecFile } from '../parquet-engine.js'
import { type Footer, footerAt } from './footer.js'
import { type CellSelection, isSelected } from './pages.js'
import { asBlob, type Ranges, withFooter } from './ranges.js'
import { schemaMessage, withSchema } from './schema-hint.js'

/** First row whose moment, told finer than seconds, is of another second. */
function wrapped(own: Vector, seconds: Vector): number {
  const unit = 10n ** BigInt((own.type as Timestamp).unit * 3)
  let at = 0
  for (const chunk of own.data) {
    const counts = chunk.values as BigInt64Array
    for (let i = 0; i < chunk.length; i++, at++) {
      if (!chunk.getValid(i)) continue
      const count = counts[i] as bigint
      const rest = ((count % unit) + unit) % unit
      if ((count - rest) / unit !== seconds.data[0]?.values[at]) return at
    }
  }
  return -1
}

/**
 * Holds moments of the type INT96, which reach further than a number of 64 bits has nanoseconds, against their seconds: the
 * codec lets what is before 1677 or after 2262 begin again from the other end.
 * @throws RangeError naming the column
 */
export async function checkMoments(
  { ParquetFile }: Codec,
  ranges: Ranges,
  { columns, rowGroups }: Footer,
  part: CellSelection = {},
): Promise<void> {
  const names = columns.filter(({ name, type }) => type === 'int96' && isSelected(part, name)).map(({ name }) => name)
  if (names.length === 0) return
  const file = await ParquetFile.fromFile(asBlob(ranges))
  const { schema } = tableFromIPC(file.schema().intoIPCStream())
  const fields = schema.fields.map((field) =>
    names.includes(String(field.name)) ? new Field(field.name, new TimestampSecond(), field.nullable) : field,
  )
  const nested = names.find((name) => !fields.some((field) => field.name === name && DataType.isTimestamp(field.type)))
  if (nested !== undefined)
    throw worded(RangeError, sentence`column '${nested}' has moments of the type INT96 in nested values`)
  const { start, footer } = await footerAt(ranges)
  const message = schemaMessage(new Schema(fields, schema.metadata))
  const inSeconds = await ParquetFile.fromFile(asBlob(withFooter(ranges, start, withSchema(footer, message))))
  const read = async (from: CodecFile, group: number) =>
    tableFromIPC(
      (await from.read({ rowGroups: [group], columns: names, batchSize: rowGroups[group]?.rows ?? 1 })).intoIPCStream(),
    )
  for (const group of rowGroups.keys()) {
    if (part.rowGroups?.includes(group) === false || rowGroups[group]?.rows === 0) continue
    const [own, seconds] = [await read(file, group), await read(inSeconds, group)]
    for (const name of names) {
      const row = wrapped(own.getChild(name) as Vector, seconds.getChild(name) as Vector)
      if (row >= 0)
        throw worded(
          RangeError,
          sentence`column '${name}' has a moment outside of 1677 to 2262 (row ${row + 1} of row group ${group + 1})`,
        )
    }
  }
  file.free()
  inSeconds.free()
}
