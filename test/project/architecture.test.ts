import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as ts from 'typescript'
import { expect, test } from 'vitest'

const files = readdirSync('src', { recursive: true })
  .map((name) => join('src', String(name)))
  .filter((path) => statSync(path).isFile() && /\.(ts|cjs|mjs)$/.test(path))
  .sort()
const sources = files.map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))

test('imports are as .dependency-cruiser.mjs allows: folders, packages, no circles', () => {
  const options = ['src', '--config', '.dependency-cruiser.mjs', '--output-type', 'json']
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  // It exits with the number of violations; the JSON is whole all the same.
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

/** The names that a file defines and exports. */
function definedIn(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
    const { name } = statement as Partial<ts.FunctionDeclaration>
    return name ? [name.text] : []
  })
}

/** Keys that stand with more than one path. */
function repeated(pairs: readonly (readonly [key: string, path: string])[]): string[] {
  const paths = new Map<string, Set<string>>()
  for (const [key, path] of pairs) paths.set(key, (paths.get(key) ?? new Set()).add(path))
  return [...paths].filter(([, found]) => found.size > 1).map(([key, found]) => `${key}: ${[...found].join(', ')}`)
}

test('an exported name is defined in one file', () => {
  const defined = sources.flatMap((source) => definedIn(source).map((name) => [name, source.fileName] as const))
  expect(defined.length).toBeGreaterThan(800)
  expect(repeated(defined)).toEqual([])
})

test('the name of a file says what is in it without its folder', () => {
  expect(repeated(files.map((path) => [basename(path), path] as const))).toEqual([])
})

test('the door has at most 113 values and 129 types', () => {
  const door = sources.find(({ fileName }) => fileName === 'src/index.ts') as ts.SourceFile
  const names = door.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) return []
    if (!ts.isNamedExports(statement.exportClause)) return []
    return statement.exportClause.elements.map((one) => statement.isTypeOnly || one.isTypeOnly)
  })
  const types = names.filter(Boolean).length
  expect(names.length - types).toBeLessThanOrEqual(113)
  expect(types).toBeLessThanOrEqual(129)
})

const longest = 60

test(`a function has at most ${longest} lines`, () => {
  const long: string[] = []
  const visit = (node: ts.Node, source: ts.SourceFile): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [first, last] = [node.getStart(source), node.getEnd()].map(
        (position) => source.getLineAndCharacterOfPosition(position).line,
      ) as [number, number]
      if (last - first + 1 > longest) long.push(`${source.fileName}:${first + 1}, ${last - first + 1} lines`)
    }
    ts.forEachChild(node, (child) => visit(child, source))
  }
  for (const source of sources) visit(source, source)
  expect(long).toEqual([])
})

const forbidden: [string, RegExp, (path: string) => boolean][] = [
  [
    'process, console, argv and env belong to the cli',
    /\b(process|console)\.\w|process\.(argv|env)/,
    (path) =>
      !/^src\/(cli\/|.*\.mjs$|frame\/show\/terminal\.ts$|server\/service\/page\/client\/snippet\.ts$)/.test(path),
  ],
  ["Arrow's toArray() turns null into 0", /\.toArray\(\)/, () => true],
  [
    'no clock in a result: waiting has one, and messages of Jupyter',
    /\bDate\.now\(|new Date\(\)|performance\.now\(/,
    (path) => !['src/data/source/transport/clock.ts', 'src/cli/notebook/kernel/wire.ts'].includes(path),
  ],
  ['no locale in a result', /toLocale|Intl\./, (path) => path !== 'src/cli/asked-language.ts'],
  [
    'no chance in a result: waiting has some',
    /Math\.random\(/,
    (path) => path !== 'src/data/source/transport/clock.ts',
  ],
  [
    'one source for two builds',
    /import\.meta|^await /m,
    (path) => path.endsWith('.ts') && !path.startsWith('src/cli/'),
  ],
  ['names are exported one by one', /export \*(?! from 'danfojs)/, (path) => path !== 'src/build/package-types.mjs'],
]

test.each(forbidden)('%s', (_, pattern, where) => {
  const bare = (path: string) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  expect(files.filter((path) => where(path) && pattern.test(bare(path)))).toEqual([])
})

test('benchmarks load modules that are there', () => {
  const folder = 'test/bench'
  const loaded = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return [...text.matchAll(/\bload\('([^']+)\.js'\)/g)].map(([, path]) => `src/${path}.ts`)
  })
  expect(loaded.length).toBeGreaterThan(10)
  expect(loaded.filter((path) => !existsSync(path))).toEqual([])
})
