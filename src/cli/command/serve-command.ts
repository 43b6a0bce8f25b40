import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { archiveAt, connect } from '../../connect.js'
import type { QuotebookError } from '../../contract/error.js'
import { wordsIn } from '../../contract/say.js'
import type { Archive } from '../../data/archive/archive.js'
import type { Market } from '../../market.js'
import { accessLine } from '../../server/service/access-log.js'
import { acceptAnyKey } from '../../server/service/authenticator.js'
import { type ProxyList, proxyList } from '../../server/service/http/client-address.js'
import { KeyRing, rateLimit } from '../../server/service/keys/key-ring.js'
import type { RedisLimits } from '../../server/service/keys/redis-limits.js'
import type { WorkerLink } from '../../server/service/workers/worker-link.js'
import { gathered, type Lines, stdoutLines } from '../access-lines.js'
import { language, say } from '../chosen-language.js'
import { port, strategiesWord, wholeAtLeast } from '../command-options.js'
import { heldWords } from '../count-words.js'
import { countedLines } from '../counted-lines.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { deskFolders, deskWords } from '../desk-folders.js'
import { inLanguage, whyOf } from '../error-text.js'
import { type FollowProcess, followProcess } from '../follow-process.js'
import { ended, onReload } from '../interrupt.js'
import { notifyWord } from '../notify.js'
import { tellWord } from '../other-words.js'
import { log, tell } from '../output.js'
import { redisUrl } from '../prompt.js'
import { archivePlace, archiveRead, isService, openSource, sourceElsewhere } from '../source-option.js'
import { strategyDesk } from '../strategy-desk.js'
import { wrongUse } from '../wrong-use.js'
import { agentsOf } from './mcp-command.js'

type Options = OptionsOf<typeof words>

const mebi = 2 ** 20
/** Bytes of answers on their way, at least: one of 6,000 rows has up to one million. */
const leastUnsent = 8 * mebi

/** An address that links can begin with, without a slash at its end. */
function base(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/i.test(text))
    throw new InvalidArgumentError(say('It must begin with https:// or http://'))
  return text.replace(/\/+$/, '')
}

/** Proxies, gathered over repeated options. */
function proxies(text: string, before?: ProxyList): ProxyList {
  const list = proxyList(text, before)
  if (!list)
    throw new InvalidArgumentError(
      say("It must be an IP address or ADDRESS/BITS, such as 127.0.0.1 or 10.0.0.0/8, not '{text}'.", { text }),
    )
  return list
}

/** What share links are signed with: the file's text, or QUOTEBOOK_LINK_SECRET; never an argument, which every process could read. */
function linkSecret({ linkSecret: file }: Options): Uint8Array | undefined {
  let text = process.env.QUOTEBOOK_LINK_SECRET?.trim()
  if (file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').trim()
    } catch (cause) {
      throw wrongUse('--link-secret {file}: can not be read ({why})', { file, why: whyOf(cause) }, { cause })
    }
  }
  if (text !== undefined && text.length < 32)
    throw wrongUse('the secret of the links has fewer than 32 characters; openssl rand -hex 32 makes one')
  return text === undefined ? undefined : Buffer.from(text)
}

/** What keeps the archive up to a source, and answers for the running day; undefined where the archive stays as it is. */
interface Followed {
  readonly market: Market
  readonly apikey: string | undefined
  /** Absent in a worker: one process keeps the archive for all. */
  readonly process: FollowProcess | undefined
}

const otherFollow = (): QuotebookError =>
  wrongUse(
    'without --follow an archive is served from --source alone; --follow needs --archive, which is served, and --source, which it is kept up to',
  )

/** What is served is read from `--source`, unless that one is followed. */
function served(given: Options): Options {
  const { archive, source, follow } = given
  if (follow) return given
  if (source !== undefined && (archive || isService(source))) throw otherFollow()
  if (archive) tellWord('--archive', '--source')
  if (source === undefined) return given
  const { source: _, ...others } = given
  return { ...others, archive: archiveRead(source) }
}

async function followed(
  { archive: dir, source, follow, notify }: Options,
  isWorker: boolean,
): Promise<Followed | undefined> {
  if (!follow) return undefined
  if (source === undefined || dir === undefined) throw otherFollow()
  if (dir.dir === undefined)
    throw wrongUse('--follow needs an archive in a directory; beside one in ClickHouse run quotebook sync --follow')
  let apikey: string | undefined
  const market = await openSource({ source }, (options) => {
    if (!options || !('nodes' in options)) return connect(options)
    apikey = options.apikey
    // Whoever waits for an answer is better served by an older one than by a second try.
    return connect({ ...options, retry: { attempts: 1 } })
  })
  return { market, apikey, process: isWorker ? undefined : followProcess(resolve(dir.name), source, apikey, notify) }
}

