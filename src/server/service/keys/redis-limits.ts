import { messageOf, worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { LimitOf } from './key-ring.js'

export interface RedisLimitsOptions {
  /** `redis://:password@host:6379/0`, or `rediss://…` with TLS. */
  readonly url: string
  /** Where rates are kept while Redis keeps none: it does not answer, or with an error. */
  readonly elsewhere: LimitOf
  /** Redis keeps no rates any more, and why; undefined: it does again. */
  readonly onChange: (away: string | undefined) => void
}

/** Rates of keys that every process of every machine keeps to. */
export interface RedisLimits {
  readonly limitOf: LimitOf
  /** Whether Redis keeps no rates. */
  isAway(): boolean
  /** What `/healthz` says of them. */
  health(): Readonly<Record<string, unknown>>
  close(): void
}

/** Milliseconds that an answer of Redis is waited for, beyond which the connection is given up and made anew; and between two looks at it. */
const patience = 2000
/** Why there are no rates of a Redis that gave no reason: the connection was closed, or Redis is loading its data. */
const notReady = sentence`no connection is ready`

/**
 * The bucket of `rateLimit` in Redis, by its clock: fixed windows would let twice the sixth of a minute's rate in where
 * two of them meet. Kept is when the bucket is full again, in ms, and only so long; a microsecond is less than doubles of this size
 * tell apart. Gives more than the points when refused, with the milliseconds until the next.
 */
export const bucketScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval = ARGV[4] * 1000 / ARGV[3]
local slack = (math.max(1, math.floor(ARGV[3] / 6)) - 1) * interval
local kept = tonumber(redis.call('GET', KEYS[1]) or '0')
local fullAt = math.max(now, math.min(kept, now + slack + interval))
if fullAt - slack - now > 0.001 then return { ARGV[3] + 1, math.ceil(fullAt - slack - now) } end
redis.call('SET', KEYS[1], string.format('%.17g', fullAt + interval), 'PX', math.ceil(fullAt + interval - now))
return { 1, 0 }
`

const connection = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: patience,
  socketTimeout: patience,
  retryStrategy: (tries: number) => Math.min(2000, 100 * tries),
}

/** Rates kept in Redis. While that is away, or can not write them, none of its errors reaches a caller: rates are kept `elsewhere`. */
export async function redisLimits({ url, elsewhere, onChange }: RedisLimitsOptions): Promise<RedisLimits> {
  const { Redis } = await import('#redis')
  const client = new Redis(url, connection)
  /** Seconds until a request is let in. */
  const ask = async (id: string, rate: number): Promise<number> => {
    if (client.status !== 'ready') throw worded(Error, notReady)
    const [points, wait] = (await client.eval(bucketScript, 1, `quotebook:rate:${id}`, 1, 60, rate, 60)) as [
      number,
      number,
    ]
    return points > rate ? Math.max(1, Math.ceil(wait / 1000)) : 0
  }
  let [isAway, why, isClosed] = [false, String(notReady), false]
  const change = (away: boolean): void => {
    if (away === isAway || isClosed) return
    isAway = away
    onChange(away ? why : undefined)
  }
  client.on('error', (error: unknown) => {
    why = String(messageOf(error)) || why
  })
  // A rate of nobody that is never used up: what it meets, every rate would, also where nobody asks.
  const look = async (): Promise<void> => {
    try {
      await ask('look', 6e6)
      why = String(notReady)
      change(false)
    } catch (fault) {
      if (fault instanceof Error && fault.name === 'ReplyError') why = String(messageOf(fault))
      change(true)
    }
  }
  client.on('ready', look)
  client.on('close', () => change(true))
  const looks = setInterval(look, patience)
  await new Promise<void>((resolve) => {
    client.once('ready', resolve).once('close', resolve)
    setTimeout(resolve, patience).unref()
  })
  await look()
  return {
    limitOf: (id, rate) => {
      const own = elsewhere(id, rate)
      return { take: (now) => ask(id, rate).catch(() => own.take(now)) }
    },
    isAway: () => isAway,
    health: () => ({ store: 'redis', status: isAway ? 'away' : 'ok', ...(isAway && { why }) }),
    close: () => {
      isClosed = true
      clearInterval(looks)
      client.disconnect()
    },
  }
}
