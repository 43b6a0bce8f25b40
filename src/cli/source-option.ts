import { type Command, Option } from 'commander'
import { connect } from '../connect.js'
import { QuotebookError } from '../contract/error.js'
import type { Market } from '../market.js'
import type { ExtraColumn, RequestLog } from '../source/requester.js'
import { apiTarget, type NodeAddresses, nodeAddresses } from '../source/transport/node-address.js'
import { log } from './output.js'
import { apikeyFor } from './prompt.js'

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
  const time = `${Math.round(milliseconds)} ms`
  const came =
    rest.outcome === 'answered'
      ? `${rest.rows} rows, ${sizeText(rest.bytes ?? 0)}, ${time}`
      : `${rest.error} after ${time}: ${rest.message?.replace(`${dataset}: `, '')}`
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return [dataset, ...asked, `${node}${again}:`, came].join(' ')
}

/** Options of every command that reads a source. */
export interface SourceOptions {
  readonly source?: string
  readonly cache?: string
  readonly verbose?: true
  /** Only says what it would ask: no key is needed. */
  readonly explain?: true
}

const where =
  "'sample' (the default), the directory of an archive, or base addresses of a service (https://…) separated by commas"

/** Adds `--source`, `--cache` and `--verbose`. */
export function withSource(command: Command): Command {
  return command
    .addOption(new Option('--source <source>', where).env('QUOTEBOOK_SOURCE'))
    .addOption(
      new Option('--cache <dir>', 'keep settled days of a service in this archive, and read them from it').env(
        'QUOTEBOOK_CACHE',
      ),
    )
    .option('--verbose', 'a line on stderr for each request to a service')
}

/** `https://a,https://b`, or by the names of the contract: `sz=https://a,backup=https://b`. */
function nodesOf(source: string): NodeAddresses {
  const parts = source.split(',').map((part) => part.trim())
  const named = parts.map((part) => /^(\w+)=(.*)$/.exec(part))
  if (named.every((match) => match === null)) return parts
  const plain = parts[named.indexOf(null)]
  if (plain !== undefined)
    throw new QuotebookError('USAGE', `--source: '${plain}' has no name before it, the others have`)
  return Object.fromEntries(named.map((match) => [match?.[1], match?.[2]]))
}

function sayExtra({ dataset, column }: ExtraColumn): void {
  log(`${dataset}: the service sends a column '${column}' that the contract does not know; it is kept`)
}

/** Some messages name the dataset themselves. */
function said(dataset: string, message = ''): string {
  return message.startsWith(`${dataset}: `) ? message : `${dataset}: ${message}`
}

/** Without `--verbose` the first failure that is tried again is told, so that nobody waits in the dark. */
function firstFailure(): (log: RequestLog) => void {
  let isTold = false
  return ({ dataset, retryable, message }) => {
    if (isTold || !retryable) return
    isTold = true
    log(`${said(dataset, message)}; trying again (--verbose shows every request)`)
  }
}

async function service(source: string, { cache, verbose, explain }: SourceOptions): Promise<Market> {
  const nodes = nodesOf(source)
  const all = nodeAddresses(nodes)
  const isHere = all.every((node) => apiTarget(node).isLocal)
  const apikey = explain ? 'not needed' : await apikeyFor(all, isHere)
  return connect({
    nodes,
    apikey,
    onExtraColumn: sayExtra,
    onRequest: verbose ? (request) => log(requestLine(request)) : firstFailure(),
    ...(cache === undefined ? {} : { cache }),
  })
}

/** The market behind `--source`. */
export async function openSource(options: SourceOptions): Promise<Market> {
  const { source } = options
  if (source === undefined) {
    log('the synthetic sample, since no --source is given: no number in it is real')
    return connect()
  }
  if (source === 'sample') return connect()
  if (source.trim() === '') throw new QuotebookError('USAGE', '--source (or QUOTEBOOK_SOURCE) is empty')
  if (/^(\w+=)?https?:\/\//i.test(source)) return service(source, options)
  if (/^(\w+:\/\/|[\w.-]+:\d+)/.test(source)) {
    throw new QuotebookError('USAGE', `--source ${source}: the address of a service begins with https:// or http://`)
  }
  return connect({ archive: source })
}
