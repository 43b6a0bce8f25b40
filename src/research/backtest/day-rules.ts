import { invalid, misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import {
  type DatedLimit,
  type DatedListing,
  type DatedLot,
  inForce,
  type TradingRules,
} from '../../contract/trading-rules.js'
import { roundHalfUp } from '../checks/exact/decimal.js'
import { type DecimalRate, halfUpQuotient, rateOf } from './money.js'

/** What a broker takes for a fill: a share of the amount, and at least so much (yuan). */
export interface Commission {
  readonly rate: number
  readonly min: number
}

/**
 * The commission of an account, for all classes or by class of the rules; a class that is not named pays the first, and so does one
 * for the part that it leaves out.
 */
export interface CommissionOption extends Partial<Commission> {
  readonly byClass?: Readonly<Record<string, Commission>>
}

/** The rules of a class on a day, ready to compute with. */
export interface DayRules {
  readonly lot: DatedLot<string>
  /** Mills. */
  readonly tick: number
  /** Days until what was bought may be sold. */
  readonly settlement: number
  readonly limit: DatedLimit<string> | undefined
  readonly commission: { readonly rate: DecimalRate /** Fen. */; readonly min: number }
  readonly stamp: { readonly buy: DecimalRate; readonly sell: DecimalRate }
  readonly transfer: { readonly buy: DecimalRate; readonly sell: DecimalRate }
}

const nothing: DecimalRate = { digits: 0, divisor: 1 }

function chargeOn(rules: TradingRules, kind: string, day: string, charge: 'stamp' | 'transfer'): DayRules['stamp'] {
  const [row] = inForce(rules.charges, kind, day).filter((one) => one.charge === charge)
  if (!row) return { buy: nothing, sell: nothing }
  const rate = rateOf(row.rate)
  return { buy: row.side === 'both' ? rate : nothing, sell: rate }
}

function commissionOn(rules: TradingRules, kind: string, day: string, asked: CommissionOption): Commission {
  const own: Partial<Commission> | undefined = asked.byClass?.[kind]
  const [row] = inForce(rules.commission, kind, day)
  return { rate: own?.rate ?? asked.rate ?? row?.rate ?? 0, min: own?.min ?? asked.min ?? row?.min ?? 0 }
}

function rulesOn(rules: TradingRules, kind: string, day: string, commission: CommissionOption): DayRules {
  const [lot] = inForce(rules.lots, kind, day)
  const [settlement] = inForce(rules.settlement, kind, day)
  if (!lot || !settlement)
    throw invalid(sentence`the rules of ${rules.name} have no lot or settlement of '${kind}' on ${day}`)
  const { rate, min } = commissionOn(rules, kind, day, commission)
  return {
    lot,
    tick: Math.round(lot.tick * 1000),
    settlement: settlement.days,
    limit: inForce(rules.limits, kind, day)[0],
    commission: { rate: rateOf(rate), min: Math.round(roundHalfUp(min, 2) * 100) },
    stamp: chargeOn(rules, kind, day, 'stamp'),
    transfer: chargeOn(rules, kind, day, 'transfer'),
  }
}

/** @throws QuotebookError USAGE for a class that the rules do not have: its commission would be forgotten without a word */
function checkClasses(rules: TradingRules, { byClass = {} }: CommissionOption): void {
  const classes = [...new Set(rules.lots.flatMap(({ boards }) => boards))]
  const unknown = Object.keys(byClass).find((kind) => !classes.includes(kind))
  if (unknown === undefined) return
  throw misuse(sentence`backtest: byClass of the commission has no class '${unknown}'; there are ${classes.join(', ')}`)
}

/** The rules of each class on each day; days between two changes of the tables share theirs. */
export function rulesByDay(
  rules: TradingRules,
  kinds: readonly string[],
  days: readonly string[],
  commission: CommissionOption,
): ReadonlyMap<string, readonly DayRules[]> {
  checkClasses(rules, commission)
  const tables = [rules.limits, rules.lots, rules.settlement, rules.charges, rules.commission]
  const changes = new Set(tables.flat().flatMap(({ from, until }) => [from, until]))
  const borders = [...changes].filter((day): day is string => day !== undefined).sort()
  return new Map(
    kinds.map((kind) => {
      let last: { rules: DayRules; until: string } | undefined
      const byDay = days.map((day) => {
        if (!last || day >= last.until) {
          const until = borders.find((border) => border > day) ?? '99999999'
          last = { rules: rulesOn(rules, kind, day, commission), until }
        }
        return last.rules
      })
      return [kind, byDay]
    }),
  )
}

/** The first days of a listing, by the rules of the day on which it was listed. */
export function listingRule(rules: TradingRules, kind: string, listed: string): DatedListing<string> | undefined {
  return inForce(rules.listings, kind, listed)[0]
}

/** The prices, in mills, at which a day's band ends; infinite where there is none. */
export interface PriceBand {
  readonly up: number
  readonly down: number
}

export const noBand: PriceBand = { up: Number.POSITIVE_INFINITY, down: 0 }

/**
 * Limits around a previous close in mills: in decimal to the tick, half up or inward, at least one tick away and at least one tick.
 * @param up, down percent, signed
 */
export function priceBand(
  preClose: number,
  { up, down, rounding }: { readonly up: number; readonly down: number; readonly rounding?: 'inward' | undefined },
  tick: number,
): PriceBand {
  const unit = 100_000 * tick
  const at = (percent: number): number => {
    const exact = preClose * (100_000 + Math.round(percent * 1000))
    if (rounding === undefined) return halfUpQuotient(exact, unit) * tick
    return (percent > 0 ? Math.floor(exact / unit) : Math.ceil(exact / unit)) * tick
  }
  return {
    up: Math.max(at(up), preClose + tick),
    down: Math.max(tick, Math.min(at(down), preClose - tick)),
  }
}
