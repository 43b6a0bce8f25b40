import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { eventStudy } from '../../../../src/research/analysis/southbound/event-study.js'
import { hitRate, leadLag } from '../../../../src/research/analysis/southbound/flow-correlation.js'
import { joinIndex } from '../../../../src/research/analysis/southbound/index-join.js'
import { netStreaks } from '../../../../src/research/analysis/southbound/net-streaks.js'
import { southboundFlows } from '../../../../src/research/analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../../../src/research/analysis/southbound/southbound-names.js'
import { type Row, tableFrom } from '../help.js'

interface Packed {
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
}

type Numbers = Readonly<Record<string, number | null>>

/* Expected values: test/fixture/pandas/southbound.py. */
const stored = JSON.parse(readFileSync('test/fixture/pandas/southbound.json', 'utf8')) as {
  readonly rows: Packed
  readonly quotes: Packed
  readonly flows: readonly Row[]
  readonly names: readonly Row[]
  readonly streaks: readonly Row[]
  readonly correlations: readonly (Numbers &
    Readonly<Record<'interval' | 'together' | 'spearman_interval', number[]>>)[]
  readonly hits: Numbers
  readonly study: readonly Row[]
}

const unpack = ({ fields, items }: Packed): Row[] =>
  items.map((cells) => Object.fromEntries(fields.map((field, i) => [field, cells[i]])))

const rows = tableFrom('southbound_top10', unpack(stored.rows))
const quotes = tableFrom('theme_daily', unpack(stored.quotes))
const flows = southboundFlows(rows)
const on = '全A等权'

/** Equal, numbers that are not sums of decimals to twelve digits. */
function near(found: unknown, expected: unknown, where: string): void {
  if (typeof expected !== 'number' || typeof found !== 'number') expect(found, where).toEqual(expected)
  else expect(Math.abs(found - expected), where).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(expected)))
}

test('flows, with sums to the last decimal', () => {
  const found = toObjects(flows.table)
  expect(found).toHaveLength(stored.flows.length)
  const shares = ['largest', 'largest_three', 'herfindahl']
  stored.flows.forEach((row, i) => {
    for (const [name, value] of Object.entries(row)) {
      if (shares.includes(name)) near(found[i]?.[name], value, `${i} ${name}`)
      else expect(found[i]?.[name], `${i} ${name}`).toBe(value)
    }
  })
  expect(stored.flows.filter(({ net }) => net === null).length).toBeGreaterThan(10)
})

test('names', () => {
  const found = toObjects(southboundNames(rows))
  expect(found.map(({ net_buying: _, ...row }) => row)).toEqual(stored.names.map(({ net_buying: _, ...row }) => row))
  stored.names.forEach(({ net_buying }, i) => {
    near(found[i]?.['net_buying'], net_buying, `${i}`)
  })
})

test('streaks', () => {
  expect(toObjects(netStreaks(flows))).toEqual(stored.streaks)
})

test('correlations, effective days and intervals at eleven lags', () => {
  const found = toObjects(leadLag(flows, quotes, { on }))
  expect(found).toHaveLength(stored.correlations.length)
  stored.correlations.forEach((row, i) => {
    const own = found[i] ?? {}
    for (const name of ['lag', 'days', 'effective', 'pearson', 'spearman']) near(own[name], row[name], `${i} ${name}`)
    for (const [ends, pair] of [
      [['low', 'high'], row.interval],
      [['all_low', 'all_high'], row.together],
      [['spearman_low', 'spearman_high'], row.spearman_interval],
    ] as const) {
      ends.forEach((end, at) => {
        near(own[end], pair[at], `${i} ${end}`)
      })
    }
  })
})

test('the hit rate', () => {
  const found = hitRate(joinIndex(flows, quotes, { on }))
  for (const [name, value] of Object.entries(stored.hits)) near(found[name as keyof typeof found], value, name)
})

test('the event study', () => {
  const found = toObjects(eventStudy(flows, quotes, { on, before: 3, after: 4 }).table)
  expect(found).toHaveLength(stored.study.length)
  stored.study.forEach((row, i) => {
    for (const [name, value] of Object.entries(row)) near(found[i]?.[name], value, `${i} ${name}`)
  })
})
