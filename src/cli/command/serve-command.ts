import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ArchiveStore } from '../../archive/store/archive-store.js'
import { archiveAt, connect } from '../../connect.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { Market } from '../../market.js'
import { accessLine } from '../../service/access-log.js'
import { acceptAnyKey } from '../../service/authenticator.js'
import { KeyRing } from '../../service/keys/key-ring.js'
import { help, say } from '../chosen-language.js'
import { port, wholeAtLeast } from '../command-options.js'
import { type FollowProcess, followProcess } from '../follow-process.js'
import { ended } from '../interrupt.js'
import { log } from '../output.js'
import { archivePlace, openSource } from '../source-option.js'
import { agentsOf } from './mcp-command.js'

/** Lines for stdout, gathered for a moment: a system call for each would cost more than an answer. */
interface Lines {
  write(line: string): void
  /** Everything is written. Where nobody reads it the process ends after two seconds. */
  end(): Promise<void>
}

const [patience, most] = [100, 2 ** 16]
/** Bytes that may wait for a slow reader; and milliseconds, when the process ends. */
const [waiting, grace] = [2 ** 24, 2000]

/**
 * Whoever reads may go away, or fall behind: the process goes on without the lines, and says so once each time. After a full
 * disk they begin again, on a new line.
 */
function lines(): Lines {
  const { stdout } = process
  let [isRead, isWell, isCut] = [true, true, false]
  const lose = (why: string): void => {
    if (isWell) log(say('lines are lost', { why }))
    isWell = false
  }
  stdout.removeAllListeners('error')
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    isCut = true
    isRead = error.code !== 'EPIPE'
    lose(isRead ? (error.code ?? error.message) : say('nobody reads'))
  })
  let gathered = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = gathered
    gathered = ''
    if (text === '' || !isRead) return
    if (stdout.writableLength > waiting) {
      lose(say('slow reader'))
      return
    }
    stdout.write(isCut ? `\n${text}` : text, (error) => {
      if (error) return
      isWell = true
      isCut = false
    })
  }
  return {
    write: (line) => {
      gathered += `${line}\n`
      if (gathered.length >= most) flush()
      else timer ??= setTimeout(flush, patience)
    },
    end: () => {
      flush()
      return new Promise((resolve) => {
        if (!isRead) return resolve()
        // A write that waits for its reader would keep the process; nothing else is under way by now.
        const late = setTimeout(() => process.exit(), grace)
        stdout.write('', () => {
          clearTimeout(late)
          resolve()
        })
      })
    },
  }
}

interface Options {
  readonly archive?: ArchiveStore
  readonly host: string
  readonly port: number
  readonly keys?: string
  readonly url?: string
  readonly memory: number
  readonly log: boolean
  readonly source?: string
  readonly follow?: true
}

const mebi = 2 ** 20

/** An address that links can begin with, without a slash at its end. */
function base(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/i.test(text)) throw new InvalidArgumentError(say('no address'))
  return text.replace(/\/+$/, '')
}

/** What keeps the archive up to a source, and answers for the running day; undefined where the archive stays as it is. */
interface Followed {
  readonly market: Market
  readonly process: FollowProcess
}

async function followed({ archive: dir, source, follow }: Options): Promise<Followed | undefined> {
  if (!follow && source === undefined) return undefined
  if (!follow || source === undefined || dir === undefined) throw new QuotebookError('USAGE', say('serve follows'))
  if (dir.dir === undefined) throw new QuotebookError('USAGE', say('follow in directories'))
  let apikey: string | undefined
  const market = await openSource({ source }, (options) => {
    if (!options || !('nodes' in options)) return connect(options)
    apikey = options.apikey
    // Whoever waits for an answer is better served by an older one than by a second try.
    return connect({ ...options, retry: { attempts: 1 } })
  })
  return { market, process: followProcess(resolve(dir.name), source, apikey) }
}

async function serve(options: Options): Promise<void> {
  if (options.keys?.trim() === '') throw new QuotebookError('USAGE', say('keys are empty'))
  if (options.url !== undefined && options.keys === undefined) throw new QuotebookError('USAGE', say('url needs keys'))
  const own = await followed(options)
  try {
    await own?.process.hasRows()
    await serveUntilEnded(options, own)
  } finally {
    await own?.process.end()
    await own?.market.close()
  }
}

async function serveUntilEnded(
  { archive: dir, host, port, keys, url, memory, log: isLogging }: Options,
  own: Followed | undefined,
): Promise<void> {
  const { startService } = await import('../../service/server.js')
  const { createShares } = await import('../../service/share/tick-shares.js')
  const half = Math.max(1, Math.floor((memory * mebi) / 2))
  const archive = archiveAt(dir, { cacheBytes: half, oncePerTurn: true })
  const { about, datasets } = await archive.manifest()
  const authenticator = keys === undefined ? undefined : new KeyRing(keys, { onFault: ({ message }) => log(message) })
  const inForce = authenticator && (() => authenticator.inForce())
  const shares = createShares(archive, {
    url,
    keys: inForce,
    onFault: ({ message }) => log(say('share', { why: message })),
  })
  const agents = agentsOf(archive, authenticator ?? acceptAnyKey())
  const accessLog = isLogging ? lines() : undefined
  const service = await startService({
    archive,
    shares,
    agents,
    authenticator,
    host,
    port,
    url,
    cacheBytes: half,
    live: own && { source: own.market.source, dir: archive.store.workFolder },
    onAnswer: accessLog && ((entry) => accessLog.write(accessLine(entry))),
    onFault: (error) => log(say('fault', { why: messageOf(error).replaceAll('\n', ' ') })),
  })
  const rows = Object.values(datasets).reduce(
    (sum, { parts }) => sum + parts.reduce((all, part) => all + part.rows, 0),
    0,
  )
  const what = say('serving', { name: archive.name, rows, count: Object.keys(datasets).length })
  log(about === undefined ? what : `${what}${say('about', { about })}`)
  log(say('where it serves', { url: service.url }))
  if (!authenticator) log(say('serves here only'))
  try {
    await Promise.race([ended(), ...(own ? [own.process.ended] : [])])
    log(say('ending'))
  } finally {
    await service.close()
    await agents.close()
    await accessLog?.end()
  }
}

export function serveCommand(): Command {
  return new Command('serve')
    .description(help('serve'))
    .option('--archive <dir>', help('serve --archive'), archivePlace)
    .option('--port <n>', help('serve --port'), port, 8000)
    .option('--host <address>', help('serve --host'), '127.0.0.1')
    .addOption(new Option('--keys <file>', help('serve --keys')).env('QUOTEBOOK_KEYS'))
    .option('--url <address>', help('serve --url'), base)
    .option('--memory <mib>', help('serve --memory'), wholeAtLeast(2), 512)
    .option('--no-log', help('serve --no-log'))
    .option('--source <source>', help('serve --source'))
    .option('--follow', help('serve --follow'))
    .action(serve)
}
