import { resolve } from 'node:path'
import { connect, sampleDir } from '../connect.js'
import type { Words } from '../contract/sentence.js'
import type { ArchiveStore } from '../data/archive/store/archive-store.js'
import { storeOf } from '../data/archive/store/store-of.js'
import { clickHouseAddress, isClickHouseAddress } from '../data/clickhouse/clickhouse-address.js'
import type { ExtraColumn, RequestLog } from '../data/source/requester.js'
import { apiTarget, nodeAddresses, nodesIn } from '../data/source/transport/node-address.js'
import type { Market } from '../market.js'
import { say } from './chosen-language.js'
import type { sourceWords } from './command-options.js'
import type { OptionsOf } from './declare-command.js'
import { inLanguage } from './error-text.js'
import { log, tell } from './output.js'
import { apikeyFor } from './prompt.js'
import { wrongUse } from './wrong-use.js'

const longest = 3

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.length > longest ? `${value.slice(0, longest).join('+')}+… (${value.length})` : value.join('+')
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** One attempt at a request in one line, without the key. */
function requestLine({ dataset, params, node, attempt, milliseconds, ...rest }: RequestLog): string {
  const asked = Object.entries(params).map(([name, value]) => `${name}=${valueText(value)}`)
  const time = Math.round(milliseconds)
  const message = inLanguage(rest.message ?? '').replace(`${dataset}${say(': ')}`, '')
  const came =
    rest.outcome === 'answered'
      ? say('{rows} rows, {size}, {time} ms', { rows: rest.rows ?? 0, size: sizeText(rest.bytes ?? 0), time })
      : say('{error} after {time} ms: {message}', { error: rest.error ?? '', time, message })
  const again = attempt > 1 ? say(' (attempt {n})', { n: attempt }) : ''
  return [dataset, ...asked, `${node}${again}:`, came].join(' ')
}

/** Options of every command that reads a source. */
export interface SourceOptions extends OptionsOf<typeof sourceWords> {
  /** Only says what it would ask: no key is needed. */
  readonly explain?: true
  /** Asks for nearly every part of an archive once: few are kept in memory. */
  readonly once?: true
}

function sayExtra({ dataset, column }: ExtraColumn): void {
  tell("{dataset}: the service sends a column '{column}' that the contract does not know; it is kept", {
    dataset,
    column,
  })
}

/** Some messages name the dataset themselves. */
function said(dataset: string, message: Words = ''): string {
  return String(message).startsWith(`${dataset}: `)
    ? inLanguage(message)
    : `${dataset}${say(': ')}${inLanguage(message)}`
}

/** Without `--verbose` the first failure that is tried again is told, so that nobody waits in the dark. */
function firstFailure(): (log: RequestLog) => void {
  let isTold = false
  return ({ dataset, retryable, message }) => {
    if (isTold || !retryable) return
    isTold = true
    tell('{what}; trying again (--verbose shows every request)', { what: said(dataset, message) })
  }
}

async function service(
  source: string,
  { cache, verbose, explain }: SourceOptions,
  connectTo: typeof connect,
): Promise<Market> {
  const nodes = nodesIn(source)
  const all = nodeAddresses(nodes)
  const isHere = all.every((node) => apiTarget(node).isLocal)
  const apikey = explain ? 'not needed' : await apikeyFor(all, isHere)
  return connectTo({
    nodes,
    apikey,
    onExtraColumn: sayExtra,
    onRequest: verbose ? (request) => log(requestLine(request)) : firstFailure(),
    ...(cache === undefined ? {} : { cache }),
  })
}

/** @throws QuotebookError USAGE for a source that is no archive, and no address with http or https */
function checkSource(source: string): void {
  if (source.trim() === '') throw wrongUse('--source (or QUOTEBOOK_SOURCE) is empty')
  if (!isService(source) && !isClickHouseAddress(source) && /^(\w+:\/\/|[\w.-]+:\d+)/.test(source))
    throw wrongUse('--source {source}: the address of a service begins with https:// or http://', { source })
}

/** The password of ClickHouse, where its address has none. */
export const enginePassword = (): string | undefined => process.env.QUOTEBOOK_CLICKHOUSE_PASSWORD

/** The archive that a command reads as it is, which may be the sample. */
export function archiveRead(text: string): ArchiveStore {
  return archivePlace(text === 'sample' ? sampleDir : text)
}

/** Where `--archive` says that an archive is: a directory, or an address of ClickHouse. */
export function archivePlace(text: string): ArchiveStore {
  return storeOf(text, enginePassword())
}

/** Whether a source is base addresses of a service. */
export const isService = (source: string): boolean => /^(\w+=)?https?:\/\//i.test(source)

/** A source for a process that works in another folder: a directory by its whole path. */
export function sourceElsewhere(source = 'sample'): string {
  checkSource(source)
  if (isService(source)) nodesIn(source)
  return source === 'sample' || isService(source) || isClickHouseAddress(source) ? source : resolve(source)
}

/** Does something with the market behind `--source`, which is closed after it. @param connectTo see `openSource` */
export async function withMarket<T>(
  options: SourceOptions,
  work: (market: Market) => Promise<T>,
  connectTo?: typeof connect,
): Promise<T> {
  const market = await openSource(options, connectTo)
  try {
    return await work(market)
  } finally {
    await market.close()
  }
}

/** The market behind `--source`. @param connectTo of another copy of the library, whose tables a user's module can read */
export async function openSource(options: SourceOptions, connectTo: typeof connect = connect): Promise<Market> {
  const { source, asOf, once } = options
  const then = { ...(asOf === undefined ? {} : { asOf }), ...(once && { cacheBytes: 2 ** 25 }) }
  if (source === undefined) {
    tell('the synthetic sample, since no --source is given: no number in it is real')
    return connectTo(then)
  }
  if (source === 'sample') return connectTo(then)
  checkSource(source)
  if (isClickHouseAddress(source))
    return connectTo({ clickhouse: clickHouseAddress(source, enginePassword()), ...then })
  if (!isService(source)) return connectTo({ archive: source, ...then })
  if (asOf !== undefined) throw wrongUse('--as-of needs an archive; {source} is a service', { source })
  return service(source, options, connectTo)
}
