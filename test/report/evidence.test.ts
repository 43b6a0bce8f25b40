import { expect, test } from 'vitest'
import type { Check, CheckResult } from '../../src/checks/check.js'
import { checkState } from '../../src/checks/check-health.js'
import { checkVwap } from '../../src/checks/vwap/check-vwap.js'
import { renderReport } from '../../src/report/render-report.js'
import { toTable } from '../../src/table/arrow.js'
import { checkResult, fixtureChecks, resultOf, tableOf } from './fixture.js'

type Bar = readonly [minute: string, vol: number, amount: number, vwap: number | null]

/** A check of a day's bars of one ETF after another. */
function checked(...days: readonly (readonly Bar[])[]): CheckResult<string> {
  const fields = ['tradedate', 'symbol', 'trademin', 'vol', 'amount', 'vwap']
  const rows = days.flatMap((bars, i) =>
    bars.map(([minute, ...numbers]) => ['20260701', `${510_300 + i}.SH`, minute, ...numbers]),
  )
  return checkVwap(tableOf('etf_minute', fields, rows), { factor: 100, missing: 'no trade' })
}

const { vwap, anomaly } = fixtureChecks

async function checksOf(check: Check, label: string, result: CheckResult<string>): Promise<string> {
  const page = await renderReport({
    source: { name: 'x', inputs: [] },
    tables: {},
    checks: [resultOf(check, label, result)],
  })
  return (/<section id="appendix"[\s\S]*?<\/section>/.exec(page)?.[0] ?? '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

const none: readonly Bar[] = [['0930', 0, 0, null]]
const good: readonly Bar[] = [
  ['0930', 10, 4000, 4],
  ['1000', 10, 4200, 4.1],
]
/** Within what half a lot of each bar can explain, and not the number. */
const loose: readonly Bar[] = [['0930', 1, 400, 4.2]]

test('null beside null is no proof: it is counted apart and never makes a check hold', async () => {
  expect(checked(none, none).counts).toMatchObject({ equal: 2 })
  expect(checkState(vwap, checked(none, none))).toBe('open')
  expect(checkState(vwap, checked(none, good))).toBe('confirmed')
  const text = await checksOf(vwap, 'etf_minute, 15m', checked(none, good))
  expect(text).toContain('vwap (etf_minute, 15m) ✓ confirmed')
  expect(text).toContain('Here: 2 of 3 rows recomputed to the same number (1 row without a value on either side).')
  expect(text).toMatch(
    / equal 2 66\.67 The number sent is the number recomputed, to the last decimal\. equal, both missing 1 33\.33 /,
  )
  const empty = await checksOf(vwap, 'etf_minute, 15m', checked(none))
  expect(empty).toMatch(/vwap \(etf_minute, 15m\) – open .*Here: 0 of 1 row recomputed to the same number \(1 row/)
  expect(empty).not.toContain('✓')
})

test('lot rounding may excuse one in a hundred compared values, not more', async () => {
  const many = Array.from({ length: 99 }, () => [good[0] as Bar])
  const atLimit = checked(...many, loose)
  expect(atLimit.counts).toMatchObject({ equal: 99, 'lot-bound': 1 })
  expect(checkState(vwap, atLimit)).toBe('confirmed')
  const beyond = checked(...many.slice(1), loose, none)
  expect(beyond.ok).toBe(true)
  expect(checkState(vwap, beyond)).toBe('open')
  expect(await checksOf(vwap, 'etf_minute, 15m', beyond)).toMatch(
    /vwap \(etf_minute, 15m\) – open .*Here: 98 of 100 rows .*1\.01 % of the values compared \(1\) differ and only volumes rounded to whole lots could explain it/,
  )
})

test('candidates are at best not contradicted, and the page says how many were held against another', async () => {
  const plain = checkResult('anomaly', { sound: 2 }, true)
  const text = await checksOf(anomaly, 'anomaly_forecast', plain)
  expect(text).not.toContain('✓')
  expect(text).toContain('anomaly (anomaly_forecast) – not contradicted')
  expect(text).toContain('Here: 2 of 2 rows without contradiction.')
  const peers = { type: 'int', data: Int32Array.of(3, 0), valid: null } as const
  const told = { ...plain, table: toTable({ length: 2, columns: new Map([['peers', peers]]) }, {}) }
  expect(await checksOf(anomaly, 'anomaly_forecast', told)).toContain(
    '(1 row held against another row, the others only checked inside themselves)',
  )
  expect(checkState(anomaly, checkResult('anomaly', { broken: 1 }, false))).toBe('contradicted')
})
