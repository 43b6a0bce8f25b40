import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { additions, interleave, median, random } from './interleave.mjs'
import { pandasPeer } from './pandas-peer.mjs'
import { folderOf } from './verb-data.mjs'

export const question = `checkBars of a million bars: against pandas (range, signs and average alone, as masks), else against checkVwap of the same;
  check all and the report of 60 days as processes: seconds, of processor too, and memory at the peak, against what they may take`

const rows = 1_000_000
const rounds = { rounds: 7, warmUp: 2 }

function bars(minutes, dates) {
  const next = random(12_345)
  const names = ['open', 'high', 'low', 'close', 'vol', 'amount']
  const numbers = Object.fromEntries(names.map((name) => [name, new Float64Array(rows)]))
  const code = (of) => Int32Array.from({ length: rows }, (_, i) => of(i))
  for (let i = 0; i < rows; i++) {
    const low = 1000 + Math.floor(next() * 4000)
    const price = () => (low + Math.floor(next() * 20)) / 1000
    const vol = next() < 0.05 ? 0 : Math.floor(next() * 200_000)
    const own = [price(), (low + 20) / 1000, low / 1000, price(), vol, (vol * (low + 10)) / 10]
    for (const [at, name] of names.entries()) numbers[name][i] = own[at]
  }
  const day = minutes.length * 1000
  const symbols = Array.from({ length: 1000 }, (_, i) => `${510_000 + i}.SH`)
  const times = minutes.map((minute) => `${minute.slice(0, 2)}:${minute.slice(2)}:00`)
  const text = (dictionary, of) => ({ type: 'dictionary', data: code(of), dictionary })
  const columns = new Map([
    ['tradedate', text(dates, (i) => Math.floor(i / day))],
    ['symbol', text(symbols, (i) => Math.floor(i / minutes.length) % 1000)],
    ['trademin', text([...minutes], (i) => i % minutes.length)],
    ['time', text(times, (i) => i % minutes.length)],
    ...Object.entries(numbers).map(([name, data]) => [name, { type: 'float', data, valid: null }]),
  ])
  return { length: rows, columns }
}

async function barChecks({ toTable, datasetOf, checkBars, checkVwap, load }) {
  const { bucketCloses } = await load('contract/session.js')
  const { noticedCalendar } = await load('contract/calendar.js')
  const data = bars(bucketCloses['15m'], noticedCalendar.between('20260501', '20260831'))
  const { columns } = datasetOf('etf_minute')
  // A table of its own each time: what was found of one is remembered.
  const { own, vwap } = await interleave(
    { own: () => checkBars(toTable(data, columns)), vwap: () => checkVwap(toTable(data, columns)) },
    rounds,
  )
  const folder = folderOf({ bars: data })
  try {
    const pandas = await pandasPeer('checks-pandas.py', folder)
    if (!pandas) return [{ what: 'checkBars, against checkVwap', time: own, against: vwap, goal: 1.2 }]
    const theirs = []
    for (let round = 0; round < 5; round++) theirs.push((await pandas.ask('check')).time)
    pandas.close()
    return [{ what: 'checkBars, against pandas', time: own, against: median(theirs), goal: 40 }]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const probe = `data:text/javascript,import{writeSync}from'node:fs';import{peakBytes}from'${new URL('peak.mjs', import.meta.url)}';process.on('exit',()=>writeSync(3,JSON.stringify({...process.resourceUsage(),peak:peakBytes()})+'\\n'))`

/** A command as a process, and what it took. */
function run(cli, ...words) {
  const start = performance.now()
  const command = ['--import', probe, cli, ...words]
  const { status, output } = spawnSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const seconds = (performance.now() - start) / 1000
  // 1 is said of rows that contradict a rule, which the sample has.
  if (status !== 0 && status !== 1) throw new Error(`${words.join(' ')} exited with ${status}`)
  const { userCPUTime, systemCPUTime, peak } = JSON.parse(String(output[3]).trim().split('\n').at(-1))
  return { seconds, cpu: (userCPUTime + systemCPUTime) / 1e6, peak: peak / 2 ** 20 }
}

function processes(cli, folder) {
  const archives = Object.fromEntries([100, 1000].map((symbols) => [symbols, join(folder, String(symbols))]))
  for (const [symbols, archive] of Object.entries(archives))
    run(cli, 'sample', '--archive', archive, '--symbols', symbols, '--days', '60')
  const checked = run(cli, 'check', 'all', '--source', archives[1000])
  const report = (symbols) => run(cli, 'report', '--source', archives[symbols], '--out', join(folder, 'report.html'))
  const [small, large] = [report(100), report(1000)]
  const line = (what, time, against, unit, goal = 1) => ({ what, time, against, goal, unit })
  // Seconds where five million additions take 6 ms.
  const here = additions() / 6
  return [
    line('check all, 1,000 symbols', checked.seconds, 6 * here, 's'),
    line('check all, 1,000 symbols, peak', checked.peak, 600, 'MB'),
    line('report, 100 symbols, processor', small.cpu, 1.2 * here, 's', 4),
    line('report, 1,000 symbols', large.seconds, 6 * here, 's', 2),
    line('report, 1,000 symbols, peak', large.peak, 600, 'MB', 2.2),
  ]
}

export async function measure(parts) {
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  try {
    return [...(await barChecks(parts)), ...processes(resolve(parts.dist, '../cli/quotebook.cjs'), folder)]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
