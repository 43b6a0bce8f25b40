/*
 * What dist/lib holds, each by its sources: the parts of large packages that Quotebook uses, so that its users install 6 MB and not 93,
 * and what runs in a thread or a process of its own, which begins with one file.
 *
 *   echarts 6        62 MB, of which charts on a grid, drawn as SVG, are wanted; also with the script of interactive pages
 *   parquet-wasm     15 MB, three builds of one codec, of which Node needs one (src/build/codec.mjs)
 *   hucre             3 MB, of which the reader and the writer of Excel files are wanted
 *   htmlparser2       1 MB with its own packages, of which the parser is wanted
 *   markdown-it, highlight.js  11 MB, of which CommonMark and one language are wanted
 *   @modelcontextprotocol/sdk  6 MB and 85 packages, of which a server is wanted
 *   ioredis           3 MB and 8 packages, of which a client is wanted
 *   bullmq           13 MB and 14 packages, of which a queue and a worker are wanted
 *   undici, @clickhouse/client, prom-client  9 MB and 5 packages, as they are
 *   pinyin-pro        1 MB, of which the readings of characters are wanted
 *   amaro             4 MB, as Node itself takes the types out of TypeScript
 *   simple-statistics  2 MB, of which ten functions are wanted, with two of pure-rand
 */
import { resolve } from 'node:path'

/** simple-statistics by its parts: as a whole it computes tables while it loads. */
const parts = {
  name: 'parts of simple-statistics',
  setup(one) {
    const path = resolve('node_modules/simple-statistics/index.js')
    one.onResolve({ filter: /^simple-statistics$/ }, () => ({ path, sideEffects: false }))
  },
}

const page = {
  outExtension: {},
  platform: 'browser',
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
}
const apart = { external: ['#*', '@duckdb/*'] }
const esModules = { mainFields: ['module', 'main'] }

/** By file in dist/lib: its source, what its banner names, and how it is built where that is not as the others are. */
export const bundles = {
  echarts: { from: 'src/research/report/echarts.ts', has: 'echarts and zrender, in part' },
  'live-page': {
    from: 'src/research/report/live/live-page.ts',
    banner: 'With parts of Apache ECharts (Apache-2.0) and ZRender (BSD-3-Clause).',
    ...page,
  },
  'simple-statistics': {
    from: 'src/research/analysis/simple-statistics.ts',
    has: 'simple-statistics and pure-rand, in part',
    plugins: [parts],
  },
  spreadsheet: { from: 'src/frame/table/spreadsheet-library.ts', has: 'hucre, in part' },
  'html-parser': { from: 'src/research/report/verify/html-parser.ts', has: 'htmlparser2 and entities, in part' },
  mcp: { from: 'src/server/mcp/protocol.ts', has: '@modelcontextprotocol/sdk and what it needs, in part' },
  redis: { from: 'src/server/redis-library.ts', has: 'ioredis and what it needs' },
  queue: {
    from: 'src/research/backtest/queue/queue-library.ts',
    has: 'bullmq and what it needs, in part',
    alias: { ioredis: '#redis' },
    external: ['#redis'],
    ...esModules,
  },
  clickhouse: { from: 'src/data/clickhouse/clickhouse-library.ts', has: '@clickhouse/client with what it needs' },
  prometheus: { from: 'prom-client', has: 'prom-client with what it needs' },
  undici: { from: 'undici', has: 'undici with what it needs' },
  pinyin: { from: 'src/data/names/pinyin-library.ts', has: 'pinyin-pro, in part', ...esModules },
  'strip-types': { from: 'src/research/backtest/strip-types.ts', isPacked: true },
  'tick-reader': { from: 'src/data/ticks/read/reader-thread.ts', ...apart },
  'tick-verify': { from: 'src/data/ticks/verify/verify-thread.ts', ...apart },
  'sweep-thread': { from: 'src/research/backtest/sweep-thread.ts', ...apart },
  'sql-query': { from: 'src/data/sql/query-main.ts', ...apart },
  markup: {
    from: 'src/cli/notebook/markup.ts',
    has: 'markdown-it and highlight.js, in part',
    loader: { '.css': 'text' },
  },
  'notebook-kernel': { from: 'src/cli/notebook/kernel/jupyter-kernel.ts', ...apart },
  'kernel-control': { from: 'src/cli/notebook/kernel/kernel-control.ts', ...apart },
  'notebook-runner': { from: 'src/cli/notebook/kernel/headless-kernel.ts', ...apart },
}
