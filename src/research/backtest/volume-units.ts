import type { Column } from '../../contract/column.js'
import { allOf, sentence, type Words } from '../../contract/sentence.js'
import { inForce, type TradingRules } from '../../contract/trading-rules.js'
import { unitFactor } from '../../contract/turnover-law.js'
import type { PanelInstrument, PanelUnits } from './panel.js'

/** Amounts that tables without units count in: yuan, thousands (Tushare), ten thousands. */
const usualAmounts = [1, 1000, 10_000]

interface Prices {
  readonly close: Float64Array
  readonly vol: Float64Array
  readonly amount: Float64Array | undefined
}

/** Times of a panel, spread over all of them, by which units are told; each row is held against them afterwards. */
const mostTimes = 60

/** Which of some units each instrument has by its turnover: on most of some rows amount / (volume x unit) is within a half and twice the close. */
function unitsByTurnover(
  { close, vol, amount = new Float64Array(0) }: Prices,
  choices: readonly (readonly Required<PanelUnits>[])[],
): (Required<PanelUnits> | undefined)[] {
  const width = choices.length
  const votes = choices.map((own) => new Int32Array(own.length))
  const vote = (symbol: number, cell: number): void => {
    const ratio = (amount[cell] as number) / ((vol[cell] as number) * (close[cell] as number))
    const own = choices[symbol] as readonly Required<PanelUnits>[]
    for (let at = 0; ratio > 0 && at < own.length; at++) {
      const { vol: unit, yuan } = own[at] as Required<PanelUnits>
      const average = (ratio * yuan) / unit
      if (average > 0.5 && average < 2) (votes[symbol] as Int32Array)[at] = (votes[symbol]?.[at] as number) + 1
    }
  }
  const step = width * Math.max(1, Math.floor(amount.length / width / mostTimes))
  return votes.map((own, symbol) => {
    for (let cell = symbol; cell < amount.length; cell += step) vote(symbol, cell)
    for (let cell = symbol; !own.some(Boolean) && cell < amount.length; cell += width) vote(symbol, cell)
    const most = Math.max(...own)
    return most > 0 ? choices[symbol]?.[own.indexOf(most)] : undefined
  })
}

/**
 * Reads the units of `vol` and `amount` from their columns; where a column has none, from amount / volume against the close, instrument by
 * instrument, or else volumes are lots and amounts yuan.
 */
export function volumeUnits(
  prices: Prices,
  about: { readonly vol?: Column | undefined; readonly amount?: Column | undefined },
  instruments: readonly PanelInstrument[],
  { rules, day }: { readonly rules: TradingRules; readonly day: string },
) {
  const lots = instruments.map(({ kind }) => inForce(rules.lots, kind, day)[0]?.unit ?? 1)
  const yuan = unitFactor(about.amount?.unit, undefined)
  const countOf = (lot: number): number | undefined => unitFactor(about.vol?.unit, lot)
  const isKnown = countOf(1) !== undefined && (yuan !== undefined || !prices.amount)
  const choicesOf = (lot: number): Required<PanelUnits>[] => {
    const count = countOf(lot)
    const counts = count === undefined ? [lot, 1] : [count]
    return counts.flatMap((vol) => (yuan === undefined ? usualAmounts : [yuan]).map((each) => ({ vol, yuan: each })))
  }
  const found = isKnown ? [] : unitsByTurnover(prices, lots.map(choicesOf))
  const units = lots.map((lot, at): PanelUnits => {
    const own = found[at] ?? { vol: countOf(lot) ?? lot, yuan: yuan ?? 1 }
    return { ...(own.vol !== lot && { vol: own.vol }), ...(own.yuan !== 1 && { yuan: own.yuan }) }
  })
  const isUsual = units.every((own) => own.vol === undefined && own.yuan === undefined)
  return { units: isUsual ? undefined : units, note: isKnown ? undefined : noteOf(units, instruments) }
}

function noteOf(units: readonly PanelUnits[], instruments: readonly PanelInstrument[]): Words | undefined {
  const single = instruments.filter((_, at) => units[at]?.vol === 1)
  const yuan = units.some((own) => own.yuan !== undefined) ? [...new Set(units.map((own) => own.yuan ?? 1))] : []
  const parts = [
    single.length > 0 &&
      sentence`vol of ${single.length} of ${units.length} instruments (${single[0]?.symbol} …) is read as single shares, bonds or units, not lots`,
    yuan.length > 0 && sentence`amount is read as ${yuan.join(', ')} yuan`,
  ].filter(Boolean)
  return parts.length > 0 ? sentence`${allOf(parts)}: the turnover shows it` : undefined
}
