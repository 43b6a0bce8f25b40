import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { symbolsOf } from './service-archive.mjs'
import { symbol, tickArchive } from './ticks-files.mjs'

export const question = `memory: the peak of a process that imports a CSV or reads a year of such tick days (3 of 8 columns, day by day),
  against the most that it may take; a frame, against the columns that it is made of`

/** The year is these days over and over: what is read of a day is gone with it. */
const [days, rounds] = [22, 11]
const unit = 'MiB'

/** What a process prints at the end of some code; `peak()` is the most that it took so far, in MiB. */
function run(code) {
  const program = `const check = (isRight) => { if (!isRight) throw new Error('not all was there') }
    ;(async () => {
      const { peakBytes } = await import('${new URL('peak.mjs', import.meta.url)}')
      const peak = () => peakBytes() / 2 ** 20
      ${code}
    })().catch((error) => { console.error(error); process.exit(1) })`
  const { status, stdout } = spawnSync(process.execPath, ['--expose-gc', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error('the process failed')
  return Number(stdout)
}

function ticksPeak(index, dir, more, rows) {
  return run(`const { connect, numbers } = await import(${index})
    const market = await connect({ archive: ${JSON.stringify(dir)} })
    let [sum, count] = [0, 0]
    for (let round = 0; round < ${rounds}; round++)
      for await (const { table } of market.ticks.stream({ from: '20260101', to: '20261231', columns: ['symbol', 'm_price', 'auc_vol'], ...${JSON.stringify(more)} })) {
        for (const value of numbers(table, 'm_price')) sum += value
        count += table.numRows
      }
    check(count === ${days * rounds * rows} && sum > 0)
    await market.close()
    process.stdout.write(String(peak()))`)
}

const minutes = '0930 0945 1000 1015 1030 1045 1100 1115 1130 1315 1330 1345 1400 1415 1430 1445 1500'.split(' ')
const [funds, sessions] = [1000, 36]

/** Bars of 36 days, 612,000 rows. */
export async function barsFile(path) {
  const file = createWriteStream(path)
  file.write('tradedate,symbol,trademin,time,open,high,low,close,vol,amount,vwap,period\n')
  const symbols = symbolsOf(funds)
  for (let day = 0; day < sessions; day++) {
    const date = `2026${String(1 + Math.floor(day / 28)).padStart(2, '0')}${String(1 + (day % 28)).padStart(2, '0')}`
    const lines = symbols.flatMap((code, i) =>
      minutes.map((minute, k) => {
        const price = (1 + ((i * 37 + day * 11 + k * 7) % 4000) / 1000).toFixed(3)
        const vol = 1000 + ((i * 7919 + k * 104_729 + day * 31) % 500_000)
        const bar = [price, price, price, price, vol, Math.round(vol * price * 100), price]
        return `${date},${code},${minute},${minute.slice(0, 2)}:${minute.slice(2)}:00,${bar},15m\n`
      }),
    )
    file.write(lines.join(''))
  }
  file.end()
  await finished(file)
}

async function importPeak(index) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  try {
    const csv = join(dir, 'bars.csv')
    await barsFile(csv)
    return run(`const { datasetOf, importFiles } = await import(${index})
      const { rows } = await importFiles(${JSON.stringify(join(dir, 'own'))}, datasetOf('etf_minute'), [${JSON.stringify(csv)}])
      check(rows === ${funds * sessions * minutes.length})
      process.stdout.write(String(peak()))`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const columns = 8

/** What a frame of columns of a million numbers holds, in MiB. */
function frameSize(index) {
  return run(`const { DataFrame, numbers } = await import(${index})
    const used = () => { gc(); const { heapUsed, arrayBuffers } = process.memoryUsage(); return heapUsed + arrayBuffers }
    const before = used()
    let given = {}
    for (let i = 0; i < ${columns}; i++) given['c' + i] = Float64Array.from({ length: 1_000_000 }, (_, row) => row * i)
    const frame = new DataFrame(given)
    given = undefined
    check(numbers(frame, 'c7')[10] === 70 && frame.shape[0] === 1_000_000)
    process.stdout.write(String((used() - before) / 2 ** 20))`)
}

export async function measure({ load, dist }) {
  const dir = await tickArchive(load, days)
  // What users import, of the same build.
  const index = JSON.stringify(join(dist, '../esm/index.js'))
  const year = days * rounds
  return [
    { what: 'import of 612,000 rows', time: await importPeak(index), against: 250, goal: 1, unit },
    { what: `ticks of ${year} days`, time: ticksPeak(index, dir, {}, 1_000_000), against: 1024, goal: 1, unit },
    {
      what: `one symbol of ${year} days`,
      time: ticksPeak(index, dir, { symbols: [symbol] }, 200),
      against: 300,
      goal: 1,
      unit,
    },
    { what: 'frame of a million rows', time: frameSize(index), against: (columns * 8e6) / 2 ** 20, goal: 1.3, unit },
  ]
}
