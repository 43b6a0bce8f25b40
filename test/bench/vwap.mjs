import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { interleave, random } from './interleave.mjs'

export const question = `average prices of the day over 1,000,000 bars, exact: against the loop over doubles with Math.round, which is wrong at times
  (and the whole check of a table against the recomputation alone); against Python's decimal`

const rows = 1_000_000
/** The slow way runs over so many rows; a time per row is compared. */
const few = 50_000
const times = { rounds: 7, warmUp: 2 }

/** Bars as they are sent: lots and cents, one in twenty without a trade. */
function bars(minutes) {
  const next = random(12_345)
  const [amount, vol] = [new Float64Array(rows), new Float64Array(rows)]
  const [date, symbol, minute] = [new Int32Array(rows), new Int32Array(rows), new Int32Array(rows)]
  for (let i = 0; i < rows; i++) {
    const day = Math.floor(i / minutes.length)
    vol[i] = next() < 0.05 ? 0 : Math.floor(next() * 200_000)
    const price = 1000 + Math.floor(next() * 4000)
    amount[i] = vol[i] === 0 ? 0 : Math.round((vol[i] * 100 * price) / 10 + next() * 100) / 100
    date[i] = Math.floor(day / 1000)
    symbol[i] = day % 1000
    minute[i] = i % minutes.length
  }
  const starts = []
  for (let i = 0; i < rows; i += minutes.length) starts.push(i)
  const factors = new Float64Array(starts.length).fill(100)
  return { amount, vol, date, symbol, minute, runs: { starts: Uint32Array.from([...starts, rows]), factors } }
}

function tableOf({ toTable }, minutes, data, vwap) {
  const dates = Array.from({ length: (data.date.at(-1) ?? 0) + 1 }, (_, i) => String(20_250_901 + i))
  const codes = Array.from({ length: 1000 }, (_, i) => `${510_000 + i}.SH`)
  const valid = Uint8Array.from(vwap, (x) => (Number.isNaN(x) ? 0 : 1))
  const of = new Map([
    ['tradedate', { type: 'dictionary', data: data.date, dictionary: dates }],
    ['symbol', { type: 'dictionary', data: data.symbol, dictionary: codes }],
    ['trademin', { type: 'dictionary', data: data.minute, dictionary: [...minutes] }],
    ['vol', { type: 'float', data: data.vol, valid: null }],
    ['amount', { type: 'float', data: data.amount, valid: null }],
    ['vwap', { type: 'float', data: vwap, valid }],
  ])
  const number = { kind: 'number', nullable: true, meaning: '' }
  const text = (kind) => ({ kind, meaning: '' })
  const declared = {
    tradedate: text('date'),
    symbol: text('code'),
    trademin: text('minute'),
    vol: number,
    amount: number,
    vwap: number,
  }
  return toTable({ length: rows, columns: of }, declared, new Map())
}

/** As most would write it. */
function rounded({ amount, vol, runs: { starts, factors } }, out) {
  for (let s = 0; s + 1 < starts.length; s++) {
    const [factor, end] = [factors[s], starts[s + 1]]
    let turnover = 0
    let volume = 0
    let last = Number.NaN
    for (let i = starts[s]; i < end; i++) {
      turnover += amount[i]
      volume += vol[i]
      if (vol[i] > 0) last = Math.round((turnover / (volume * factor)) * 1000) / 1000
      out[i] = last
    }
  }
  return out
}

const script = `
import sys, time, array
from decimal import Decimal, ROUND_HALF_UP
few, length, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
def column(name):
    made = array.array('d')
    with open(path + '/' + name, 'rb') as file: made.frombytes(file.read())
    return made.tolist()
amount, vol = column('amount'), column('vol')
tick, factor = Decimal('0.001'), Decimal(100)
def run():
    out = array.array('d', bytes(8 * few))
    for start in range(0, few, length):
        a = v = Decimal(0)
        last = float('nan')
        for i in range(start, min(start + length, few)):
            a += Decimal(str(amount[i])); w = Decimal(str(vol[i])); v += w
            if w > 0: last = float((a / (v * factor)).quantize(tick, ROUND_HALF_UP))
            out[i] = last
    return out
best = []
for _ in range(3):
    start = time.perf_counter()
    out = run()
    best.append(1000 * (time.perf_counter() - start))
with open(path + '/out', 'wb') as file: out.tofile(file)
print(sorted(best)[1])
`

function same(a, b, count, what) {
  for (let i = 0; i < count; i++)
    if (!Object.is(a[i], b[i])) throw new Error(`${what}: row ${i} is ${a[i]} and ${b[i]}`)
}

function byPython(data, length, exact) {
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-vwap-'))
  try {
    for (const name of ['amount', 'vol']) writeFileSync(join(folder, name), Buffer.from(data[name].buffer, 0, 8 * few))
    const done = spawnSync('python3', ['-c', script, String(few), String(length), folder], { encoding: 'utf8' })
    if (done.status !== 0) return console.log('  no python3 here: nothing is compared with its decimal')
    const out = readFileSync(join(folder, 'out'))
    same(new Float64Array(out.buffer, out.byteOffset, few), exact, few, 'Python')
    return Number(done.stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function measure(parts) {
  const { load } = parts
  const { fastVwap, tableVwap } = await load('research/checks/vwap/cumulative-vwap.js')
  const { bucketCloses } = await load('contract/session.js')
  const { checkVwap } = await load('research/checks/vwap/check-vwap.js')
  const results = []
  for (const period of ['30m', '15m']) {
    const minutes = bucketCloses[period]
    const data = bars(minutes)
    const [loop, out] = [new Float64Array(rows), new Float64Array(rows)]
    const { value } = tableVwap(data.amount, data.vol, data.runs)
    const table = tableOf(parts, minutes, data, value)
    if (checkVwap(table).counts.equal !== rows) throw new Error('the check does not find its own values')
    const engine = () => {
      if (fastVwap(data.amount, data.vol, data.runs, out).length > 0) throw new Error('left the fast way')
      return out
    }
    const variants = { naive: () => rounded(data, loop), engine }
    const found = await interleave(variants, { rounds: 21, warmUp: 5 })
    const check = await interleave({ check: () => checkVwap(table), engine }, times)
    same(out, value, rows, 'the engine')
    let wrong = 0
    for (let i = 0; i < rows; i++) if (!Object.is(loop[i], value[i])) wrong++
    const name = `days of ${minutes.length}`
    if (wrong > 0) console.log(`  ${name}: the loop over doubles is wrong in ${wrong} of ${rows} rows`)
    results.push({ what: `${name}: engine, Math.round`, time: found.engine, against: found.naive, goal: 2 })
    results.push({ what: `${name}: check, engine`, time: check.check, against: check.engine, goal: 100 })
    if (period === '15m') continue
    const python = byPython(data, minutes.length, value)
    const again = await interleave({ engine }, { rounds: 21, warmUp: 0 })
    const scaled = (Math.min(found.engine, again.engine) * few) / rows
    if (python)
      results.push({ what: `${few} rows: engine, Python's decimal`, time: scaled, against: python, goal: 1 / 250 })
  }
  return results
}
