import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { columnsOf, dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { unitIn } from '../source-words.js'

/** The columns that the view needs. The files have no documented columns: these are of the profile that is assumed. */
const needed = {
  symbol: 'text',
  time: 'text',
  m_price: 'number',
  auc_vol: 'number',
  auc_amt: 'number',
  um_vol: 'number',
  um_side: 'text',
}

/** Columns that are needed and not there, or of another kind. */
export function lackingColumns(table: Table): string[] {
  const { columns: of } = columnsOf(table)
  return Object.entries(needed).flatMap(([name, kind]) => {
    const form = of.get(name)?.type
    const found =
      form === 'float' || form === 'int' ? 'number' : form === 'dictionary' || form === 'string' ? 'text' : undefined
    return found === kind ? [] : [`${name} (${kind})`]
  })
}

/** Seconds since midnight of `HH:MM:SS`, with or without colons and decimals; NaN for anything else. */
function secondsOf(time: string | null): number {
  const [, hour, minute, second] = /^(\d\d):?(\d\d):?(\d\d(?:\.\d+)?)$/.exec(time ?? '') ?? []
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}

export interface AuctionTick {
  readonly time: string
  /** Seconds since midnight. */
  readonly at: number
  readonly price: number
  readonly matched: number
  readonly amount: number
  /** Volume left over: above zero for buyers, below zero for sellers. */
  readonly left: number
}

function leftOver(volume: number, side: string | null | undefined): number {
  if (volume === 0 || side === 'b') return volume
  return side === 's' ? -volume : Number.NaN
}

/** The snapshots of each symbol in the order of time. */
export function ticksBySymbol(table: Table): Map<string, AuctionTick[]> {
  const symbol = dictionary(table, 'symbol')
  const [time, side] = [strings(table, 'time'), strings(table, 'um_side')]
  const [price, matched, amount, left] = ['m_price', 'auc_vol', 'auc_amt', 'um_vol'].map((name) => numbers(table, name))
  const lists: AuctionTick[][] = symbol.words.map(() => [])
  symbol.codes.forEach((code, row) => {
    const at = secondsOf(time[row] ?? null)
    if (Number.isNaN(at)) return
    lists[code]?.push({
      time: time[row] ?? '',
      at,
      price: price?.[row] ?? Number.NaN,
      matched: matched?.[row] ?? Number.NaN,
      amount: amount?.[row] ?? Number.NaN,
      left: leftOver(left?.[row] ?? Number.NaN, side[row]),
    })
  })
  return new Map(lists.map((list, code) => [symbol.words[code] ?? '', list.sort((a, b) => a.at - b.at)]))
}

/** Units of prices and volumes. */
export interface AuctionUnits {
  readonly price: string
  readonly volume: string
}

/**
 * Units that the file states, or else those that its own numbers show: turnover over price and volume is 1 where volumes are
 * shares, 100 where they are lots.
 */
export function auctionUnits(table: Table, say: Say): AuctionUnits {
  const stated = (name: string): string | undefined => {
    const unit = table.schema.fields.find((field) => field.name === name)?.metadata.get('unit')
    return unit === undefined ? undefined : unitIn(unit, say)
  }
  const [price, volume, amount] = ['m_price', 'auc_vol', 'auc_amt'].map((name) => numbers(table, name))
  const ratios = Array.from(
    amount ?? [],
    (one, row) => one / ((price?.[row] ?? Number.NaN) * (volume?.[row] ?? Number.NaN)),
  )
  const known = ratios.filter(Number.isFinite)
  const near = (factor: number): boolean =>
    known.length > 0 && known.filter((ratio) => Math.abs(ratio / factor - 1) < 0.01).length > 0.95 * known.length
  const shown = near(100) ? say('lots of 100 shares') : near(1) ? say('shares') : say('unit not stated')
  return { price: stated('m_price') ?? say('yuan'), volume: stated('auc_vol') ?? shown }
}
