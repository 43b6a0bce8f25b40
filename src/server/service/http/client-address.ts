import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import Negotiator from 'negotiator'
import { type Language, languages } from '../../../contract/language.js'

export type ProxyList = BlockList

/** Proxies as `127.0.0.1, 10.0.0.0/8` names them, added to a list; undefined for what names none. */
export function proxyList(text: string, list = new BlockList()): ProxyList | undefined {
  for (const word of text.split(',')) {
    const [, address = '', bits] = /^\s*([\da-f:.]+)(?:\/(\d{1,3}))?\s*$/i.exec(word) ?? []
    const [kind, most] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    if (isIP(address) === 0 || Number(bits ?? 0) > most) return undefined
    list.addSubnet(address, Number(bits ?? most), kind)
  }
  return list
}

/** Whether a connection comes from a proxy that the operator named. */
export function isProxy(proxies: ProxyList | undefined, address = ''): boolean {
  return proxies?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`: the address of each. */
const hopPattern = /^\s*(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+))\s*$/i

/**
 * Address of whoever asks: that of the connection. Where a proxy of `proxies` made it, the last address of X-Forwarded-For that is
 * none of them: what stands before that one the client may have written itself. A word that is no address ends the search.
 */
export function clientOf({ socket, headers }: IncomingMessage, proxies: ProxyList | undefined): string | undefined {
  const hops = String(headers['x-forwarded-for'] ?? '').split(',')
  let client = socket.remoteAddress
  while (client !== undefined && isProxy(proxies, client)) {
    const [, ...forms] = hopPattern.exec(hops.pop() ?? '') ?? []
    const hop = forms.find((form) => form !== undefined) ?? ''
    if (isIP(hop) === 0) break
    client = hop
  }
  return client
}

/** The language of a request's Accept-Language; English where that names neither. */
export function languageAsked({ headers }: IncomingMessage): Language {
  const asked = headers['accept-language']
  return asked !== undefined && new Negotiator({ headers }).languages([...languages])[0] === 'zh' ? 'zh' : 'en'
}