async function serve(given: Options): Promise<void> {
  onReload()
  const options = served(given)
  if (options.keys?.trim() === '') throw wrongUse('--keys (or QUOTEBOOK_KEYS) is empty: no key would be asked for')
  if (options.limits !== undefined && options.keys === undefined)
    throw wrongUse('--limits is for the rates of keys: it requires --keys')
  if (options.url !== undefined && options.keys === undefined)
    throw wrongUse('--url is for a service behind a proxy, where everybody may ask: it requires --keys')
  const isMany = options.workers !== undefined
  const isWorker = isMany && (await import('node:cluster')).default.isWorker
  const link = isWorker ? new (await import('../../server/service/workers/worker-link.js')).WorkerLink() : undefined
  const own = await followed(options, isWorker)
  try {
    await own?.process?.hasRows()
    await (isMany && !isWorker ? startWorkers(options, own) : serveUntilEnded(options, own, link))
  } finally {
    await own?.process?.end()
    await own?.market.close()
    await link?.close()
  }
}

async function sayServing(archive: Archive, url: string, hasKeys: boolean): Promise<void> {
  const manifest = await archive.manifest()
  const { about } = manifest
  const what = say('serving {name}, {held}', { name: wordsIn(archive.name, language), held: heldWords(manifest) })
  log(about === undefined ? what : `${what}${say(' ({about})', { about: inLanguage(about) })}`)
  tell('POST {url}/api  agents {url}/mcp  desk {url}/  test page {url}/try  Ctrl-C ends it', { url })
  if (!hasKeys) tell('no --keys: it listens on this machine only, and takes any key as flagship')
}

/** Starts the processes that answer, each of which runs this command again as a worker, and sees to them. */
async function startWorkers(options: Options, own: Followed | undefined): Promise<void> {
  const { ServiceWorkers } = await import('../../server/service/workers/service-workers.js')
  const { urlOf } = await import('../../server/service/http/listen.js')
  const archive = archiveAt(options.archive, {})
  await archive.manifest()
  const secret = linkSecret(options)?.toString() ?? randomBytes(32).toString('hex')
  const accessLog = stdoutLines()
  const told = ended()
  const started = await ServiceWorkers.start({
    workers: options.workers ?? 1,
    ended: told,
    env: { QUOTEBOOK_LINK_SECRET: secret, ...(own?.apikey === undefined ? {} : { QUOTEBOOK_APIKEY: own.apikey }) },
    onLog: (text) => accessLog.write(text),
    onEnd: ({ id, how, wait }) =>
      tell(
        wait === 0
          ? 'worker {id} has ended ({how}); another takes its place'
          : 'worker {id} has ended ({how}); another begins in {wait} s',
        { id, how, wait },
      ),
  })
  if (typeof started === 'number') {
    process.exitCode = started
    return
  }
  const { pool, address } = started
  await sayServing(archive, urlOf(address), options.keys !== undefined)
  tell('{count} workers answer; kill -USR2 {pid} replaces them one after the other', {
    count: pool.status.listening,
    pid: process.pid,
  })
  onReload(async () => {
    tell('replacing the workers')
    const isDone = await pool.replaceAll()
    if (isDone !== undefined)
      tell(
        isDone
          ? '{count} new workers answer; the old ones finish'
          : 'a new worker did not begin; {count} workers go on',
        { count: pool.status.listening },
      )
  })
  try {
    await Promise.race([told, ...(own?.process ? [own.process.ended] : [])])
    tell('ending: finishing what is under way')
  } finally {
    await pool.end()
    await accessLog.end()
  }
}

/** The access log of a worker goes by the process that started it, so that lines of several never mix. */
function linesTo(link: WorkerLink): Lines {
  const { write, flush } = gathered((text) => link.log(text.slice(0, -1)))
  return { write, end: async () => flush() }
}

/** Limits that all machines keep to. While Redis is away, the workers of this one keep them together, or this process does. */
async function limitsAt(url: string | undefined, link: WorkerLink | undefined): Promise<RedisLimits | undefined> {
  if (url === undefined) return undefined
  const { redisLimits } = await import('../../server/service/keys/redis-limits.js')
  return redisLimits({
    url: redisUrl(url),
    elsewhere: link?.limitOf ?? ((_, rate) => rateLimit(rate)),
    onChange: (why) =>
      log(
        why === undefined
          ? say('limits: Redis keeps rates again')
          : say('limits: Redis keeps no rates ({why}); they are kept on this machine until it does', { why }),
      ),
  })
}

function healthOf(link: WorkerLink | undefined, limits: RedisLimits | undefined, keys: KeyRing | undefined) {
  const since = keys?.faultSince()
  return {
    ...(link && { workers: link.status }),
    ...(limits && { limits: limits.health() }),
    ...(since !== undefined && { keys: { status: 'fault', since } }),
  }
}

function deskOf({ strategies, archive }: Options) {
  const source = `--source=${sourceElsewhere(archive?.name)}`
  return strategies === undefined ? undefined : strategyDesk(strategies, [source])
}

/**
 * Of the memory of a process: half for columns, a quarter for encoded rows, and one for answers on their way; of one network
 * half of these. Behind a proxy that is not named all connections are its own.
 */
