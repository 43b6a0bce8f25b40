import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Which folder may import which (see CONTRIBUTING.md). `door` is what index.ts is made of: it may import all. */
const may: Record<string, readonly string[]> = {
  contract: [],
  table: ['contract', 'frame', 'show'],
  danfo: ['contract', 'table'],
  frame: ['contract', 'table', 'show'],
  show: ['contract', 'table', 'frame'],
  source: ['contract', 'table', 'frame'],
  archive: ['contract', 'table', 'frame', 'source'],
  ticks: ['contract', 'table', 'frame', 'source', 'archive', 'sql'],
  sql: ['contract', 'table', 'frame', 'source', 'archive'],
  service: ['contract', 'table', 'frame', 'show', 'source', 'archive', 'ticks'],
  checks: ['contract', 'table', 'frame', 'show'],
  analysis: ['contract', 'table', 'frame', 'checks'],
  report: ['contract', 'table', 'frame', 'show', 'checks', 'analysis'],
  sample: ['contract', 'table', 'frame', 'archive', 'checks', 'analysis'],
  build: [],
  load: ['contract', 'table', 'frame', 'source', 'archive', 'ticks', 'checks', 'analysis', 'report', 'door'],
  door: [
    'contract',
    'table',
    'frame',
    'show',
    'source',
    'archive',
    'ticks',
    'sql',
    'checks',
    'analysis',
    'report',
    'load',
  ],
  cli: [
    'contract',
    'table',
    'frame',
    'show',
    'source',
    'archive',
    'ticks',
    'service',
    'checks',
    'analysis',
    'report',
    'sample',
    'load',
    'door',
  ],
}

/** Packages that a folder may import; the rest it may not. */
const packages: Record<string, readonly string[]> = {
  contract: [],
  table: ['apache-arrow', '#parquet', 'hyparquet', 'node:buffer', 'node:crypto', 'node:zlib'],
  danfo: ['#danfo', 'node:crypto', 'simple-statistics'],
  frame: ['apache-arrow', '#danfo', '#statistics', 'node:crypto', 'simple-statistics'],
  show: ['apache-arrow', 'string-width', 'node:crypto'],
  checks: ['apache-arrow', '#statistics'],
  source: ['apache-arrow', 'undici', 'node:buffer', 'node:events', 'node:zlib'],
  archive: [
    'apache-arrow',
    'lru-cache',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:path',
    'node:worker_threads',
  ],
  ticks: [
    'apache-arrow',
    '#root',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:path',
    'node:url',
    'node:worker_threads',
    'node:zlib',
    'saxes',
  ],
  sql: ['apache-arrow', '@duckdb/node-api', 'node:fs/promises', 'node:os', 'node:path'],
  service: [
    '#root',
    'lru-cache',
    'negotiator',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:net',
    'node:path',
    'node:stream',
    'node:zlib',
    'prom-client',
  ],
  analysis: ['apache-arrow', '#statistics'],
  report: ['apache-arrow', '#echarts'],
  sample: ['pure-rand/distribution/uniformInt', 'pure-rand/generator/xoroshiro128plus'],
  load: ['apache-arrow'],
  door: ['apache-arrow', '#root', 'node:path'],
  cli: ['apache-arrow', 'commander', 'cli-progress', 'read', 'node:fs', 'node:fs/promises', 'node:path'],
}

/** What bundles are made from; nothing else imports them. */
const bundled = [
  'src/danfo/entry.ts',
  'src/danfo/repair/danfo.ts',
  'src/danfo/statistics.ts',
  'src/analysis/statistics.ts',
  'src/report/echarts.ts',
  'src/service/page/client/chart-library.ts',
]

/** Heavy packages: one file each knows them. */
const heavy = ['#danfo', '#parquet', '#echarts', '@duckdb/node-api', 'undici', 'prom-client', 'hyparquet', 'saxes']

const files = readdirSync('src', { recursive: true })
  .map((name) => join('src', String(name)))
  .filter((path) => statSync(path).isFile() && /\.(ts|cjs|mjs)$/.test(path))
  .sort()

