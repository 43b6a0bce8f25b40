/** The rooms in their order (CONTRIBUTING.md draws them): each imports rooms before it, as far as it is listed here. */
const may = {
  contract: [],
  threads: ['contract'],
  frame: ['contract', 'build'],
  data: ['contract', 'threads', 'frame'],
  research: ['contract', 'threads', 'frame'],
  server: ['contract', 'threads', 'frame', 'data', 'research', 'door'],
}

/** Who joins data and research: the loaders of backtests and of the report, which take a market. */
const joins = { 'research/backtest/load': ['door'], 'research/report/load': ['door'] }

/** Within a room: what stands below knows nothing of what is made of it. */
const below = [
  ['frame/table', ['frame/danfo', 'frame/show', 'frame/verb']],
  ['frame/danfo', ['frame/show']],
  ['data/source', ['data/archive', 'data/sync', 'data/sql', 'data/ticks', 'data/watch']],
  ['data/archive', ['data/sync', 'data/sql', 'data/ticks', 'data/watch']],
  ['research/checks', ['research/analysis', 'research/backtest', 'research/report', 'research/sample']],
  ['research/analysis', ['research/backtest', 'research/report', 'research/sample']],
  ['research/backtest', ['research/report', 'research/sample']],
]

/** Packages, and modules of Node, that a room may import; in the rest of src only these files' own bundles. */
const packages = {
  contract: [],
  threads: ['node:events', 'node:os', 'node:worker_threads'],
  frame: [
    'apache-arrow',
    'danfojs-node',
    'hyparquet',
    'simple-statistics',
    'string-width',
    'tslab',
    'node:buffer',
    'node:crypto',
    'node:zlib',
  ],
  data: [
    'apache-arrow',
    '@clickhouse/client',
    'croner',
    '@duckdb/node-api',
    'lru-cache',
    'saxes',
    'undici',
    'node:buffer',
    'node:child_process',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:module',
    'node:os',
    'node:path',
    'node:process',
    'node:stream',
    'node:timers/promises',
    'node:url',
    'node:worker_threads',
    'node:zlib',
  ],
  research: [
    'amaro',
    'apache-arrow',
    'bullmq',
    'echarts',
    'pure-rand',
    '@resvg/resvg-js',
    'simple-statistics',
    'node:child_process',
    'node:crypto',
    'node:fs',
    'node:path',
    'node:process',
    'node:timers',
    'node:url',
    'node:util',
  ],
  server: [
    'apache-arrow',
    'lru-cache',
    '@modelcontextprotocol/sdk',
    'negotiator',
    'prom-client',
    'node:buffer',
    'node:cluster',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:http',
    'node:net',
    'node:path',
    'node:stream',
    'node:zlib',
  ],
  cli: [
    'apache-arrow',
    'cli-progress',
    'commander',
    'read',
    'node:child_process',
    'node:cluster',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:inspector',
    'node:module',
    'node:os',
    'node:path',
    'node:readline',
    'node:stream',
    'node:url',
    'node:util',
    'node:v8',
    'node:vm',
    'node:worker_threads',
    'node:zlib',
  ],
}

/** What bundles are made from; nothing else imports them. */
const bundled = [
  '^src/frame/danfo/',
  '^src/research/analysis/simple-statistics',
  '^src/research/report/echarts',
  '^src/research/report/live/live-(chart|notebook|page)',
  '^src/frame/table/spreadsheet-library',
  '^src/data/clickhouse/clickhouse-library',
  '^src/data/names/pinyin-library',
  '^src/research/report/verify/html-parser',
  '^src/server/mcp/protocol',
  '^src/server/redis-library',
  '^src/research/backtest/queue/queue-library',
  '^src/cli/notebook/markup',
  '^src/server/service/page/client/',
]