function memoryOf(mib: number, workers: number, isAllProxy: boolean) {
  const quarter = Math.max(1, Math.floor((mib * mebi) / workers / 4))
  const unsentBytes = Math.max(leastUnsent, quarter)
  return { quarter, unsentBytes, networkUnsentBytes: isAllProxy ? Infinity : unsentBytes / 2 }
}

async function serveUntilEnded(
  options: Options,
  own: Followed | undefined,
  link: WorkerLink | undefined,
): Promise<void> {
  const { archive: dir, host, port, keys, url, proxy, memory, log: isLogging, workers = 1 } = options
  const { startService } = await import('../../server/service/server.js')
  const { createShares } = await import('../../server/service/share/tick-shares.js')
  const { quarter, ...limitsOf } = memoryOf(memory, workers, url !== undefined && proxy === undefined)
  const archive = archiveAt(dir, { cacheBytes: 2 * quarter, oncePerTurn: true })
  await archive.manifest()
  const limits = await limitsAt(options.limits, link)
  const limitOf = limits?.limitOf ?? link?.limitOf
  const over = new AbortController()
  const tellOnce = countedLines(over.signal)
  const onKeyFault = ({ message }: Error): void => tellOnce(message)
  const authenticator = keys === undefined ? undefined : new KeyRing(keys, { onFault: onKeyFault, limitOf })
  const inForce = authenticator && (() => authenticator.inForce())
  const shares = createShares(archive, {
    url,
    secret: linkSecret(options),
    keys: inForce,
    onFault: ({ message }) => tellOnce(say('share: {why}', { why: message })),
  })
  const agents = agentsOf(archive, authenticator ?? acceptAnyKey(), link, deskOf(options))
  const accessLog = isLogging ? (link ? linesTo(link) : stdoutLines()) : undefined
  const service = await startService({
    archive,
    shares,
    ...{ agents, desk: deskFolders(options) },
    authenticator,
    host,
    port,
    url,
    proxies: proxy,
    cacheBytes: quarter,
    limits: limitsOf,
    live: own && { source: own.market.source, dir: archive.store.workFolder },
    health: () => healthOf(link, limits, authenticator),
    keysFault: authenticator && (() => authenticator.faultSince()),
    limitsAway: limits && (() => limits.isAway()),
    sharedMetrics: link && ((metrics) => link.shared(metrics)),
    onAnswer: accessLog && ((entry) => accessLog.write(accessLine(link ? { ...entry, worker: link.id } : entry))),
    onFault: (error) => tellOnce(say('fault: {why}', { why: whyOf(error).replaceAll('\n', ' ') })),
  })
  if (!link) await sayServing(archive, service.url, authenticator !== undefined)
  let isGentle = false
  try {
    const told = link?.ended.then((end) => {
      isGentle = end.isGentle
    })
    await Promise.race([ended(), ...(told ? [told] : []), ...(own?.process ? [own.process.ended] : [])])
    if (!link) tell('ending: finishing what is under way')
  } finally {
    await service.close(isGentle)
    limits?.close()
    over.abort()
    await accessLog?.end()
  }
}

// biome-ignore format: a table, one word a line
const words = {
  serve: ['serve an archive by the contract: POST /api, a desk and a test page, the share of the tick files'],
  '--archive <dir>': ['with --follow: the archive to serve, synced with --source', archivePlace],
  '--port <n>': ['port to listen on; 0: any free port', { parse: port, usual: 8000 }],
  '--host <address>': ['address to listen on; any but 127.0.0.1 requires --keys', { usual: '127.0.0.1' }],
  '--keys <file>': ['key file, see quotebook keys; without it any key is accepted, on this machine only', { env: 'QUOTEBOOK_KEYS' }],
  '--link-secret <file>': ['file with the secret that share links are signed with (or QUOTEBOOK_LINK_SECRET): links then outlive the process, and hold at every service with the same one'],
  '--url <address>': ['address that links begin with, if a proxy is in front', base],
  '--proxy <addresses>': ['address of the proxy in front, or ADDRESS/BITS, several separated by commas: for its connections X-Forwarded-For names the client', proxies],
  '--memory <mib>': ['MiB of rows kept in memory', { parse: wholeAtLeast(2), usual: 512 }],
  '--limits <redis>': ['Redis (redis://host:6379) that shares the rates of keys among several services; its password comes from QUOTEBOOK_REDIS_PASSWORD', { env: 'QUOTEBOOK_LIMITS' }],
  '--workers <n>': ['number of processes; SIGUSR2 replaces them one after the other', wholeAtLeast(1)],
  ...strategiesWord,
  ...deskWords,
  '--no-log': ['turn off the access log (on stdout, a JSON object a line)'],
  '--source <source>': ["archive to serve, a directory or clickhouse://… (default: 'sample'); with --follow: source of --archive, as in quotebook sync"],
  ...notifyWord,
  '--follow': ['sync the archive with --source, and answer for the current session from there'],
} as const satisfies CommandWords

export const serveCommand = (): Command => declare(words).action(serve)
