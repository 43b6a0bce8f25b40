import { allNames, datasetOf, findDataset } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { ParamsError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import { withoutMark } from '../../contract/without-mark.js'

/** A request as it came: an object of which no field is checked. */
export type RawRequest = Readonly<Record<string, unknown>>

const fieldNames = ['apikey', 'apiname', 'fields', 'params']
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** The body of a request. @throws ParamsError when it is no JSON object */
export function parseBody(body: Uint8Array): RawRequest {
  if (body.length === 0)
    throw new ParamsError('body', sentence`the body is empty; it must be a JSON object with apikey and apiname.`)
  let value: unknown
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString()
    // What is no UTF-8 would, decoded loosely, ask for something else.
    if (text.includes('\ufffd')) strictUtf8.decode(body)
    value = JSON.parse(withoutMark(text))
  } catch {
    throw new ParamsError(
      'body',
      sentence`the body is not JSON in UTF-8; it must be an object with apikey and apiname.`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ParamsError('body', sentence`the body must be a JSON object with apikey and apiname.`)
  }
  return value as RawRequest
}

/** The key of a request as it came, '' when there is none. With a blank more it is another key. */
export function readApikey({ apikey }: RawRequest): string {
  return typeof apikey === 'string' && apikey.trim() !== '' ? apikey : ''
}

/** What a request asks for, its params still unchecked. */
export interface ApiRequest {
  readonly dataset: Dataset
  readonly fields: string | null | undefined
  readonly params: unknown
  /** Past the caps of the contract. */
  readonly whole?: boolean
}

/** The operation of a request. @throws ParamsError that names the field */
export function readOperation(request: RawRequest): ApiRequest {
  for (const name in request) {
    if (!fieldNames.includes(name)) throw unknownName(name, name, fieldNames, 'field', sentence`the request`)
  }
  const { apiname, fields, params } = request
  if (apiname === undefined || apiname === null) throw new ParamsError('apiname', sentence`apiname is missing.`)
  if (typeof apiname !== 'string') throw new ParamsError('apiname', sentence`apiname must be a string.`)
  if (!findDataset(apiname)) {
    throw unknownName('apiname', apiname, allNames(), 'apiname')
  }
  if (fields !== undefined && fields !== null && typeof fields !== 'string') {
    throw new ParamsError('fields', sentence`fields must be one string: names separated by commas.`)
  }
  return { dataset: datasetOf(apiname), fields, params }
}
