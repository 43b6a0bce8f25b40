/** Which folder may import which (CONTRIBUTING.md draws it); `door` is what stands directly in src. */
const may = {
  contract: [],
  threads: ['contract'],
  table: ['contract'],
  danfo: ['contract', 'table', 'build'],
  frame: ['contract', 'table'],
  show: ['contract', 'table', 'frame'],
  source: ['contract', 'table'],
  clickhouse: ['contract', 'table'],
  archive: ['contract', 'table', 'frame', 'source', 'clickhouse'],
  sync: ['contract', 'table', 'source', 'archive'],
  sql: ['contract', 'table', 'frame', 'archive', 'clickhouse'],
  ticks: ['contract', 'threads', 'table', 'frame', 'source', 'archive', 'sql', 'clickhouse'],
  service: ['contract', 'table', 'show', 'source', 'archive'],
  checks: ['contract', 'table', 'frame', 'show'],
  analysis: ['contract', 'table', 'frame', 'checks'],
  backtest: ['contract', 'threads', 'table', 'frame', 'checks', 'analysis'],
  report: ['contract', 'table', 'frame', 'show', 'checks', 'analysis'],
  watch: ['contract', 'table', 'frame', 'show', 'source'],
  mcp: [
    'contract',
    'threads',
    'table',
    'frame',
    'show',
    'source',
    'archive',
    'sql',
    'service',
    'checks',
    'analysis',
    'report',
    'watch',
    'load',
    'door',
  ],
  notebook: ['contract', 'show', 'source', 'archive', 'report', 'door'],
  sample: ['contract', 'table', 'archive', 'checks'],
  load: ['contract', 'table', 'frame', 'ticks', 'checks', 'analysis', 'report', 'door'],
}

/** Packages, and modules of Node, that a folder may import; in the rest of src only these files' own bundles. */
const packages = {
  contract: [],
  threads: ['node:events', 'node:os', 'node:worker_threads'],
  table: ['apache-arrow', 'hyparquet', 'node:buffer', 'node:crypto', 'node:zlib'],
  danfo: ['danfojs-node', 'simple-statistics'],
  frame: ['apache-arrow', 'simple-statistics'],
  show: ['apache-arrow', 'string-width', 'tslab'],
  source: ['apache-arrow', 'undici', 'node:buffer', 'node:crypto', 'node:events', 'node:zlib'],
  clickhouse: ['@clickhouse/client', 'node:stream'],
  archive: ['apache-arrow', 'lru-cache', 'node:crypto', 'node:fs', 'node:os', 'node:path', 'node:worker_threads'],
  sync: ['apache-arrow', 'croner', 'node:fs', 'node:path'],
  sql: ['apache-arrow', '@duckdb/node-api', 'node:fs', 'node:os', 'node:path'],
  ticks: [
    'apache-arrow',
    'saxes',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:os',
    'node:path',
    'node:url',
    'node:worker_threads',
    'node:zlib',
  ],
  service: [
    'lru-cache',
    'negotiator',
    'prom-client',
    'saxes',
    'node:crypto',
    'node:fs',
    'node:http',
    'node:net',
    'node:path',
    'node:stream',
    'node:zlib',
  ],
  checks: ['apache-arrow', 'simple-statistics'],
  analysis: ['apache-arrow', 'simple-statistics'],
  backtest: ['apache-arrow', 'node:crypto', 'node:fs', 'node:path', 'node:url'],
  report: ['apache-arrow', '@resvg/resvg-js', 'echarts', 'node:crypto', 'node:fs', 'node:path'],
  mcp: [
    'apache-arrow',
    'lru-cache',
    '@modelcontextprotocol/sdk',
    'node:buffer',
    'node:crypto',
    'node:http',
    'node:stream',
  ],
  notebook: [
    'node:async_hooks',
    'node:child_process',
    'node:fs',
    'node:module',
    'node:path',
    'node:readline',
    'node:stream',
    'node:util',
  ],
  sample: ['pure-rand'],
  load: ['apache-arrow'],
  watch: ['apache-arrow'],
  cli: [
    'apache-arrow',
    'cli-progress',
    'commander',
    'read',
    'node:child_process',
    'node:events',
    'node:fs',
    'node:os',
    'node:path',
    'node:url',
    'node:v8',
  ],
}

/** What bundles are made from; nothing else imports them. */
const bundled = [
  '^src/danfo/',
  '^src/analysis/simple-statistics',
  '^src/report/echarts',
  '^src/table/spreadsheet-library',
  '^src/report/verify/html-parser',
  '^src/mcp/protocol',
  '^src/notebook/markup',
  '^src/service/page/client/chart-library',
]

/** Heavy packages and the bundles made of them: one file each imports them. */
const heavy = [
  ['danfo', 'dist/danfo/', 'src/frame/danfo-classes.ts'],
  ['parquet-wasm', 'dist/lib/parquet_wasm', 'src/table/parquet-engine.ts'],
  ['hucre', 'dist/lib/spreadsheet', 'src/table/spreadsheet.ts'],
  ['echarts', 'dist/lib/echarts', 'src/report/draw-plot.ts'],
  ['htmlparser2', 'dist/lib/html-parser', 'src/report/verify/read-page.ts'],
  ['markdown-it and highlight.js', 'dist/lib/markup', 'src/notebook/notebook-page.ts'],
  ['the protocol of agents', 'dist/lib/mcp', 'src/cli/command/mcp-command.ts'],
  ['duckdb', 'node_modules/@duckdb/', 'src/sql/duckdb.ts'],
  ['the client of ClickHouse', 'node_modules/@clickhouse/', 'src/clickhouse/clickhouse-client.ts'],
  ['resvg', 'node_modules/@resvg/', 'src/report/chart-file.ts'],
  ['undici', 'node_modules/undici/', 'src/source/transport/http-client.ts'],
  ['prom-client', 'node_modules/prom-client/', 'src/service/metrics.ts'],
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
        `${folder} imports ${others.join(', ') || 'no other folder'}`,
        { path: `^${inFolder(folder)}` },
        {
          path: '^src/',
          pathNot: [...[folder, ...others].map((name) => `^${inFolder(name)}`), '^src/(root|import-module)'],
        },
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
    exclude: { path: '^src/service/page/client/.*\\.css$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    combinedDependencies: false,
  },
}
