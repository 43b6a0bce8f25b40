import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { additions, interleave, random } from './interleave.mjs'
import { make } from './sweep-strategy.mjs'

export const question = `backtests: the whole account of 5,000 bonds x 1,000 days, the best 20 each day, against the same account as a
  numpy loop; the look-ahead check against one run; 1,000 params on 500 bonds, in one thread and in
  two; 1,000 ETFs x 17 bars x 1,000 days; a panel from a
  table against a copy of its columns`

/** What takes so many milliseconds where five million additions take 6, here. */
const here = (milliseconds) => (milliseconds * additions()) / 6

const strategies = new URL('./sweep-strategy.mjs', import.meta.url)
const names = ['open', 'close', 'pre_close', 'vol', 'premium']

/** Prices in whole mills that wander, some days without a row. */
export function market({ Panel, chinaRules }, { width, days, bars = 1, kind = 'convertible bond', columns = names }) {
  const next = random(12_345)
  const size = width * days * bars
  const cols = Object.fromEntries(columns.map((name) => [name, new Float64Array(size).fill(Number.NaN)]))
  const present = new Uint8Array(size)
  const last = new Float64Array(width).fill(100)
  for (let cell = 0; cell < size; cell++) {
    if (next() < 0.02) continue
    const pre = last[cell % width]
    const row = {
      pre_close: pre,
      open: Math.max(1, Math.round(pre * (1 + (next() - 0.5) * 0.02) * 1000) / 1000),
      close: Math.max(1, Math.round(pre * (1 + (next() - 0.5) * 0.04) * 1000) / 1000),
      vol: Math.round(next() * 1e5),
      premium: Math.round(next() * 10_000) / 100,
    }
    present[cell] = 1
    for (const name of columns) cols[name][cell] = row[name]
    last[cell % width] = row.close
  }
  const instruments = Array.from({ length: width }, (_, at) => ({
    symbol: `${110_000 + at}.SH`,
    kind,
    listed: -1,
    end: undefined,
  }))
  const dates = Array.from({ length: days }, (_, at) =>
    new Date(Date.UTC(2022, 7, 1) + at * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  )
  const minutes = bars === 1 ? [''] : Array.from({ length: bars }, (_, at) => String(930 + at).padStart(4, '0'))
  const known = new Map(columns.map((name) => [name, name === 'open' || name === 'pre_close' ? 'open' : 'close']))
  return new Panel({
    days: dates,
    minutes,
    instruments,
    cols,
    known,
    present,
    marked: undefined,
    rules: chinaRules,
    notes: [],
  })
}

/** Sized at the fill, as the numpy loop is. */
export const options = { cash: 1e8, slippageBps: 0, maxVolumeShare: null, lookahead: false, sizeAt: 'fill' }
const daily = { score: (bar) => bar.close + bar.premium, pick: { n: 20, side: 'lowest' } }

/** The same account in numpy, in a process of its own that is told when to run. */
function numpy(panel) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  for (const name of names) writeFileSync(join(dir, name), new Uint8Array(panel.cols[name].buffer))
  const script = fileURLToPath(new URL('backtest-numpy.py', import.meta.url))
  const child = spawn('python3', [script, dir, String(panel.days.length), String(panel.symbols.length)])
  child.stderr.pipe(process.stderr)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(what = 'run') {
      child.stdin.write(`${what}\n`)
      return JSON.parse((await lines.next()).value)
    },
    stop() {
      child.kill()
      rmSync(dir, { recursive: true })
    },
  }
}

async function wholeAccount(parts, rounds) {
  const panel = market(parts, { width: 5000, days: 1000 })
  const other = numpy(panel)
  try {
    const ours = parts.backtest(panel, daily, options).equity.at(-1)
    const theirs = (await other.run()).equity
    if (Math.abs(ours - theirs) > 0.005) throw new Error(`the accounts differ: ${ours} and ${theirs}`)
    const times = await interleave(
      {
        quotebook: () => parts.backtest(panel, daily, options),
        numpy: () => other.run(),
        lookahead: () => parts.checkLookahead(panel, daily, options),
        checked: () => parts.backtest(panel, daily, { ...options, lookahead: true }),
        vectorised: () => other.run('vectorised'),
      },
      { rounds, warmUp: 2 },
    )
    return [
      {
        what: '5,000 x 1,000, best 20 of each day / numpy loop',
        time: times.quotebook,
        against: times.numpy,
        goal: 0.25,
      },
      { what: 'the same / 45 ms where 5 million additions take 6', time: times.quotebook, against: here(45), goal: 1 },
      { what: 'look-ahead check / one run', time: times.lookahead, against: times.quotebook, goal: 3 },
      { what: 'a run with its look-ahead check / without', time: times.checked, against: times.quotebook, goal: 3 },
      { what: 'one run / numpy without lots and limits', time: times.quotebook, against: times.vectorised, goal: 1 },
    ]
  } finally {
    other.stop()
  }
}

