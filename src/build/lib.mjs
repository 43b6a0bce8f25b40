/*
 * Builds dist/lib: the parts of two large packages that Quotebook uses, so that its users install 6 MB and not 93.
 *
 *   echarts 6        62 MB, of which charts on a grid, drawn as SVG, are wanted (report/echarts.ts says which)
 *                    also with the script of interactive pages (report/live/live-page.ts)
 *   parquet-wasm     15 MB, three builds of one codec, of which Node needs one
 *   hucre             3 MB, of which the reader and the writer of Excel files are wanted (table/spreadsheet-library.ts)
 *   htmlparser2       1 MB with its own packages, of which the parser is wanted (report/verify/html-parser.ts)
 *   markdown-it, highlight.js  11 MB, of which CommonMark and one language are wanted (notebook/markup.ts)
 *   @modelcontextprotocol/sdk  6 MB and 85 packages, of which a server is wanted (mcp/protocol.ts)
 *   ioredis           3 MB and 8 packages, of which a client is wanted (server/redis-library.ts)
 *   bullmq           13 MB and 14 packages, of which a queue and a worker are wanted (backtest/queue/queue-library.ts)
 *   undici, @clickhouse/client, prom-client  9 MB and 5 packages, as they are
 *   pinyin-pro        1 MB, of which the readings of characters are wanted (names/pinyin-library.ts)
 *   amaro             4 MB, as Node itself takes the types out of TypeScript (backtest/strip-types.ts)
 *   simple-statistics  2 MB, of which ten functions are wanted (analysis/simple-statistics.ts, with two of pure-rand)
 *
 * Their licences stand beside them. The same sources give the same bytes. What runs in threads, the readers of ticks and the
 * trials of a sweep, is built here too, and the process of a query: each begins with one file.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { licencesOf, packagesOf } from './licences.mjs'

await mkdir('dist/lib', { recursive: true })

const file = {
  outdir: 'dist/lib',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

const { metafile } = await build({
  ...file,
  entryPoints: ['src/research/report/echarts.ts'],
  banner: { js: '/* echarts and zrender, in part. Licences: LICENCES.txt. */' },
})

/** The script of pages whose charts answer. */
const live = await build({
  ...file,
  outExtension: {},
  platform: 'browser',
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  entryPoints: ['src/research/report/live/live-page.ts'],
  banner: { js: '/* With parts of Apache ECharts (Apache-2.0) and ZRender (BSD-3-Clause). */' },
})

/** simple-statistics by its parts: as a whole it computes tables while it loads. */
const parts = {
  name: 'parts of simple-statistics',
  setup(one) {
    const path = resolve('node_modules/simple-statistics/index.js')
    one.onResolve({ filter: /^simple-statistics$/ }, () => ({ path, sideEffects: false }))
  },
}
const statistics = await build({
  ...file,
  entryPoints: ['src/research/analysis/simple-statistics.ts'],
  plugins: [parts],
  banner: { js: '/* simple-statistics and pure-rand, in part. Licences: LICENCES.txt. */' },
})

const spreadsheet = await build({
  ...file,
  entryPoints: { spreadsheet: 'src/frame/table/spreadsheet-library.ts' },
  banner: { js: '/* hucre, in part. Licences: LICENCES.txt. */' },
})

const parser = await build({
  ...file,
  entryPoints: ['src/research/report/verify/html-parser.ts'],
  banner: { js: '/* htmlparser2 and entities, in part. Licences: LICENCES.txt. */' },
})

const protocol = await build({
  ...file,
  entryPoints: { mcp: 'src/server/mcp/protocol.ts' },
  banner: { js: '/* @modelcontextprotocol/sdk and what it needs, in part. Licences: LICENCES.txt. */' },
})

const redis = await build({
  ...file,
  entryPoints: { redis: 'src/server/redis-library.ts' },
  banner: { js: '/* ioredis and what it needs. Licences: LICENCES.txt. */' },
})

const queue = await build({
  ...file,
  entryPoints: { queue: 'src/research/backtest/queue/queue-library.ts' },
  mainFields: ['module', 'main'],
  alias: { ioredis: '#redis' },
  external: ['#redis'],
  banner: { js: '/* bullmq and what it needs, in part. Licences: LICENCES.txt. */' },
})

const clients = await build({
  ...file,
  entryPoints: { clickhouse: 'src/data/clickhouse/clickhouse-library.ts', prometheus: 'prom-client', undici: 'undici' },
  banner: { js: '/* @clickhouse/client, prom-client or undici with what they need. Licences: LICENCES.txt. */' },
})

const readings = await build({
  ...file,
  entryPoints: { pinyin: 'src/data/names/pinyin-library.ts' },
  mainFields: ['module', 'main'],
  banner: { js: '/* pinyin-pro, in part. Licences: LICENCES.txt. */' },
})

