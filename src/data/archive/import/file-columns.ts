import { basename } from 'node:path'
import type { Dataset } from '../../../contract/dataset.js'
import { ContractError, ImportError, messageOf } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { TextEncoding } from '../../../contract/text-encodings.js'
import { CsvSyntaxError } from '../../../frame/table/csv-read.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import { applyPreset } from './apply-preset.js'
import { readRaw } from './file-readers.js'
import { findPreset } from './find-preset.js'
import { namesOfHeads } from './head-names.js'
import { type ImportLimits, limitsOf } from './import-limits.js'
import { type ImportRemark, Spelling } from './spelling.js'

/** What a file holds, compared with the contract column by column. */
export interface FileColumns {
  /** The file's own name, without its folder. */
  readonly file: string
  /** Under the names of the contract, in the order of the file; none in an answer without data. */
  readonly columns: RecordColumns
  /** The names of the columns as the file has them; empty if it has no line of names. */
  readonly heads?: readonly string[]
  /** Line of a row in a text file, from 1; undefined where rows have no lines. */
  readonly lineOf?: ((row: number) => number) | undefined
  /** A saved reply of the service, which may have been cut at a cap or a page. */
  readonly reply: boolean
  /** What stood beside the rows in a reply. */
  readonly beside: Readonly<Record<string, unknown>>
  /** The request that a reply was saved with. */
  readonly request?: unknown
  readonly remarks: readonly ImportRemark[]
}

/** How a file is read. */
export interface FileReading {
  /** Names in the file → names of the contract. */
  readonly rename?: Readonly<Record<string, string>> | undefined
  readonly limits?: ImportLimits | undefined
  /** Of a file of text; absent: as its words tell. */
  readonly encoding?: TextEncoding | undefined
  /** Called now and then with the share of a CSV that was read, from 0 to 1; what it throws ends the reading. */
  readonly onRead?: (done: number) => void
}

type Lines = Pick<FileColumns, 'lineOf'> | undefined

/** The line of a row, as an error states it: nothing where rows have no lines. */
export function lineOf(lines: Lines, row: number | undefined): { line?: number } {
  return row === undefined || !lines?.lineOf ? {} : { line: lines.lineOf(row) }
}

/** An error in terms of the file that was read. */
export function inFile(file: string, lines: Lines, cause: unknown): ImportError {
  if (cause instanceof ImportError) return cause
  if (cause instanceof CsvSyntaxError) return new ImportError(file, messageOf(cause), { line: cause.line, cause })
  if (!(cause instanceof ContractError))
    return new ImportError(file, messageOf(cause).replace(`${file} `, ''), { cause })
  const field = cause.field === undefined ? {} : { field: cause.field }
  return new ImportError(file, messageOf(cause), { ...lineOf(lines, cause.row), ...field, cause })
}

/**
 * A saved reply (a whole envelope), a JSON array of row objects, a CSV, a Parquet, an Arrow or an Excel file, told apart by their
 * content.
 * @param path for the name that errors tell
 * @throws ImportError naming the file, and the line and field where there are any
 */
export async function readFileColumns(
  path: string,
  bytes: Buffer,
  dataset: Dataset,
  { rename = {}, limits, encoding, onRead }: FileReading = {},
): Promise<FileColumns> {
  const file = basename(path)
  const spelling = new Spelling(dataset)
  const most = limitsOf(limits)
  let lines: Lines
  try {
    const raw = await readRaw(path, { file, bytes, dataset, limits: most, spelling, encoding, onRead })
    lines = raw
    await new Promise(setImmediate)
    onRead?.(0)
    const { reply = false, beside = {}, request, remarks = [], fields, form } = raw
    const preset = reply ? undefined : findPreset(file, dataset, rename, fields, form)
    const names = fields.length > 0 ? namesOfHeads(file, dataset, rename, fields, preset?.columns) : []
    if (new Set(names).size < names.length) throw new ContractError(dataset.name, sentence`a field is named twice`)
    spelling.isShort = preset !== undefined
    const read = await raw.columns(names)
    if (!reply) spelling.check(read)
    const made = preset && applyPreset(dataset, preset, read)
    const columns = made?.columns ?? read
    if (columns.length <= most.rows)
      return {
        file,
        columns,
        heads: fields,
        lineOf: raw.lineOf,
        reply,
        beside,
        request,
        remarks: [...(made ? [made.remark] : []), ...remarks, ...spelling.remarks],
      }
    const message = sentence`has ${columns.length} rows, and ${most.rows} are the most that is read; give it in parts`
    throw new ImportError(file, message)
  } catch (error) {
    throw inFile(file, lines, error)
  }
}
