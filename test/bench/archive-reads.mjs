import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, random } from './interleave.mjs'

export const question = `an archive of bars read by new processes: one code of all days, all codes of a day, one code of a day, and two columns of one
  code, against DuckDB over the files of its days; processor time of the whole process, medians of five; 600,000 and five million
  rows, or as many millions as QUOTEBOOK_BENCH_MILLIONS says`

const child = fileURLToPath(new URL('archive-reads-child.mjs', import.meta.url))

/** Bars of both periods: so many codes on so many days. */
async function barsOf(dir, codes, days, { load, datasetOf }) {
  const { ArchiveWriter } = await load('data/archive/writer.js')
  const { bucketCloses } = await load('contract/session.js')
  const next = random()
  const closes = [...bucketCloses['15m'], ...bucketCloses['30m']]
  const minutes = [...bucketCloses['15m']]
  const symbols = Array.from({ length: codes }, (_, i) => `${510000 + i}.SH`)
  const length = codes * closes.length
  const text = (dictionary, of) => ({
    type: 'dictionary',
    dictionary,
    data: Int32Array.from({ length }, (_, row) => of(row)),
  })
  const number = (data) => ({ type: 'float', data, valid: null })
  const at = (row) => row % closes.length
  const minute = (row) => minutes.indexOf(closes[at(row)])
  const writer = await ArchiveWriter.open(dir)
  for (const day of days) {
    const close = Float64Array.from({ length }, () => Math.round((1 + next() * 9) * 1000) / 1000)
    const columns = new Map([
      ['tradedate', text([day], () => 0)],
      ['symbol', text(symbols, (row) => Math.floor(row / closes.length))],
      ['trademin', text(minutes, minute)],
      [
        'time',
        text(
          minutes.map((one) => `${one.slice(0, 2)}:${one.slice(2)}:00`),
          minute,
        ),
      ],
      ['period', text(['15m', '30m'], (row) => (at(row) < minutes.length ? 0 : 1))],
      ['open', number(close)],
      ['high', number(close.map((x) => Math.round(x * 1010) / 1000))],
      ['low', number(close.map((x) => Math.round(x * 990) / 1000))],
      ['close', number(close)],
      ['vol', number(close.map(() => Math.floor(next() * 1e6)))],
      ['amount', number(close.map(() => Math.round(next() * 1e12) / 100))],
      ['vwap', number(close)],
    ])
    await writer.put(datasetOf('etf_minute'), { length, columns }, 'bench')
  }
  await writer.keepByCode(datasetOf('etf_minute'))
  await writer.commit()
}

/** Processor milliseconds of a process that asks. */
function asked(words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [child, ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

export async function measure(parts) {
  const { tradingDays } = await parts.load('contract/calendar.js')
  const millions = Number(process.env.QUOTEBOOK_BENCH_MILLIONS ?? 0)
  const sizes = millions > 0 ? [millions * 1e6] : [6e5, 5.2e6]
  const results = []
  for (const rows of sizes) {
    const days = tradingDays('20220104', '20260703').slice(-Math.max(117, Math.round(rows / 26 / 1500)))
    const codes = Math.round(rows / 26 / days.length)
    const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
    try {
      await barsOf(dir, codes, days, parts)
      const esm = resolve(parts.dist, '../esm/index.js')
      for (const [what, goal] of Object.entries({
        'one code, all days': 3,
        'two columns of it': 3.5,
        'one day, all codes': 3,
        'one code, one day': 3,
      })) {
        const times = { archive: [], duckdb: [] }
        for (let round = 0; round < 5; round++) {
          const words = [dir, what, days[0], days.at(-1)]
          const [own, theirs] = [asked([esm, ...words]), asked(['duckdb', ...words])]
          if (own.rows !== theirs.rows) throw new Error(`${what}: ${own.rows} rows, DuckDB has ${theirs.rows}`)
          times.archive.push(own.time)
          times.duckdb.push(theirs.time)
        }
        const name = `${(rows / 1e6).toFixed(1)}M rows: ${what}`
        results.push({ what: name, time: median(times.archive), against: median(times.duckdb), goal })
      }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }
  return results
}
