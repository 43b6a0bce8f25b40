import type { QueryOptions, Source } from '../../src/data/source/source.js'
import { toObjects } from '../../src/frame/read-columns.js'
import { provenance } from '../../src/frame/table/provenance.js'
import { connectionTo, type Vendor, type VendorReply } from './capped-vendor.js'
import { envelopeOf } from './service.js'
import { type Asked, type Envelope, type Row, replyFor, truth } from './vendor.js'

type Items = readonly (readonly unknown[])[]

/** Rows of an honest reply, and what they answer. */
export interface Sheet {
  readonly items: Items
  readonly fields: readonly string[]
  readonly asked: Asked
  /** Requests so far, this one included. */
  readonly number: number
  /** Cells of a column: those of the code, of the day. */
  readonly code: (row: readonly unknown[]) => string
  readonly day: (row: readonly unknown[]) => string
  readonly codes: readonly string[]
  readonly days: readonly string[]
  readonly cell: (row: readonly unknown[], name: string) => unknown
  /** Members beside the rows of an honest reply. */
  readonly beside: Readonly<Record<string, unknown>>
}

/** What is sent instead: rows, and members beside them. */
export interface Lie {
  readonly items: Items
  /** In `data`. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** At the top level. */
  readonly outer?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

export type Distortion = (sheet: Sheet) => Lie

/** A number that depends on nothing but a text. */
export function markOf(text: string): number {
  let mixed = 7
  for (const char of text) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 8) / 2 ** 24
}

function sheetOf(asked: Asked, number: number, data: Readonly<Record<string, unknown>>): Sheet {
  const { fields, items, groups: _, ...beside } = data as { fields: readonly string[]; items: Items; groups?: unknown }
  const at = (names: readonly string[]): number => fields.findIndex((name) => names.includes(name))
  const [code, day] = [at(['symbol', 'code', 's', 'source']), at(['tradedate', 'trade_date', 'event_date'])]
  const codeOf = (row: readonly unknown[]): string => String(row[code])
  const dayOf = (row: readonly unknown[]): string => String(row[day])
  return {
    items,
    fields,
    asked,
    number,
    code: codeOf,
    day: dayOf,
    codes: [...new Set(items.map(codeOf))],
    days: [...new Set(items.map(dayOf))],
    cell: (row, name) => row[fields.indexOf(name)],
    beside,
  }
}

/** A vendor that answers as the contract has it, and then distorts what it sends. */
export function lyingVendor(truthful: (asked: Asked) => Promise<Envelope> | Envelope, lie: Distortion): Vendor {
  return async (asked, number): Promise<VendorReply> => {
    const { code, message, data } = await truthful(asked)
    if (data === null || !Array.isArray((data as { items?: unknown }).items)) return { body: { code, message, data } }
    const sheet = sheetOf(asked, number, data as Readonly<Record<string, unknown>>)
    const { items, beside, outer, headers, status } = lie(sheet)
    const reply = { ...(headers ? { headers } : {}), ...(status === undefined ? {} : { status }) }
    if (items.length === 0 && sheet.items.length > 0)
      return { ...reply, body: { code: 1002, message: 'no data', data: null, ...outer } }
    const sent = { fields: sheet.fields, items, ...sheet.beside, ...beside }
    return { ...reply, body: { code, message, data: sent, ...outer } }
  }
}

/** The contract over a source, each answer computed once. */
export function truthfulOver(source: Source): (asked: Asked) => Promise<Envelope> {
  const known = new Map<string, Promise<Envelope>>()
  return (asked) => {
    const key = JSON.stringify(asked)
    const made = known.get(key) ?? envelopeOf(source, { apikey: 'key', ...asked })
    known.set(key, made)
    return made
  }
}

/** One question, and who answers it truthfully. */
export interface Question {
  readonly name: string
  readonly dataset: string
  readonly params: Readonly<Record<string, unknown>>
  readonly options?: QueryOptions
  readonly truthful: (asked: Asked) => Promise<Envelope> | Envelope
}

/** `wrong`: complete and not the truth. `refused CODE`, `unproven` (the rows came, not called complete), `right`. */
export interface Told {
  readonly outcome: string
  readonly requests: number
  readonly note: string
  readonly about?: ReturnType<typeof provenance>
}

/** What a client makes of a vendor that lies. `before`: questions of the same kind that the same connection asked. */
export async function toldBy(question: Question, lie: Distortion): Promise<Told> {
  const { dataset, params, options = {}, truthful } = question
  const honest = connectionTo(lyingVendor(truthful, ({ items }) => ({ items })))
  const right = toObjects((await honest.query(dataset, params, options)).table)
  const { query, requests } = connectionTo(lyingVendor(truthful, lie))
  try {
    const { table } = await query(dataset, params, options)
    const about = provenance(table)
    const isRight = JSON.stringify(toObjects(table)) === JSON.stringify(right)
    const outcome = about?.complete ? (isRight ? 'right' : 'wrong') : isRight ? 'unproven, all there' : 'unproven'
    return { outcome, requests: requests(), note: about?.note ?? '', about }
  } catch (error) {
    const { code = 'ERROR', message } = error as { code?: string; message: string }
    return { outcome: `refused ${code}`, requests: requests(), note: message }
  }
}

/** Rows as a truthful vendor. */
export function truthfulRows(rows: readonly Row[]): (asked: Asked) => Envelope {
  return (asked) => replyFor(rows, asked)
}
export { truth }
