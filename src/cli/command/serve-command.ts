import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { archiveAt, connect } from '../../connect.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sourceText } from '../../contract/language.js'
import type { Archive } from '../../data/archive/archive.js'
import type { ArchiveStore } from '../../data/archive/store/archive-store.js'
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
import { declare } from '../declare-command.js'
import { inLanguage } from '../error-text.js'
import { type FollowProcess, followProcess } from '../follow-process.js'
import { ended, onReload } from '../interrupt.js'
import { notifyWord } from '../notify.js'
import { tellWord } from '../other-words.js'
import { log } from '../output.js'
import { redisUrl } from '../prompt.js'
import { archivePlace, archiveRead, openSource, sourceElsewhere } from '../source-option.js'
import { strategyDesk } from '../strategy-desk.js'
import { agentsOf } from './mcp-command.js'

interface Options {
  readonly archive?: ArchiveStore
  readonly host: string
  readonly port: number
  readonly keys?: string
  readonly linkSecret?: string
  readonly url?: string
  readonly proxy?: ProxyList
  readonly memory: number
  readonly log: boolean
  readonly source?: string
  readonly follow?: true
  readonly workers?: number
  readonly limits?: string
  readonly notify?: string
  readonly strategies?: string
}

const mebi = 2 ** 20
/** Bytes of answers on their way, at least: one of 6,000 rows has up to one million. */
const leastUnsent = 8 * mebi

/** An address that links can begin with, without a slash at its end. */
function base(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/i.test(text)) throw new InvalidArgumentError(say('no address'))
  return text.replace(/\/+$/, '')
}

/** Proxies, gathered over repeated options. */
function proxies(text: string, before?: ProxyList): ProxyList {
  const list = proxyList(text, before)
  if (!list) throw new InvalidArgumentError(say('no proxy', { text }))
  return list
}

/** What share links are signed with: the file's text, or QUOTEBOOK_LINK_SECRET; never an argument, which every process could read. */
function linkSecret({ linkSecret: file }: Options): Uint8Array | undefined {
  let text = process.env.QUOTEBOOK_LINK_SECRET?.trim()
  if (file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').trim()
    } catch (cause) {
      throw new QuotebookError('USAGE', say('no link secret', { file, why: inLanguage(messageOf(cause)) }), { cause })
    }
  }
  if (text !== undefined && text.length < 32) throw new QuotebookError('USAGE', say('short link secret'))
  return text === undefined ? undefined : Buffer.from(text)
}

/** What keeps the archive up to a source, and answers for the running day; undefined where the archive stays as it is. */
interface Followed {
  readonly market: Market
  readonly apikey: string | undefined
  /** Absent in a worker: one process keeps the archive for all. */
  readonly process: FollowProcess | undefined
}

/** What is served is read from `--source`, unless that one is followed. */
function served(given: Options): Options {
  const { archive, source, follow } = given
  if (follow) return given
  if (archive && source !== undefined) throw new QuotebookError('USAGE', say('serve follows'))
  if (archive) tellWord('--archive', '--source')
  if (source === undefined) return given
  if (/^(\w+=)?https?:\/\//i.test(source)) throw new QuotebookError('USAGE', say('serve follows'))
  const { source: _, ...others } = given
  return { ...others, archive: archiveRead(source) }
}

async function followed(
  { archive: dir, source, follow, notify }: Options,
  isWorker: boolean,
): Promise<Followed | undefined> {
  if (!follow) return undefined
  if (source === undefined || dir === undefined) throw new QuotebookError('USAGE', say('serve follows'))
  if (dir.dir === undefined) throw new QuotebookError('USAGE', say('follow in directories'))
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
  if (options.keys?.trim() === '') throw new QuotebookError('USAGE', say('keys are empty'))
  if (options.limits !== undefined && options.keys === undefined)
    throw new QuotebookError('USAGE', say('limits need keys'))
  if (options.url !== undefined && options.keys === undefined) throw new QuotebookError('USAGE', say('url needs keys'))
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
  const what = say('serving', { name: sourceText(archive.name, language), held: heldWords(manifest) })
  log(about === undefined ? what : `${what}${say('about', { about: inLanguage(about) })}`)
  log(say('where it serves', { url }))
  if (!hasKeys) log(say('serves here only'))
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
    onEnd: ({ id, how, wait }) => log(say(wait === 0 ? 'worker ended' : 'worker ended again', { id, how, wait })),
  })
  if (typeof started === 'number') {
    process.exitCode = started
    return
  }
  const { pool, address } = started
  await sayServing(archive, urlOf(address), options.keys !== undefined)
  log(say('workers answer', { count: pool.status.listening, pid: process.pid }))
  onReload(async () => {
    log(say('workers are replaced'))
    const isDone = await pool.replaceAll()
    if (isDone !== undefined)
      log(say(isDone ? 'workers were replaced' : 'workers stay', { count: pool.status.listening }))
  })
  try {
    await Promise.race([told, ...(own?.process ? [own.process.ended] : [])])
    log(say('ending'))
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
    onChange: (why) => log(why === undefined ? say('limits are back') : say('limits are away', { why })),
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
  const tell = countedLines(over.signal)
  const onKeyFault = ({ message }: Error): void => tell(message)
  const authenticator = keys === undefined ? undefined : new KeyRing(keys, { onFault: onKeyFault, limitOf })
  const inForce = authenticator && (() => authenticator.inForce())
  const shares = createShares(archive, {
    url,
    secret: linkSecret(options),
    keys: inForce,
    onFault: ({ message }) => tell(say('share', { why: message })),
  })
  const agents = agentsOf(archive, authenticator ?? acceptAnyKey(), link, deskOf(options))
  const accessLog = isLogging ? (link ? linesTo(link) : stdoutLines()) : undefined
  const service = await startService({
    archive,
    shares,
    agents,
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
    onFault: (error) => tell(say('fault', { why: inLanguage(messageOf(error)).replaceAll('\n', ' ') })),
  })
  if (!link) await sayServing(archive, service.url, authenticator !== undefined)
  let isGentle = false
  try {
    const told = link?.ended.then((end) => {
      isGentle = end.isGentle
    })
    await Promise.race([ended(), ...(told ? [told] : []), ...(own?.process ? [own.process.ended] : [])])
    if (!link) log(say('ending'))
  } finally {
    await service.close(isGentle)
    limits?.close()
    over.abort()
    await accessLog?.end()
  }
}

