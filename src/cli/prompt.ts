import { read } from 'read'
import { shownRedis } from '../contract/redis-address.js'
import { noKey } from '../data/source/transport/node-address.js'
import { say } from './chosen-language.js'
import { InterruptedError } from './interrupt.js'
import { wrongUse } from './wrong-use.js'

/** What is typed at a prompt that does not show it. */
function hidden(prompt: string): Promise<string> {
  return read({ prompt, silent: true, output: process.stderr }).catch(() => {
    process.stderr.write('\n')
    throw new InterruptedError()
  })
}

/**
 * The caller's key as it is given: QUOTEBOOK_APIKEY, or typed at a prompt that does not show it. Never an argument, which every process of
 * the machine could read. A service on this machine may need none: it is sent `anonymous`.
 * @throws QuotebookError USAGE where there is neither a variable nor a terminal to ask at
 */
export async function apikeyFor(nodes: readonly string[], isHere: boolean): Promise<string> {
  const given = process.env.QUOTEBOOK_APIKEY
  if (given?.trim()) return given
  if (isHere) return noKey
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw wrongUse('no key: set QUOTEBOOK_APIKEY to your key at the service')
  const typed = await hidden(say('key for {node}: ', { node: nodes[0] ?? '' }))
  if (typed.trim() === '') throw wrongUse('no key was typed; set QUOTEBOOK_APIKEY to your key')
  return typed
}

/**
 * The password of a share: QUOTEBOOK_SHARE_PASSWORD, or typed at a prompt that does not show it, nor the link. Undefined for a
 * folder, for an empty answer, and where there is no terminal to ask at: a share may have none.
 */
export async function sharePassword(link: string): Promise<string | undefined> {
  const given = process.env.QUOTEBOOK_SHARE_PASSWORD
  if (given !== undefined) return given === '' ? undefined : given
  if (!/^https?:/i.test(link) || !process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return (await hidden(say('password of the share (empty when it has none): '))) || undefined
}

/**
 * The address of a Redis, with the password of QUOTEBOOK_REDIS_PASSWORD where there is one.
 * @throws QuotebookError USAGE for what is no address, and for one with a password: every process of the machine could read it
 */
export function redisUrl(text: string): string {
  shownRedis(text)
  const url = new URL(text)
  if (url.password !== '')
    throw wrongUse('an argument can be read by every process: give the password of Redis as QUOTEBOOK_REDIS_PASSWORD')
  // An address does not encode a % by itself.
  url.password = encodeURIComponent(process.env.QUOTEBOOK_REDIS_PASSWORD ?? '')
  return url.href
}
