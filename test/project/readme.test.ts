import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../helper/cli.js'
import { blocks, codeOf, documents, firstOf, isChinese, textOf } from '../helper/documents.js'
import { testConsoles } from '../helper/shown-commands.js'
import { tempDir } from '../helper/temp.js'

const chineseOf = (document: string): string => document.replace(/(?<!\.zh-CN)\.md$/, '.zh-CN.md')
/** Pages with a twin. */
const pages = documents.filter((document) => !isChinese(document) && !document.endsWith('glossary.md'))

// Those of the guides and recipes, most of which take seconds, run in the deep suite, as the walks of the tutorials do.
testConsoles(['README.md', 'README.zh-CN.md', 'docs/start.md', 'docs/start.zh-CN.md'])

describe('TypeScript blocks', () => {
  const programs = firstOf(blocks('ts'), codeOf).map(({ document, text }, i) => ({
    document,
    text,
    file: `block-${i + 1}`,
  }))
  const dir = tempDir()
  let errors: readonly string[] = []
  let outputs: Readonly<Record<string, string>> = {}

  beforeAll(() => {
    mkdirSync(join(dir, 'node_modules'))
    symlinkSync(root, join(dir, 'node_modules/quotebook'))
    symlinkSync(join(root, 'node_modules/@types'), join(dir, 'node_modules/@types'))
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
    for (const { file, text } of programs) writeFileSync(join(dir, `${file}.ts`), text)
    const flags =
      '--strict --skipLibCheck --target es2022 --lib es2022,dom --module nodenext --moduleResolution nodenext --types node'
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const names = programs.map(({ file }) => `${file}.ts`)
    const compiled = spawnSync(process.execPath, [compiler, ...flags.split(' '), ...names], {
      cwd: dir,
      encoding: 'utf8',
    })
    errors = compiled.stdout.split('\n').filter(Boolean)
    const all = `const outputs = {}
      const write = process.stdout.write.bind(process.stdout)
      for (const file of ${JSON.stringify(programs.map(({ file }) => file))}) {
        outputs[file] = ''
        process.stdout.write = (text) => (outputs[file] += text, true)
        await import(\`./\${file}.js\`).catch((error) => (outputs[file] += error.stack))
      }
      write(JSON.stringify(outputs))`
    writeFileSync(join(dir, 'all.js'), all)
    const ran = spawnSync(process.execPath, ['all.js'], { cwd: dir, encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    outputs = JSON.parse(ran.stdout)
  })

  test.each(programs)('$document, $file type-checks, runs, and prints what its comments say', ({ file, text }) => {
    expect(errors.filter((line) => line.startsWith(`${file}.ts`))).toEqual([])
    const expected = [...text.matchAll(/\/\/ => (.*)$/gm)].map(([, value]) => value)
    expect(expected.length).toBeGreaterThan(0)
    expect(outputs[file]?.trimEnd().split('\n')).toEqual(expected)
  })
})

test('the first two commands, in both languages; the second is the one that .ci/run calls', () => {
  for (const document of ['README.md', 'README.zh-CN.md']) {
    const [main = '', tests = ''] = blocks('sh', [document]).map(({ text }) => text.trim())
    expect(readFileSync('.ci/run', 'utf8')).toContain(tests)
    expect([main, tests], document).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  }
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(scripts.start).toContain('report')
})

/** Targets of a text, each once, but for the page in the other language. */
function linksOf(text: string): string[] {
  const after = text.slice(text.indexOf('\n\n', text.indexOf('\n\n') + 2))
  return [...new Set([...after.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target))].sort()
}

/** What the Chinese twin of a document links to, or shows, where the English one has `target`. */
const inChinese =
  (document: string) =>
  (target: string): string => {
    const chinese = target.replace(/(?<!\.zh-CN)(\.md|\.png)$/, '.zh-CN$1')
    return existsSync(join(dirname(document), chinese)) ? chinese : target
  }

test.each(pages)('%s says in Chinese what it says in English', (document) => {
  const [english, chinese] = [textOf(document), textOf(chineseOf(document))]
  const name = document.replace(/^.*\//, '')
  expect(english.split('\n\n')[1]).toBe(`[中文](${chineseOf(name)})`)
  expect(chinese.split('\n\n')[1]).toBe(`[English](${name})`)
  const fences = (text: string): string[] => [...text.matchAll(/^```[\s\S]*?^```/gm)].map(([block]) => codeOf(block))
  expect(fences(chinese)).toEqual(fences(english))
  const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const lines = (text: string, mark: RegExp): string[] => prose(text).match(mark) ?? []
  expect(lines(chinese, /^\|.*/gm)).toHaveLength(lines(english, /^\|.*/gm).length)
  // Commands, options, names and values: whatever one names as code, the other does.
  const named = (text: string): string[] =>
    [...new Set((prose(text).match(/`[^`]+`/g) ?? []).map((span) => span.replaceAll(/\s+/g, ' ')))].sort()
  expect(named(chinese)).toEqual(named(english))
  expect(linksOf(chinese)).toEqual(linksOf(english).map(inChinese(document)).sort())
})

test('README.md is short, and leads to every page', () => {
  const readme = textOf('README.md')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(125)
  // Those of api/ are read on the site.
  for (const document of pages.slice(1).filter((one) => !one.startsWith('docs/api/')))
    expect(readme).toContain(`](${document}`)
  for (const name of ['docs/guide/glossary.md', 'CHANGELOG.md', 'CONTRIBUTING.md'])
    expect(readme).toContain(`](${name})`)
})

test('the figures of README.md are those of the repository', () => {
  const readme = textOf('README.md')
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(readme).toContain(`| ${Object.keys(dependencies).length} dependencies |`)
  const [, caught] = /\+(\d+\.\d+) % in two months/.exec(readme) ?? []
  expect(textOf('docs/tutorial/backtest.md')).toContain(`total         ${caught} %`)
})

test('the pictures of the README are small', () => {
  const pictures = documents.flatMap((document) =>
    [...textOf(document).matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = '']) => join(dirname(document), path)),
  )
  expect(pictures.length).toBeGreaterThan(6)
  for (const path of pictures) expect(statSync(path).size, path).toBeLessThanOrEqual(120_000)
})

/** Files of the repository that a text names: targets of links, and paths between backticks. */
function pathsIn(document: string): string[] {
  const text = textOf(document)
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
  const files = links.filter((target) => !target.startsWith('http')).map((target) => join(dirname(document), target))
  const quoted = [...text.matchAll(/`([\w.-]+\/[\w./-]*|[\w.-]+\.(?:ts|mjs|cjs|py))`/g)].map(([, path = '']) => path)
  // What the page itself makes: files that it shows with their names, and folders that its commands write.
  const made = [...text.matchAll(/^```\w+ (\S+)$|--out (\w+)(?=\n)/gm)].map(([, file, folder]) => file ?? `${folder}/`)
  return [
    ...files,
    ...quoted.filter(
      (path) =>
        !/^(dist|reports|\.fetch|dev|tmp|application|text|2026)\/|^first\.ts$|NAME/.test(path) &&
        !made.some((one) => path.startsWith(one)),
    ),
  ]
}

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
const isThere = (path: string): boolean => existsSync(path) || tracked.some((file) => `/${file}`.includes(`/${path}`))

test.each([...documents, 'CONTRIBUTING.md'])('%s: every file that it names is there', (document) => {
  expect(pathsIn(document).filter((path) => !isThere(path))).toEqual([])
})

/** What GitHub makes of the headings of a document for links to them. */
function anchorsOf(document: string): string[] {
  const headings = textOf(document).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(documents)('%s: every heading that it links to is there', (document) => {
  const links = [...textOf(document).matchAll(/\]\(([^):#]*)#([^)]+)\)/g)]
  const lost = links.filter(([, file, anchor = '']) => {
    const target = file ? join(dirname(document), file) : document
    return !anchorsOf(target).includes(anchor)
  })
  expect(lost.map(([link]) => link)).toEqual([])
})

test('the map in CONTRIBUTING.md names every folder of src', () => {
  const map = textOf('CONTRIBUTING.md')
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) expect(map).toContain(`\n  ${name}/ `)
})

test('no command names a file that an installed package has not', () => {
  const shown = [...blocks('console'), ...blocks('ts')].flatMap(({ text }) => text.match(/[\w./-]+\/[\w./-]+/g) ?? [])
  expect(shown.filter((path) => /^(\.\/)?(test|src|notebooks|data)\//.test(path))).toEqual([])
})

test('the flows of CONTRIBUTING.md stop at files that have the names', () => {
  const [, flows = ''] = /## Six flows\n([\s\S]*?)\n## /.exec(textOf('CONTRIBUTING.md')) ?? []
  const stops = [...flows.matchAll(/`(src\/[\w./-]+\.ts)`\s+\(`(\w+)`\)/g)].map(([, path = '', name = '']) => ({
    path,
    name,
  }))
  expect(stops.length).toBeGreaterThan(25)
  expect(
    stops.filter(
      ({ path, name }) =>
        !new RegExp(`(function\\*?|class|const|async) ${name}\\b|^ {2}${name}[(<]`, 'm').test(textOf(path)),
    ),
  ).toEqual([])
})

/** The rooms: folders of src that have a README. */
const rooms = readdirSync('src').filter((name) => existsSync(`src/${name}/README.md`))

test('each room says on one screen what it answers, and names its folders and files that are there', () => {
  expect(rooms).toEqual(['cli', 'contract', 'data', 'frame', 'research', 'server'])
  for (const room of rooms) {
    const text = textOf(`src/${room}/README.md`)
    expect(text.split('\n').length, room).toBeLessThan(40)
    for (const entry of readdirSync(`src/${room}`, { withFileTypes: true }))
      if (entry.isDirectory()) expect(text, room).toContain(`${entry.name}/`)
    const named = [...text.matchAll(/`([\w./-]+\.ts|[\w-]+\/)`/g)].map(([, path = '']) => join('src', room, path))
    expect(named.filter((path) => !existsSync(path) && !existsSync(path.replace(`src/${room}/`, '')))).toEqual([])
  }
})
