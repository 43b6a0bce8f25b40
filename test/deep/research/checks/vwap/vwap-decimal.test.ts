/* Deep: streams series through Python. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cumulativeVwap, fastVwap } from '../../../../../src/research/checks/vwap/cumulative-vwap.js'
import { type Bars, type Kind, seriesWithoutEnd } from '../../../../research/checks/vwap/series.js'

/** Reads lines `kind factor amount vol amount vol ... | value value ...` and says how many values decimal does not give. */
const script = `
import sys, json
from collections import Counter
from decimal import Decimal, ROUND_HALF_UP, getcontext
getcontext().prec = 120
tick = Decimal('0.001')
rows, wrong, first = Counter(), 0, []
for line in sys.stdin:
    bars, values = line.split('|')
    kind, factor, *cells = bars.split()
    f = Decimal(factor)
    a = v = Decimal(0)
    last = None
    for x, y, found in zip(cells[0::2], cells[1::2], values.split()):
        a += Decimal(x); w = Decimal(y); v += w
        if w > 0: last = float((a / (v * f)).quantize(tick, ROUND_HALF_UP))
        rows[kind] += 1
        if (None if found == 'NaN' else float(found)) != last:
            wrong += 1
            if len(first) < 5: first.append([bars, found, last])
json.dump({'rows': rows, 'wrong': wrong, 'first': first}, sys.stdout)
`

function lineOf(kind: Kind, { amount, vol, factor }: Bars): string {
  const cells: string[] = []
  for (let i = 0; i < amount.length; i++) cells.push(`${amount[i]} ${vol[i]}`)
  return `${kind} ${factor} ${cells.join(' ')}|${cumulativeVwap(amount, vol, factor).join(' ')}\n`
}

/** Rows compared with Python's decimal: RUNS=10000000 for the great proof, about a minute. */
const wanted = Number(process.env['RUNS'] ?? 20_000)
const seed = Number(process.env['SEED'] ?? 1)

test('random and adversarial rows are what Python decimal gives', { timeout: 3_600_000 }, async () => {
  const child = spawn('python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => said.push(part))
  const ended = once(child, 'close')
  let rows = 0
  const fast: Partial<Record<Kind, number>> = {}
  let lines: string[] = []
  for (const { kind, bars } of seriesWithoutEnd(seed)) {
    lines.push(lineOf(kind, bars))
    rows += bars.amount.length
    const { amount, vol, factor } = bars
    const runs = { starts: [0, amount.length], factors: [factor] }
    if (fastVwap(amount, vol, runs, new Float64Array(amount.length)).length === 0)
      fast[kind] = (fast[kind] ?? 0) + amount.length
    if (lines.length < 2000 && rows < wanted) continue
    if (!child.stdin.write(lines.join(''))) await once(child.stdin, 'drain')
    lines = []
    if (rows >= wanted) break
  }
  child.stdin.end()
  await ended
  const found = JSON.parse(Buffer.concat(said).toString())
  if (wanted > 20_000) console.log({ ...found, fast })
  expect(found).toMatchObject({ wrong: 0, first: [] })
  expect(Object.values<number>(found.rows).reduce((sum, n) => sum + n, 0)).toBe(rows)
  for (const kind of ['plain', 'ties'] as const) expect(fast[kind]).toBeGreaterThan(0.99 * found.rows[kind])
  expect(fast.besideTie).toBeGreaterThan(0.8 * found.rows.besideTie)
  expect(fast.large).toBeGreaterThan(0)
  expect(fast.large).toBeLessThan(found.rows.large)
})
