import { beijingTime } from '../contract/date.js'
import { wallTime } from '../data/source/transport/clock.js'
import { HttpClient } from '../data/source/transport/http-client.js'
import type { CommandWords } from './declare-command.js'
import { whyOf } from './error-text.js'
import { tell } from './output.js'
import { wrongUse } from './wrong-use.js'

/** What is worth a word to a person who looks at no log. */
type Occasion = 'late' | 'check' | 'order' | 'unfollowed' | 'stopped'

/** Tells a person; never fails, and is not waited for. The same is told once a day, an order file once. */
export type Notify = (event: Occasion, text: string) => void

// biome-ignore format: a table, one word a line
export const notifyWord = {
  '--notify <url>': ['with --follow: POST a line of JSON to this address when a day is late, a check finds contradictions, an order file is ready or the source is followed no longer; as a text message for WeCom, DingTalk and Feishu. It holds a secret: better as QUOTEBOOK_NOTIFY', { env: 'QUOTEBOOK_NOTIFY' }],
} as const satisfies CommandWords

/** Bytes of a text that all three chats take. */
const mostBytes = 2000
const milliseconds = 10_000

/** The body that a host takes: of a chat a text message, of any other all that there is to say. */
export function messageFor(
  host: string,
  notice: Readonly<Record<'event' | 'at' | 'archive' | 'text', string>>,
): object {
  const line = `Quotebook ${notice.archive}: ${notice.text}`
  const content = Buffer.from(line).subarray(0, mostBytes).toString().replace(/�+$/, '…')
  if (/(^|\.)(feishu\.cn|larksuite\.com)$/.test(host)) return { msg_type: 'text', content: { text: content } }
  return /(^|\.)(qyapi\.weixin\.qq\.com|dingtalk\.com)$/.test(host) ? { msgtype: 'text', text: { content } } : notice
}

/** Why a message did not arrive; undefined where it did. Chats refuse with a number in the body. */
function refusalOf(status: number, body: string): string | undefined {
  if (status < 200 || status > 299) return `HTTP ${status}`
  const code = /"(?:errcode|code|StatusCode)"\s*:\s*(-?\d+)/.exec(body)?.[1] ?? '0'
  return /^(0|200)$/.test(code) ? undefined : `code ${code}`
}

/**
 * Notices to an address, which holds a secret and is never named.
 * @throws QuotebookError USAGE for what is no address
 */
export function notifier(address: string | undefined, archive: string): { notify: Notify; end(): Promise<void> } {
  if (!address) return { notify: () => undefined, end: async () => undefined }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw wrongUse('--notify takes an address of http or https, without a user or password in it')
  const http = new HttpClient({ deadlines: { call: milliseconds }, maxBytes: 2 ** 16 })
  const [told, underWay] = [new Set<string>(), new Set<Promise<void>>()]
  const send = async (notice: Parameters<typeof messageFor>[1]): Promise<void> => {
    const body = `${JSON.stringify(messageFor(url.hostname, notice))}\n`
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const why = await http.get(url.href, { method: 'POST', body, headers }).then(
      ({ status, bytes }) => refusalOf(status, Buffer.from(bytes).toString()),
      (error) => whyOf(error).replaceAll(url.host, '…').replaceAll(url.hostname, '…'),
    )
    if (why !== undefined) tell('the address of --notify was not told: {why}', { why })
  }
  return {
    notify: (event, text) => {
      const at = beijingTime(wallTime())
      const key = `${event === 'order' ? '' : at.slice(0, 10)} ${event} ${text}`
      if (told.has(key)) return
      told.add(key)
      const sent = send({ event, at, archive, text }).finally(() => underWay.delete(sent))
      underWay.add(sent)
    },
    end: async () => {
      await Promise.all(underWay)
      await http.close()
    },
  }
}
