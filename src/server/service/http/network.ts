/** Whose an address is: one of IPv4 itself, of IPv6 the first 64 bits, which one subscriber has. */
export function networkOf(address = ''): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...new Array<string>(Math.max(0, zeros)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .join(':')
}