// biome-ignore format: a table, one word a line
export const serveCommand = (): Command => declare({
  serve: ['answer the contract over an archive: POST /api, a test page, the share of the tick files', '用归档对外提供接口服务：POST /api、测试页、集合竞价快照文件的网盘分享'],
  '--archive <dir>': ['with --follow: the archive that is served, and kept up to --source', '与 --follow 合用：所提供的归档，与 --source 持续同步', archivePlace],
  '--port <n>': ['port to listen on; 0: one that is free', '监听端口；0 表示任一空闲端口', { parse: port, usual: 8000 }],
  '--host <address>': ['address to listen on; any but 127.0.0.1 requires --keys', '监听地址；127.0.0.1 以外的地址须给出 --keys', { usual: '127.0.0.1' }],
  '--keys <file>': ['key file, see quotebook keys; without it any key will do, on this machine only', '密钥文件，见 quotebook keys；未指定时接受任意密钥，但仅限本机访问', { env: 'QUOTEBOOK_KEYS' }],
  '--link-secret <file>': ['file with the secret that share links are signed with (or QUOTEBOOK_LINK_SECRET): links then outlive the process, and hold at every service with the same one', '分享链接签名密钥的文件（或 QUOTEBOOK_LINK_SECRET）：链接不随进程结束而失效，且在使用同一签名密钥的各服务上均有效'],
  '--url <address>': ['address that links begin with, where a proxy stands before it', '前面有代理时，链接所用的起始地址', base],
  '--proxy <addresses>': ['address of the proxy before the service, or ADDRESS/BITS, several separated by commas: of its connections X-Forwarded-For names the client', '服务前面的代理的地址，或 地址/前缀位数，多个用逗号分隔：来自代理的连接以 X-Forwarded-For 给出客户端地址', proxies],
  '--memory <mib>': ['MiB of rows kept in memory', '内存中保留的数据量（MiB）', { parse: wholeAtLeast(2), usual: 512 }],
  '--limits <redis>': ['Redis (redis://host:6379) where the rates of keys are kept for several services; its password goes by QUOTEBOOK_REDIS_PASSWORD', '多个服务共用密钥频率限制所用的 Redis（redis://host:6379）；密码由 QUOTEBOOK_REDIS_PASSWORD 给出', { env: 'QUOTEBOOK_LIMITS' }],
  '--workers <n>': ['answer in so many processes; SIGUSR2 replaces them one after the other', '以若干进程提供服务；SIGUSR2 逐个更换', wholeAtLeast(1)],
  ...strategiesWord,
  '--no-log': ['no access log: it goes to stdout, a JSON object a line', '不写访问日志；访问日志输出到 stdout，每行一个 JSON 对象'],
  '--source <source>': ["the archive that is served, a directory or clickhouse://…, 'sample' when absent; with --follow: where --archive comes from, as in quotebook sync", "所提供的归档：目录或 clickhouse://…，默认 'sample'；与 --follow 合用时：--archive 的数据来源，写法同 quotebook sync"],
  ...notifyWord,
  '--follow': ['keep the archive up to --source, and answer for the running day from there', '使归档与 --source 持续同步，当日行情直接取自该来源'],
}).action(serve)
