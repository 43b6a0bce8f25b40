import { basename } from 'node:path'
import type { Dataset } from '../../../contract/dataset.js'
import { ImportError, messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { parseJson } from '../../../frame/table/check-json.js'
import type { FileColumns } from './file-columns.js'
import { readBytes } from './import-limits.js'

const ending = '.request.json'

/** Where the request of a file is kept: `bars.request.json` beside `bars.json` or `bars.csv`. */
export function requestPath(path: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}${ending}`
}

/** Whether a file is the request of another, and no rows to import. */
export const isRequest = (path: string): boolean => path.endsWith(ending)

/** The request that is kept beside a file; undefined when there is none. @throws ImportError for one that is no JSON */
export async function requestBeside(path: string): Promise<unknown> {
  const beside = requestPath(path)
  const bytes = await readBytes(beside).catch((error: ImportError) => {
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  })
  if (bytes === undefined) return undefined
  try {
    return parseJson(bytes.toString(), 'it')
  } catch (cause) {
    if (cause instanceof QuotebookError) throw new ImportError(basename(beside), cause.message, { cause })
    throw new ImportError(basename(beside), sentence`is not JSON: ${messageOf(cause)}`, { cause })
  }
}

interface Request {
  readonly apiname?: unknown
  readonly params?: Readonly<Record<string, unknown>>
}

/** The one value of a param; undefined when there are several or none. */
function single(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 1 ? single(value[0]) : undefined
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && !value.includes(',') ? value : undefined
}

/**
 * What a request says of every row of its reply: the columns that the reply lacks and that were asked for by one value, or by
 * none where the contract has a default.
 * @param set what was said of the whole import, which goes before
 * @throws ImportError for a request of another dataset
 */
export function columnsOfRequest(
  dataset: Dataset,
  { file, columns }: FileColumns,
  request: unknown,
  set: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return {}
  const { apiname, params = {} } = request as Request
  if (apiname !== undefined && apiname !== dataset.name) {
    throw new ImportError(file, sentence`was kept with a request for ${String(apiname)}, not ${dataset.name}`)
  }
  const lacking = Object.keys({ ...dataset.columns, ...dataset.stored }).filter(
    (name) => !columns.columns.has(name) && !Object.hasOwn(set, name) && Object.hasOwn(dataset.params, name),
  )
  const found = lacking.flatMap((name) => {
    const value = single(params[name] ?? dataset.params[name]?.default)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}
