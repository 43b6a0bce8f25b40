/*
 * How long things take, as ratios to something that anybody's machine can measure beside them: times alone say little.
 * Runs against dist/modules: what the package has in one file, module by module. `node test/bench/bench.mjs [word …]` runs the
 * files whose names hold one of the words; exits with 1 when a goal is missed. `--dist DIR` measures another build.
 */
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** One file per question, in reading order. Each exports `question` and `measure(parts)` → what, time, against, goal. */
const files = [
  'arrow-to-danfo.mjs',
  'convert.mjs',
  'verb-speed.mjs',
  'expressions.mjs',
  'vwap.mjs',
  'checks.mjs',
  'anomaly.mjs',
  'southbound.mjs',
  'factor.mjs',
  'backtest.mjs',
  'queue.mjs',
  'point-query.mjs',
  'archive-reads.mjs',
  'starting.mjs',
  'notebook.mjs',
  'http-client.mjs',
  'http-memory.mjs',
  'sync.mjs',
  'ticks-read.mjs',
  'files.mjs',
  'memory.mjs',
  'growth.mjs',
  'service.mjs',
  'service-memory.mjs',
  'service-load.mjs',
  'python-client.mjs',
  'workers.mjs',
  'service-store.mjs',
  'ticks-fetch.mjs',
  'clickhouse.mjs',
]

const words = process.argv.slice(2)
const at = words.indexOf('--dist')
const dist = at < 0 ? resolve(here, '../../dist/modules') : resolve(words.splice(at, 2)[1] ?? '.')
const load = (path) => import(pathToFileURL(resolve(dist, path)).href)

const parts = {
  dist,
  load,
  ...(await load('connect.js')),
  ...(await load('contract/catalogue.js')),
  ...(await load('frame/table/decode.js')),
  ...(await load('frame/table/arrow.js')),
  ...(await load('frame/to-data-frame.js')),
  ...(await load('frame/as-table.js')),
  ...(await load('frame/read-columns.js')),
  ...(await load('frame/table/from-rows.js')),
  ...(await load('frame/table/csv.js')),
  ...(await load('frame/table/json.js')),
  ...(await load('index.js')),
}

let missed = 0
for (const file of files.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))) {
  const { question, measure } = await import(pathToFileURL(resolve(here, file)).href)
  console.log(`\n${question}`)
  for (const { what, time, against, goal, unit = 'ms' } of await measure(parts)) {
    const ratio = time / against
    if (ratio > goal) missed++
    const verdict = ratio > goal ? 'MISSED' : 'ok'
    const times = `${time.toFixed(2).padStart(9)} ${unit} ${against.toFixed(2).padStart(9)} ${unit}`
    console.log(
      `  ${what.padEnd(40)}${times}  ratio ${ratio.toFixed(2)}  goal ≤ ${Number(goal.toFixed(3))}  ${verdict}`,
    )
  }
}
process.exitCode = missed ? 1 : 0
