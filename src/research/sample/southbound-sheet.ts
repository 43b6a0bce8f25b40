import { divideHalfUp, percentChange } from './exact-quotient.js'
import { below, drawsFrom, fork, isChosen, level, wave } from './random.js'
import type { Day } from './sample-days.js'
import { hongKongName } from './sample-names.js'
import { sheetOf, type WholeRow } from './sample-sheet.js'

type Row = WholeRow<'southbound_top10'>
type Channel = 'sh' | 'sz'

const codes =
  '00700 00981 01810 03690 09988 00388 00941 01024 02318 01211 00883 02800 01347 00005 02015 06618 09618 00175 01398 03988 02382 00992 01299 02269 06160 01177 00857 02899 00020 09868'.split(
    ' ',
  )

/** Days on which the channels rest while the mainland trades, as far as they have a fixed date. */
const resting = /(0701|1225|1226)$/
/** First day of the service's history. */
const since = '20230711'

interface Security {
  readonly code: string
  readonly name: string
  readonly root: number
  readonly base: number
}

function securities(seed: number): Security[] {
  const root = fork(seed, 'southbound')
  return codes.map((bare, place) => {
    const own = fork(root, bare)
    const name = hongKongName(place)
    return { code: `${bare}.HK`, name, root: own, base: 600 + below(fork(own, 'base'), 40_000) }
  })
}

/** Turnover of a security in a channel, in ten yuan. */
function turnoverOf({ root }: Security, channel: Channel, t: number): number {
  const own = fork(root, channel)
  const usual = 3_000_000 + below(fork(own, 'usual'), 60_000_000)
  return Math.round(usual * (1 + 4 * wave(own, t)))
}

interface Flow {
  readonly amount: number
  readonly buy: number
  readonly sell: number
  readonly place: number
}

/** The ten most active securities of a channel, with what was bought and sold, in yuan. */
function topTen(all: readonly Security[], channel: Channel, t: number): Map<Security, Flow> {
  const listed = all.map((one) => ({ one, amount: turnoverOf(one, channel, t) }))
  listed.sort((a, b) => b.amount - a.amount || (a.one.code < b.one.code ? -1 : 1))
  const flowOf = (one: Security, amount: number, place: number): Flow => {
    const { int } = drawsFrom(fork(fork(fork(one.root, 'buy'), channel), t))
    const buy = divideHalfUp(amount * int(300, 700), 1000)
    return { amount: amount * 10, buy: buy * 10, sell: (amount - buy) * 10, place: place + 1 }
  }
  return new Map(listed.slice(0, 10).map(({ one, amount }, place) => [one, flowOf(one, amount, place)]))
}

function channelCells(flow: Flow | undefined) {
  if (!flow) return { amount: null, net: null, buy: null, sell: null }
  return { amount: flow.amount, net: flow.buy - flow.sell, buy: flow.buy, sell: flow.sell }
}

/**
 * A row of the channel `own`. Its `amount` is the sum of both channels, but for one in five of the securities that
 * stand in both it counts the row's own channel twice, as published rows do.
 */
function rowOf(
  security: Security,
  day: Day,
  own: Flow,
  market: '2' | '4',
  sh: Flow | undefined,
  sz: Flow | undefined,
): Row {
  const [one, other] = [channelCells(sh), channelCells(sz)]
  const quirk = fork(fork(fork(security.root, 'quirk'), day.t), market)
  const twice = sh && sz && isChosen(quirk, 5) ? own.amount : 0
  const close = level(security.root, day.t, security.base)
  return {
    trade_date: day.date,
    code: security.code,
    name: security.name,
    close: close / 100,
    p_change: percentChange(close, level(security.root, day.t - 1, security.base)),
    rank: isChosen(fork(quirk, 'rank'), 20) ? null : own.place,
    market_type: market,
    amount: (one.amount ?? 0) + (other.amount ?? 0) + twice,
    net_amount: (one.net ?? 0) + (other.net ?? 0),
    sh_amount: one.amount,
    sh_net_amount: one.net,
    sh_buy: one.buy,
    sh_sell: one.sell,
    sz_amount: other.amount,
    sz_net_amount: other.net,
    sz_buy: other.buy,
    sz_sell: other.sell,
  }
}

function* dayRows(all: readonly Security[], day: Day): Iterable<Row> {
  const [sh, sz] = [topTen(all, 'sh', day.t), topTen(all, 'sz', day.t)]
  for (const [one, flow] of sh) yield rowOf(one, day, flow, '2', flow, sz.get(one))
  for (const [one, flow] of sz) yield rowOf(one, day, flow, '4', sh.get(one), flow)
}

/**
 * The ten most active securities of both southbound channels. Buys, sells and nets hold exactly; a channel in which
 * a security is not listed is null. No rows on 1 July, 25 and 26 December, when Hong Kong rests, nor before 2023-07-11.
 */
export const southboundSheet = sheetOf(
  'southbound_top10',
  (sample) => sample.days.filter(({ date }) => date >= since && !resting.test(date)),
  (sample, days) => {
    const all = securities(sample.seed)
    return days.flatMap((day) => [...dayRows(all, day)])
  },
)
