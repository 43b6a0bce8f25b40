import type { Table } from 'apache-arrow'
import { numbers } from '../../../frame/read-columns.js'

/** What the amounts of southbound flows are counted in. */
export type FlowUnit = 'yuan' | 'Hong Kong dollar'

/** The southbound channels: `2` via Shanghai, `4` via Shenzhen, with the prefix of their columns. */
export const channels = [
  { code: '2', prefix: 'sh' },
  { code: '4', prefix: 'sz' },
] as const

type ChannelCode = (typeof channels)[number]['code']

/** The four columns of one channel, yuan; NaN where null. */
export interface Channel {
  readonly code: ChannelCode
  readonly prefix: 'sh' | 'sz'
  readonly amount: Float64Array
  readonly net: Float64Array
  readonly buy: Float64Array
  readonly sell: Float64Array
}

export function readChannels(table: Table): readonly [Channel, Channel] {
  const read = ({ code, prefix }: (typeof channels)[number]): Channel => ({
    code,
    prefix,
    amount: numbers(table, `${prefix}_amount`),
    net: numbers(table, `${prefix}_net_amount`),
    buy: numbers(table, `${prefix}_buy`),
    sell: numbers(table, `${prefix}_sell`),
  })
  return [read(channels[0]), read(channels[1])]
}
