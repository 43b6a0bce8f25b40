import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { RowAlerts } from '../../../src/data/watch/row-alerts.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { parseCondition } from '../../../src/frame/verb/parse-condition.js'
import '../../helper/seed.js'

const bonds = datasetOf('convertible_daily')
const below = parseCondition('cb_over_rate < 0', bonds.name, bonds.columns)
const table = (rates: Readonly<Record<string, number | null>>) =>
  fromRows(
    Object.entries(rates).map(([code, cb_over_rate]) => ({ tradedate: '20260729', code, cb_over_rate })),
    { dataset: bonds },
  )
const told = (alerts: RowAlerts, rates: Readonly<Record<string, number | null>>): unknown[] =>
  toObjects(alerts.next(table(rates))).map(({ code }) => code)

test('of any states, the rows told are those that match and did not in the state before', () => {
  const codes = ['110059.SH', '123124.SZ', '127018.SZ', '128136.SZ']
  const state = fc.dictionary(fc.constantFrom(...codes), fc.option(fc.constantFrom(-1, 0, 1)))
  fc.assert(
    fc.property(fc.array(state, { maxLength: 8 }), (states) => {
      const alerts = new RowAlerts(bonds, below)
      let before = new Set<string>()
      for (const one of states) {
        const matching = Object.keys(one).filter((code) => (one[code] ?? 0) < 0)
        expect(told(alerts, one)).toEqual(matching.filter((code) => !before.has(code)))
        before = new Set(matching)
      }
    }),
    { numRuns: 200 },
  )
})
