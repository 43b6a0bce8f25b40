import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median } from './interleave.mjs'

export const question = `growth: processor time of a command over an archive of more codes, and of more days, less that of its start:
  times the more rows to the power that is shown; 1 grows as the rows do`

/** Days and ETFs of the archives; twice as many bonds, four times as many stocks. */
const sizes = [
  [60, 10],
  [60, 1000],
  [600, 100],
]

const strategy = `import { defineStrategy } from 'quotebook'
export default defineStrategy({
  data: { dataset: 'convertible_daily' },
  make: () => ({ score: (bond) => bond.close + bond.cb_over_rate, pick: { n: 5, side: 'lowest' } }),
})
`

/** What is run over an archive, in a folder of its own. */
const commands = {
  'query, all bonds of all days': (archive, dir) => {
    const words = ['query', 'convertible_daily', '--from', '20230101', '--to', '20260729', '--source', archive]
    return [...words, '--out', join(dir, 'bonds.parquet')]
  },
  'query, one code of all days': (archive, dir) => {
    const words = ['query', 'etf_minute', 'symbols=510300', '--from', '20230101', '--to', '20260729']
    return [...words, '--source', archive, '--out', join(dir, 'code.parquet')]
  },
  status: (archive) => ['status', archive],
  copy: (archive, dir) => ['copy', '--source', archive, '--archive', join(dir, 'copy')],
  'sync of a new archive': (archive, dir) => {
    const words = ['sync', '--source', archive, '--archive', join(dir, 'sync'), '--from', '20230101']
    return [...words, '--datasets', 'convertible_daily']
  },
  'check all': (archive) => ['check', 'all', '--source', archive],
  report: (archive, dir) => ['report', '--source', archive, '--out', join(dir, 'report.html')],
  factor: (archive, dir) => {
    return ['factor', 'convertible_daily.cb_over_rate', '--source', archive, '--out', join(dir, 'factor.html')]
  },
  backtest: (archive, dir) => ['backtest', join(dir, 'strategy.mjs'), '--source', archive],
}

/** Milliseconds of processor that a command took. */
function run(cli, words) {
  const probe = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,JSON.stringify(process.cpuUsage())))`
  const { status, output } = spawnSync(process.execPath, ['--import', probe, cli, ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  // 1 is said of rows that contradict a rule, which the sample has.
  if (status !== 0 && status !== 1) throw new Error(`${words.join(' ')}: ${output[2]}`)
  const { user, system } = JSON.parse(output[3])
  return (user + system) / 1000
}

function timed(cli, make, archive) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  try {
    writeFileSync(join(dir, 'strategy.mjs'), strategy)
    return run(cli, make(archive, dir))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

export async function measure({ dist }) {
  const cli = resolve(dist, '../cli/quotebook.cjs')
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  try {
    const archives = sizes.map(([days, symbols]) => {
      const archive = join(folder, `${days}x${symbols}`)
      run(cli, ['sample', '--archive', archive, '--days', String(days), '--symbols', String(symbols)])
      return { days, symbols, archive }
    })
    const [small, ...large] = archives
    const start = median(Array.from({ length: 5 }, () => run(cli, ['--version'])))
    return Object.entries(commands).flatMap(([what, make]) => {
      const own = (archive) => Math.max(10, timed(cli, make, archive) - start)
      const first = own(small.archive)
      return large.map(({ days, symbols, archive }) => {
        const [time, more] = [own(archive), (days * symbols) / (small.days * small.symbols)]
        const about = `${what}, ${days} × ${symbols} (${(time / 1000).toFixed(1)} s)`
        return { what: about, time: Math.log(time / first) / Math.log(more), against: 1, goal: 1.1, unit: '' }
      })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
