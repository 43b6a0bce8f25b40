import { ParamsError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { Given } from './tool.js'

/** What a link stands for: a tool's answer as a file, which is made when it is read. */
export interface ToolLink {
  readonly tool: string
  readonly form: string
  readonly given: Given
  /** State of the archive that the answer was of. */
  readonly state?: string | undefined
}

const most = 100_000

/** The address of an answer as a file: nothing is kept for it. */
export function linkTo({ tool, form, given, state }: ToolLink): string {
  const args = encodeURIComponent(JSON.stringify(given))
  return `quotebook://answer/${tool}.${form}?args=${args}${state === undefined ? '' : `&state=${state}`}`
}

/** @throws ParamsError for an address that `linkTo` did not make */
export function readLink(uri: string): ToolLink {
  const wrong = (why: Words): ParamsError =>
    new ParamsError('uri', sentence`${why}; take the uri of a resource link as it is`)
  const [, tool, form, query = ''] = /^quotebook:\/\/answer\/([a-z0-9_]+)\.([a-z]+)(?:\?(.*))?$/.exec(uri) ?? []
  if (tool === undefined || form === undefined || uri.length > most) throw wrong(sentence`there is no such resource`)
  const search = new URLSearchParams(query)
  let given: unknown
  try {
    given = JSON.parse(search.get('args') ?? '{}')
  } catch {
    throw wrong(sentence`args is no JSON`)
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong(sentence`args is no object`)
  return { tool, form, given: given as Given, state: search.get('state') ?? undefined }
}
