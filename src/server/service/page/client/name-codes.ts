import type { Dataset } from '../../../../contract/dataset.js'
import { namesInRows } from '../../../../contract/fitting-names.js'
import { NameList } from '../../../../data/names/name-list.js'
import { type ApiCall, readOutcome } from './api-call.js'
import type { WireParams } from './form-values.js'
import { sendCall } from './send-call.js'

/** Codes and names of the service's latest rows, asked for as the user would. @throws Error with what the service says */
async function askNames(
  dataset: Dataset,
  params: object,
  fields: readonly string[],
  key: string,
): Promise<[code: string, name: string][]> {
  const call = { dataset, params: params as WireParams, fields }
  const outcome = readOutcome(dataset, await sendCall(call, key, AbortSignal.timeout(60_000)))
  if (outcome.kind === 'none') return []
  if (outcome.kind !== 'content') throw new Error(outcome.message)
  const { fields: columns, items } = outcome.content
  const [codes = [], texts = []] = fields.map((name) => items.map((row) => row[columns.indexOf(name)] as string | null))
  return namesInRows(dataset, codes, texts)
}

let list: NameList | undefined
let lastKey = ''

/**
 * The call with codes in place of names: the service takes none. Names are asked for only where one was entered, once.
 * @throws ParamsError for a name that fits several codes, or none; Error with what the service says
 */
export async function withCodes(call: ApiCall, key: string): Promise<ApiCall> {
  lastKey = key
  list ??= new NameList((dataset, params, fields) => askNames(dataset, params, fields, lastKey))
  const params = (await list.params(call.dataset, call.params)) as WireParams
  return params === call.params ? call : { ...call, params }
}