async function fewer(parts, rounds) {
  const panel = market(parts, { width: 500, days: 1000 })
  const other = numpy(panel)
  const times = await interleave(
    { quotebook: () => parts.backtest(panel, daily, options), numpy: () => other.run('vectorised') },
    { rounds, warmUp: 5 },
  ).finally(() => other.stop())
  return [
    { what: '500 x 1,000 / numpy without lots and limits', time: times.quotebook, against: times.numpy, goal: 1.5 },
  ]
}

export const sweepSize = { width: 500, days: 1000 }

async function sweeps(parts, rounds) {
  const panel = market(parts, sweepSize)
  const grid = {
    w: Array.from({ length: 50 }, (_, at) => at / 25),
    n: [5, 10, 15, 20, 30],
    keep: [1, 2, 3, 4],
  }
  const asked = { ...options, scoreParams: ['w'] }
  const inThreads = (threads) => parts.sweepInThreads(panel, grid, { module: strategies }, { ...asked, threads })
  const times = await interleave(
    { sweep: () => parts.sweep(panel, grid, make, asked), one: () => inThreads(1), two: () => inThreads(2) },
    { rounds: Math.min(rounds, 3), warmUp: 0 },
  )
  return [
    { what: '1,000 params on 500 bonds, weekly / 1.5 s', time: times.sweep, against: here(1500), goal: 1.3 },
    { what: 'the same in two threads / in one', time: times.two, against: times.one, goal: 0.75 },
  ]
}

async function bars(parts, rounds) {
  const columns = ['open', 'close', 'vol']
  const panel = market(parts, { width: 1000, days: 1000, bars: 17, kind: 'ETF T+0', columns })
  const strategy = { score: (bar) => bar.close, pick: { n: 10, side: 'lowest' }, when: { at: 'every bar' } }
  const times = await interleave({ bars: () => parts.backtest(panel, strategy, options) }, { rounds, warmUp: 1 })
  return [{ what: '1,000 ETFs x 17 bars x 1,000 days / 200 ms', time: times.bars, against: here(200), goal: 1.5 }]
}

async function panels(parts, rounds) {
  const [width, days] = [2000, 250]
  const dates = parts.tradingDays('20250101', '20260601').slice(0, days)
  const rows = width * days
  const cell = (of) => Float64Array.from({ length: rows }, (_, row) => of(row))
  const dictionary = (words, of) => ({
    type: 'dictionary',
    data: Int32Array.from({ length: rows }, (_, row) => of(row)),
    dictionary: words,
  })
  const columns = new Map([
    ['tradedate', dictionary(dates, (row) => Math.floor(row / width))],
    [
      'code',
      dictionary(
        Array.from({ length: width }, (_, at) => `${110_000 + at}.SH`),
        (row) => row % width,
      ),
    ],
    ...names.map((name) => [name, { type: 'float', data: cell((row) => 100 + ((row % width) % 97)), valid: null }]),
  ])
  const declared = Object.fromEntries(
    [...columns].map(([name, { type }]) => [name, { kind: type === 'float' ? 'number' : 'code', meaning: name }]),
  )
  const table = parts.toTable({ length: rows, columns }, declared, new Map())
  const made = parts.panel(table, { columns: names })
  const times = await interleave(
    {
      panel: () => parts.panel(table, { columns: names }),
      copy: () => names.map((name) => table.getChild(name).data[0].values.slice()),
      check: () => parts.checkPrices(made),
    },
    { rounds, warmUp: 2 },
  )
  return [
    {
      what: 'panel of 500,000 rows x 5 columns / a copy of the columns',
      time: times.panel,
      against: times.copy,
      goal: 5,
    },
    {
      what: 'check of its prices / making it',
      time: times.check,
      against: times.panel,
      goal: 0.25,
    },
  ]
}

/** Peak memory of a sweep of 10,000, in a process of its own. */
function sweepMemory({ dist }) {
  const script = fileURLToPath(new URL('sweep-memory.mjs', import.meta.url))
  const peak = Number(execFileSync(process.execPath, [script, dist], { encoding: 'utf8' }))
  return [{ what: 'peak of a sweep of 10,000 / 300 MB', time: peak, against: 300, goal: 1, unit: 'MB' }]
}

export async function measure(parts, rounds = 7) {
  const all = {
    ...parts,
    ...(await parts.load('research/backtest/panel.js')),
    ...(await parts.load('research/backtest/check-prices.js')),
    ...(await parts.load('frame/table/arrow.js')),
  }
  return [
    ...(await wholeAccount(all, rounds)),
    ...(await fewer(all, rounds)),
    ...(await sweeps(all, rounds)),
    ...sweepMemory(all),
    ...(await bars(all, rounds)),
    ...(await panels(all, rounds)),
  ]
}
