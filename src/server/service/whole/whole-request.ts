import Negotiator from 'negotiator'
import { allNames, datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import type { Days } from '../../../contract/day-list.js'
import { messageOf, ParamsError } from '../../../contract/error.js'
import { unknownName } from '../../../contract/nearest.js'
import { sentence } from '../../../contract/sentence.js'
import { RefusedError } from '../refused-error.js'

/** How rows are sent: Arrow's stream, CSV, or JSON with a list for each column. */
export const wholeFormats = {
  arrow: 'application/vnd.apache.arrow.stream',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const
export type WholeFormat = keyof typeof wholeFormats

/** A question whose answer is whole, its params still unchecked. */
export interface WholeRequest {
  readonly dataset: Dataset
  readonly params: Readonly<Record<string, unknown>>
  readonly fields: readonly string[] | undefined
  readonly days: Days | undefined
  /** Takes rows that are not proven to be all. */
  readonly partial: boolean
}

/** What can be said beside the params of the dataset. */
export const wholeWords = ['fields', 'from', 'to', 'days', 'format', 'partial'] as const
const isWord = (name: string): boolean => (wholeWords as readonly string[]).includes(name)

/** What a request says, by name: texts of a query string, values of a JSON body. */
export type AskedWords = Readonly<Record<string, unknown>>

/** What a query string says. @throws ParamsError for a name that stands there twice */
export function saidInTarget(target: string): AskedWords {
  const at = target.indexOf('?')
  const said = new Map<string, string>()
  for (const [name, text] of new URLSearchParams(at < 0 ? '' : target.slice(at))) {
    if (said.has(name))
      throw new ParamsError(name, sentence`${name} is given twice; separate several values by commas.`)
    said.set(name, text)
  }
  return Object.fromEntries(said)
}

/** What can be asked beside datasets: SQL over the archive, and what the archive has. */
const besides = ['sql', 'status'] as const

/** What a target `/query/NAME?…` names. @throws RefusedError with the nearest name */
export function askedOf(target: string): Dataset | (typeof besides)[number] {
  const name = /\/query\/([^?#]*)/.exec(target)?.[1] ?? ''
  const beside = besides.find((one) => one === name)
  if (beside) return beside
  const withRows = allNames().filter((one) => one !== 'file_download')
  if (!(withRows as readonly string[]).includes(name))
    throw new RefusedError(404, messageOf(unknownName('dataset', name, [...withRows, ...besides], 'dataset')))
  return datasetOf(name)
}

/** The format that is named, else the first that the caller takes; JSON where all are the same to it. */
export function formatOf(said: unknown, accept: string | undefined): WholeFormat {
  const names = Object.keys(wholeFormats) as WholeFormat[]
  if (said !== undefined) {
    const found = names.find((name) => name === said)
    if (!found) throw unknownName('format', String(said), names, 'format')
    return found
  }
  const types = new Map(names.map((name) => [wholeFormats[name].split(';')[0] as string, name]))
  const order = ['application/json', 'text/csv', wholeFormats.arrow]
  const [first] = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes(order)
  const found = first === undefined ? undefined : types.get(first)
  if (found) return found
  throw new ParamsError('format', sentence`Accept names none of ${order.join(', ')}.`)
}

const words = (value: unknown): readonly string[] | undefined =>
  typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : undefined

function daysOf({ from, to, days }: AskedWords): Days | undefined {
  if (days !== undefined) {
    if (from !== undefined || to !== undefined)
      throw new ParamsError(
        'days',
        sentence`days can not be combined with ${sentence`from and to`}; leave one of them out.`,
      )
    return words(days) ?? [String(days)]
  }
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined)
    throw new ParamsError('days', sentence`from and to go together; one of them is missing.`)
  return { from: String(from), to: String(to) }
}

/** A param as the contract has it: of a query string a whole number is a text. */
function paramOf({ params }: Dataset, name: string, value: unknown): unknown {
  const isNumber = Object.hasOwn(params, name) && params[name]?.kind === 'integer'
  return isNumber && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
}

/** What is asked. @throws ParamsError that names what was said wrong */
export function wholeRequest(dataset: Dataset, said: AskedWords): WholeRequest {
  const { fields, partial } = said
  if (partial !== undefined && ![true, false, 'true', 'false'].includes(partial as string | boolean))
    throw new ParamsError('partial', sentence`partial must be true or false.`)
  const given = Object.entries(said).filter(([name]) => !isWord(name))
  for (const [name] of given)
    if (!Object.hasOwn(dataset.params, name))
      throw unknownName(name, name, [...Object.keys(dataset.params), ...wholeWords], 'param', dataset.name)
  return {
    dataset,
    params: Object.fromEntries(given.map(([name, value]) => [name, paramOf(dataset, name, value)])),
    fields: words(fields),
    days: daysOf(said),
    partial: String(partial) === 'true',
  }
}