function roomOf(path: string): string {
  const parts = path.split('/')
  return parts.length === 2 ? 'door' : (parts[1] as string)
}

interface Import {
  readonly from: string
  readonly what: string
  /** Path below src of a file of ours; undefined for a package. */
  readonly file: string | undefined
  readonly typeOnly: boolean
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const found = [
    ...text.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm),
    ...text.matchAll(/(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
  ]
  return found.map(([, type, what = '']) => {
    const file = what.startsWith('.') ? normalize(join(dirname(path), what)).replace(/\.js$/, '.ts') : undefined
    return { from: path, what, file, typeOnly: Boolean(type) }
  })
}

const imports = files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')).flatMap(importsOf)

test('the files are there and their imports are found', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(imports.length).toBeGreaterThan(300)
  for (const { file, from } of imports) if (file) expect(existsSync(file), `${from} imports ${file}`).toBe(true)
  for (const path of files) expect(may, path).toHaveProperty(roomOf(path))
})

test('folders import along the matrix only; nobody imports index or cli', () => {
  const wrong = imports.flatMap(({ from, file }) => {
    if (!file) return []
    const [room, other] = [roomOf(from), roomOf(file)]
    if (file === 'src/index.ts' || (other === 'cli' && room !== 'cli')) return [`${from} imports ${file}`]
    return room === other || may[room]?.includes(other) ? [] : [`${from} imports ${file}`]
  })
  expect(wrong).toEqual([])
})

test('packages are imported where they belong', () => {
  const wrong = imports.flatMap(({ from, what, file }) => {
    if (file || bundled.includes(from)) return []
    return packages[roomOf(from)]?.includes(what) ? [] : [`${from} imports ${what}`]
  })
  expect(wrong).toEqual([])
})

test('each heavy package has one importer', () => {
  for (const name of heavy) {
    const importers = new Set(
      imports.filter(({ what, typeOnly }) => what === name && !typeOnly).map(({ from }) => from),
    )
    expect(importers.size, `${name}: ${[...importers].join(', ')}`).toBeLessThanOrEqual(1)
  }
})

test('no cycles between files', () => {
  const graph = new Map(
    files.map((path) => [
      path,
      imports.filter(({ from, typeOnly }) => from === path && !typeOnly).flatMap(({ file }) => file ?? []),
    ]),
  )
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    state.set(path, 'open')
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of files) visit(path, [])
  expect(cycles).toEqual([])
})

test('rooms are small: no file over 300 lines but catalogue and rule tables', () => {
  const long = files.filter(
    (path) => !/catalogue\/|rules\.ts$/.test(path) && readFileSync(path, 'utf8').split('\n').length > 301,
  )
  expect(long).toEqual([])
})

const forbidden: [string, RegExp, (path: string) => boolean][] = [
  [
    'process, console, argv and env belong to the cli',
    /\b(process|console)\.\w|process\.(argv|env)/,
    (path) => !/^src\/(cli\/|.*\.mjs$|show\/terminal\.ts$|service\/page\/client\/snippet\.ts$)/.test(path),
  ],
  ["Arrow's toArray() turns null into 0", /\.toArray\(\)/, () => true],
  [
    'no clock in a result: waiting has one',
    /\bDate\.now\(|new Date\(\)|performance\.now\(/,
    (path) => path !== 'src/source/transport/clock.ts',
  ],
  ['no locale in a result', /toLocale|Intl\./, () => true],
  ['no chance in a result: waiting has some', /Math\.random\(/, (path) => path !== 'src/source/transport/clock.ts'],
  [
    'one source for two builds',
    /import\.meta|^await /m,
    (path) => path.endsWith('.ts') && !path.startsWith('src/cli/'),
  ],
  ['names are exported one by one', /export \*(?! from 'danfojs)/, () => true],
]

test.each(forbidden)('%s', (_, pattern, where) => {
  const bare = (path: string) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  expect(files.filter((path) => where(path) && pattern.test(bare(path)))).toEqual([])
})
