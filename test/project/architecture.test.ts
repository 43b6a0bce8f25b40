import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const files = readdirSync('src', { recursive: true })
  .map((name) => join('src', String(name)))
  .filter((path) => statSync(path).isFile() && /\.(ts|cjs|mjs)$/.test(path))
  .sort()
test('imports are as .dependency-cruiser.mjs allows: folders, packages, no circles', () => {
  const options = ['src', '--config', '.dependency-cruiser.mjs', '--output-type', 'json']
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  // The cruiser exits with the number of violations; the JSON is whole all the same.
  let output: string
  try {
    output = execFileSync(process.execPath, [cruiser, ...options], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  } catch (error) {
    output = (error as { stdout: string }).stdout
  }
  const { summary } = JSON.parse(output)
  expect(summary.totalCruised).toBeGreaterThan(300)
  expect(summary.totalDependenciesCruised).toBeGreaterThan(1000)
  const wrong = summary.violations.map(
    ({ from, to, rule }: { from: string; to: string; rule: { name: string } }) => `${from} imports ${to}: ${rule.name}`,
  )
  expect(wrong).toEqual([])
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
