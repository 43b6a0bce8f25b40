import { tradingDays } from '../../../src/contract/calendar.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { withProvenance } from '../../../src/frame/table/provenance.js'
import { panel } from '../../../src/research/backtest/make-panel.js'
import type { Panel } from '../../../src/research/backtest/panel.js'
import type { SweepOptions } from '../../../src/research/backtest/sweep.js'
import type { Sweep } from '../../../src/research/backtest/sweep-result.js'

/** A module of strategies, as a file has it. */
export const strategySource = `export const make = ({ w, n }) => ({
  score: (bar) => bar.close + w * bar.premium,
  pick: { n, side: 'lowest', exitRank: 2 * n },
  when: { weekly: 1 },
})
export const broken = ({ n }) => ({ score: () => { throw new Error('no score of ' + n) }, pick: { n, side: 'lowest' } })
export const word = 'make'
`

const days = tradingDays('20250102', '20250430')

function rowsOf(bond: number, phase: number): Record<string, string | number>[] {
  return days.map((tradedate, day) => {
    const swing = (at: number): number => Math.round(2500 * Math.sin(at * (0.2 + 0.05 * bond) + phase))
    const [pre, close] = [day - 1, day].map((at) => (100_000 + 3000 * bond + swing(at)) / 1000)
    const more = { open: pre as number, close: close as number, pre_close: pre as number, vol: 50_000 }
    return { tradedate, code: `${123_001 + bond}.SZ`, ...more, premium: ((7 * bond + day) % 11) * 3 }
  })
}

/** Twelve bonds over four months. @param state of the archive that they are said to come from; each has other prices */
export function sweepPanel(state = 'a'.repeat(64)): Panel {
  const rows = Array.from({ length: 12 }, (_, bond) => rowsOf(bond, state.startsWith('a') ? 0 : 0.1)).flat()
  const request = { params: {}, fields: [] }
  const about = { dataset: 'convertible_daily', source: 'archive', request, rows: rows.length, complete: true, state }
  const table = withProvenance(fromRows(rows) as never, about)
  return panel(table as never, { columns: ['open', 'close', 'pre_close', 'vol', 'premium'] }) as never
}

export const sweepGrid = { w: [0, 0.5, 1], n: [2, 3, 4] }
export const sweepOptions: SweepOptions<typeof sweepGrid> = { cash: 1e6, scoreParams: ['w'] }

/** All of a sweep that can be compared. */
export function outcomeOf({ trials, best, deflatedSharpe, overfitting, table }: Sweep<never>): object {
  return {
    trials: trials.map(({ params, returns, performance }) => ({ params, returns, performance })),
    best: best?.params,
    deflatedSharpe,
    overfitting,
    table: toObjects(table),
  }
}
