const basic = /^basic +([A-Za-z0-9+/_-]*={0,2}) *$/i

/** The password of HTTP Basic credentials (RFC 7617), under any user name; undefined when there are none. */
export function passwordIn(authorization: string | undefined): string | undefined {
  const encoded = basic.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : pair.slice(colon + 1)
}