const types = await build({
  ...file,
  entryPoints: { 'strip-types': 'src/research/backtest/strip-types.ts' },
  write: false,
})
/** Four MB of which most is wasm as text: kept compressed, and compiled in the place of the file that unpacks it. */
await writeFile('dist/lib/strip-types.cjs.br', brotliCompressSync(types.outputFiles[0].contents))
await writeFile(
  'dist/lib/strip-types.cjs',
  `/* amaro, which is swc. Licences: LICENCES.txt. */
const text = require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(__filename + '.br'))
module._compile(String(text), __filename)
0 && (module.exports = { load })
`,
)

const readers = await build({
  ...file,
  entryPoints: {
    'tick-reader': 'src/data/ticks/read/reader-thread.ts',
    'tick-verify': 'src/data/ticks/verify/verify-thread.ts',
    'sweep-thread': 'src/research/backtest/sweep-thread.ts',
    'sql-query': 'src/data/sql/query-main.ts',
  },
  external: ['#*', '@duckdb/*'],
})

/** The page of a notebook, and the processes that run its cells. tslab is found where the notebook lies. */
const notebooks = [
  await build({
    ...file,
    entryPoints: ['src/cli/notebook/markup.ts'],
    loader: { '.css': 'text' },
    banner: { js: '/* markdown-it and highlight.js, in part. Licences: LICENCES.txt. */' },
  }),
  await build({
    ...file,
    entryPoints: {
      'notebook-kernel': 'src/cli/notebook/kernel/jupyter-kernel.ts',
      'notebook-runner': 'src/cli/notebook/kernel/headless-kernel.ts',
    },
    external: ['#*'],
  }),
]

/** Where the section of a wasm module that declares its memory is, and what it holds. */
function memorySection(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const [from, id] = [at, bytes[at++]]
    let size = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]
      size += (byte & 127) * scale
      if (byte < 128) break
    }
    const body = [...bytes.subarray(at, at + (id === 5 ? size : 0))]
    at += size
    if (id === 5 && body[0] === 1 && body[1] === 0) return { from, to: at, body }
  }
  throw new Error('parquet-wasm declares its memory in another way than it did')
}

const codec = 'node_modules/parquet-wasm/node'
/*
 * A codec that has failed in the middle of its work stays broken: `again` makes another. What fails in a task of its own, after
 * a promise, would end the process, and the promise that somebody waits for would never end: `unlessTrapped` rejects then. A
 * race against one promise of the trap would hold every result for ever.
 *
 * `withMost` gives the memory of an instance a size that it can't outgrow: section 5 of the module has one memory with a
 * minimum and no maximum, `5, size, 1, 0, minimum`. Here it gets one of three bytes, which `withMost` writes over.
 */
const bytes = await readFile(`${codec}/parquet_wasm_bg.wasm`)
const memory = memorySection(bytes)
const section = [5, memory.body.length + 3, 1, 1, ...memory.body.slice(2), 128, 128, 4]
const before = bytes.subarray(0, memory.from)
await writeFile('dist/lib/parquet_wasm_bg.wasm', [before, Buffer.from(section), bytes.subarray(memory.to)])
const glue = (await readFile(`${codec}/parquet_wasm.js`, 'utf8'))
  .replace('new WebAssembly.Module(wasmBytes)', 'new WebAssembly.Module(withMost(wasmBytes, pages))')
  .split('return f(a, state.b, ...args);\n        } finally {')
if (glue.length !== 2 || !glue.join().includes('withMost'))
  throw new Error('parquet-wasm is written in another way than it was')
await writeFile(
  'dist/lib/parquet_wasm.cjs',
  `function withMost(bytes, pages) {
  bytes.set([pages & 127 | 128, pages >> 7 & 127 | 128, pages >> 14], ${memory.from + section.length - 3})
  return bytes
}
function again(pages) {
const exports = {}
const waiting = new Set()
let trap
${glue.join(`return f(a, state.b, ...args);
        } catch (error) {
            if (waiting.size === 0 || error?.name !== 'RuntimeError') throw error
            trap = error
            for (const fail of waiting) fail(error)
        } finally {`)}
exports.unlessTrapped = (work) => new Promise((resolve, reject) => {
  if (trap) reject(trap)
  waiting.add(reject)
  const end = (settle) => (value) => { waiting.delete(reject); settle(value) }
  work.then(end(resolve), end(reject))
})
return exports
}
exports.again = again
`,
)

const built = [
  metafile,
  live.metafile,
  statistics.metafile,
  spreadsheet.metafile,
  parser.metafile,
  protocol.metafile,
  redis.metafile,
  queue.metafile,
  clients.metafile,
  readings.metafile,
  types.metafile,
  readers.metafile,
  ...notebooks.map(({ metafile }) => metafile),
]
const inputs = Object.assign({}, ...built.map(({ inputs }) => inputs))
await writeFile('dist/lib/LICENCES.txt', await licencesOf([...packagesOf(inputs), 'parquet-wasm'].sort()))
