import { checkFields } from '../../../../contract/check-fields.js'
import { checkParams } from '../../../../contract/check-params.js'
import type { Dataset } from '../../../../contract/dataset.js'
import { writtenDate } from '../../../../contract/date.js'
import { ParamsError, QuotebookError } from '../../../../contract/error.js'
import type { Param } from '../../../../contract/param.js'

/** What the form holds: the text of each control, by param; allowed values that are ticked are separated by commas. */
export type FormValues = Readonly<Record<string, string>>

/** Params as they go into a request. */
export type WireParams = Readonly<Record<string, string | number | readonly string[]>>

const listed: readonly string[] = ['codes', 'ids', 'texts', 'choices']

/** The values of a list, as typed or ticked. */
export function splitList(text: string): string[] {
  return text
    .split(/[,，、;；\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function onWire(param: Param, text: string): string | number | readonly string[] {
  if (param.kind === 'date') return writtenDate(text) ?? text
  if (param.kind === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (!listed.includes(param.kind)) return text
  const parts = splitList(text)
  if (parts.length === 0) return text
  return param.joined ? parts.join(',') : parts
}

/** The params that a form says. An empty control sets no condition; what is no whole number goes as the text it is. */
export function toParams(dataset: Dataset, values: FormValues): WireParams {
  const params: Record<string, string | number | readonly string[]> = {}
  for (const [name, param] of Object.entries(dataset.params)) {
    const text = (values[name] ?? '').trim()
    if (text !== '') params[name] = onWire(param, text)
  }
  return params
}

/** The form's values that say these params: the inverse of `toParams`. */
export function toValues(params: Readonly<Record<string, unknown>>): FormValues {
  const text = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, text(value)]))
}

/** For each param, the filled ones that exclude it. */
export function conflicts(dataset: Dataset, values: FormValues): ReadonlyMap<string, readonly string[]> {
  const clashes = new Map<string, readonly string[]>()
  const sides = (dataset.exclusive ?? []).flatMap(([left, right]) => [[left, right] as const, [right, left] as const])
  for (const [names, others] of sides) {
    const filled = others.filter((name) => (values[name] ?? '').trim() !== '')
    if (filled.length === 0) continue
    for (const name of names) clashes.set(name, [...new Set([...(clashes.get(name) ?? []), ...filled])])
  }
  return clashes
}

/** Columns that the mode of the form has (`hotstock`); all of them elsewhere. */
export function fieldsOffered(dataset: Dataset, values: FormValues): readonly string[] {
  const tradedate = (values.tradedate ?? '').trim()
  return checkFields(dataset, undefined, tradedate === '' ? {} : { tradedate })
}

/** What the service will refuse, and the param or `fields` that it is about; undefined when nothing is wrong. */
export function findRefusal(dataset: Dataset, params: WireParams): { field: string; message: string } | undefined {
  try {
    checkParams(dataset, Object.keys(params).length === 0 && !dataset.needsParams ? undefined : params)
    return undefined
  } catch (error) {
    if (error instanceof ParamsError) return { field: error.field, message: error.message }
    if (error instanceof QuotebookError) return { field: 'symbols', message: error.message }
    throw error
  }
}

/** The param that a message of the service is about: the one that it names first. */
export function findNamedField(dataset: Dataset, message: string): string | undefined {
  const names = [...Object.keys(dataset.params), 'fields', 'apikey']
  const placeOf = (name: string): number => message.search(new RegExp(`(?<![\\w])${name}(?![\\w])`))
  const named = names.filter((name) => placeOf(name) >= 0)
  return named.sort((a, b) => placeOf(a) - placeOf(b))[0]
}
