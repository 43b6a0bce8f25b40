import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { aligned, fixed, formatSigned } from '../format-number.js'
import { type GridColumn, gridNumber, gridPair, gridText, type Html, html, outside } from '../html.js'
import { onceOf } from '../report-day.js'
import { moneyIn } from '../report-words.js'

/** A bond on the day. */
export interface Bond {
  readonly code: string
  readonly name: string | null
  readonly close: number
  readonly change: number
  readonly amount: number
  readonly premium: number
  /** close + premium, a sum of yuan and percent. */
  readonly sum: number
}

/** The bonds of the day in the order of their codes; undefined without any table of them. */
export const bondsOf = onceOf(({ of }): readonly Bond[] | undefined => {
  const { table, date, rows = [] } = of('convertible_daily') ?? {}
  if (!table || !date) return undefined
  const [code, name] = [strings(table, 'code'), strings(table, 'name')]
  const [close, premium, change, amount] = ['close', 'cb_over_rate', 'pct_chg', 'amount'].map((column) =>
    has(table, column) ? numbers(table, column) : undefined,
  )
  const bonds = rows.map((row): Bond => {
    const [price = Number.NaN, rate = Number.NaN] = [close?.[row], premium?.[row]]
    const isKnown = !Number.isNaN(price) && !Number.isNaN(rate)
    return {
      code: code[row] ?? '',
      name: name[row] ?? null,
      close: price,
      change: change?.[row] ?? Number.NaN,
      amount: amount?.[row] ?? Number.NaN,
      premium: rate,
      sum: isKnown ? sumDecimals([price, rate]) : Number.NaN,
    }
  })
  return bonds.sort((a, b) => (a.code < b.code ? -1 : 1))
})

/** The columns of tables of bonds of a day, their numbers aligned over all of them. */
export function bondColumns(bonds: readonly Bond[], say: Say): GridColumn<Bond>[] {
  const number = (text: string, unit: string | undefined, of: (bond: Bond) => number): GridColumn<Bond> => {
    const written = aligned(bonds.map(of).filter((value) => !Number.isNaN(value)))
    return gridNumber(text, unit, (bond) => written(of(bond)))
  }
  return [
    gridText(say('code'), ({ code }) => code),
    gridText(say('name'), ({ name }) => outside(name), 'name'),
    number(say('close'), say('yuan'), ({ close }) => close),
    number(say('premium'), '%', ({ premium }) => premium),
    number(say('double-low'), undefined, ({ sum }) => sum),
  ]
}

/** Bonds of each end of the movers that are listed. */
const movers = 5

/** The bonds that rose and fell most, the most first. */
export function moversOf(bonds: readonly Bond[]): {
  readonly gains: readonly Bond[]
  readonly losses: readonly Bond[]
} {
  const moved = bonds.filter(({ change }) => !Number.isNaN(change)).sort((a, b) => b.change - a.change)
  const few = Math.min(movers, Math.floor(moved.length / 2))
  return { gains: moved.slice(0, few), losses: moved.reverse().slice(0, few) }
}

export function moversTable(bonds: readonly Bond[], say: Say): Html {
  const { gains, losses } = moversOf(bonds)
  if (gains.length === 0) return html``
  const money = moneyIn('yuan', say)
  const columns = [
    gridText(say('code'), ({ code }: Bond) => code),
    gridText(say('name'), ({ name }: Bond) => outside(name), 'name'),
    gridNumber(say('change'), '%', ({ change }: Bond) => formatSigned(change, 2)),
    gridNumber(say('close'), say('yuan'), ({ close }: Bond) => fixed(close, 3)),
    gridNumber(say(fact('CONVERTIBLE_BONDS', 'turnover')), money.unit, ({ amount }: Bond) =>
      fixed(amount, money.digits, money.power),
    ),
  ]
  return gridPair(columns, {
    [say('Largest gains')]: gains,
    [say('Largest losses')]: losses,
  })
}
