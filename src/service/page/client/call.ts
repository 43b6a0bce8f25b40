import type { Dataset } from '../../../contract/dataset.js'
import type { WireParams } from './form-values.js'

/** A call without its key. `fields` undefined: all of them. */
export interface Call {
  readonly dataset: Dataset
  readonly params: WireParams
  readonly fields: readonly string[] | undefined
}

/** The body of a request, as the contract has it (section 2.1). */
export function bodyOf(call: Call, apikey: string): Readonly<Record<string, unknown>> {
  const { dataset, params, fields } = call
  const hasParams = dataset.needsParams === true || Object.keys(params).length > 0
  return {
    apikey,
    apiname: dataset.name,
    ...(fields === undefined ? {} : { fields: fields.join(',') }),
    ...(hasParams ? { params } : {}),
  }
}