/** Heavy packages and the bundles made of them: one file each imports them. */
const heavy = [
  ['danfo', 'dist/danfo/', 'src/frame/danfo-classes.ts'],
  ['parquet-wasm', 'dist/lib/parquet_wasm', 'src/frame/table/parquet-engine.ts'],
  ['hucre', 'dist/lib/spreadsheet', 'src/frame/table/spreadsheet.ts'],
  ['echarts', 'dist/lib/echarts', 'src/research/report/draw-plot.ts'],
  ['htmlparser2', 'dist/lib/html-parser', 'src/research/report/verify/read-page.ts'],
  ['markdown-it and highlight.js', 'dist/lib/markup', 'src/cli/notebook/notebook-page.ts'],
  ['the protocol of agents', 'dist/lib/mcp', 'src/cli/command/mcp-command.ts'],
  [
    'the client of Redis',
    'dist/lib/redis',
    'src/(research/backtest/queue/sweep-board|server/service/keys/redis-limits).ts',
  ],
  ['jobs on Redis', 'dist/lib/queue', 'src/research/backtest/queue/sweep-board.ts'],
  ['pinyin-pro', 'dist/lib/pinyin', 'src/data/names/name-readings.ts'],
  ['duckdb', 'node_modules/@duckdb/', 'src/data/sql/duckdb.ts'],
  ['the client of ClickHouse', 'dist/lib/clickhouse', 'src/data/clickhouse/clickhouse-client.ts'],
  ['resvg', 'node_modules/@resvg/', 'src/research/report/chart-file.ts'],
  ['undici', 'dist/lib/undici', 'src/data/source/transport/http-client.ts'],
  ['prom-client', 'dist/lib/prometheus', 'src/server/service/metrics.ts'],
]

const inFolder = (name) => (name === 'door' ? 'src/[^/]+$' : `src/${name}/`)
const isOf = (name) =>
  name.startsWith('node:') ? `(node:)?${name.slice(5)}(/promises)?$` : `node_modules/(@types/)?${name}/`
const rule = (name, from, to) => ({ name, severity: 'error', from, to })

export default {
  forbidden: [
    rule('no circles', {}, { circular: true }),
    rule('imports are found', {}, { couldNotResolve: true, pathNot: '^tslab$' }),
    rule('nobody imports index and cli', { pathNot: '^src/cli/' }, { path: ['^src/index[.]ts$', '^src/cli/'] }),
    ...Object.entries(may).map(([folder, others]) =>
      rule(
        `${folder} imports ${others.join(', ') || 'no other room'}`,
        { path: `^${inFolder(folder)}`, pathNot: Object.keys(joins).map(inFolder) },
        {
          path: '^src/',
          pathNot: [...[folder, ...others].map((name) => `^${inFolder(name)}`), '^src/(root|import-module|locale)'],
        },
      ),
    ),
    ...Object.entries(joins).map(([folder, others]) =>
      rule(
        `${folder} imports research, what it may and ${others.join(', ')}`,
        { path: `^${inFolder(folder)}` },
        { path: '^src/', pathNot: ['research', ...may.research, ...others].map((name) => `^${inFolder(name)}`) },
      ),
    ),
    ...below.map(([folder, others]) =>
      rule(
        `${folder} does not import ${others.join(', ')}`,
        { path: `^src/${folder}/` },
        { path: others.map((name) => `^src/${name}/`) },
      ),
    ),
    ...Object.entries(packages).map(([folder, names]) =>
      rule(
        `packages of ${folder}: ${names.join(', ') || 'none'}`,
        { path: `^src/${folder}/`, pathNot: bundled },
        { path: ['^node_modules/', '^node:', '^[a-z_]+$'], pathNot: names.map((name) => `^(${isOf(name)}|${name}$)`) },
      ),
    ),
    ...heavy.map(([name, path, file]) =>
      rule(
        `${file} alone imports ${name}`,
        { path: '^src/', pathNot: [`^${file}$`, ...bundled] },
        { path: `^${path}`, dependencyTypesNot: ['type-only'] },
      ),
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^(node_modules|dist)/' },
    exclude: { path: '^src/server/service/page/client/.*\\.css$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    combinedDependencies: false,
  },
}
