import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { main, root } from '../helper/cli.js'
import { freePort } from '../helper/server-process.js'
import { tempDir } from '../helper/temp.js'

/** For users: the READMEs and the pages of docs/, all of them in two languages; the glossary is in both. */
const pages = readdirSync('docs', { recursive: true }).map((name) => `docs/${name}`)
const documents = ['README.md', 'README.zh-CN.md', ...pages.filter((name) => /^docs\/[^.].*\.md$/.test(name))]
const isChinese = (document: string): boolean => document.endsWith('.zh-CN.md')
const chineseOf = (document: string): string => document.replace(/(?<!\.zh-CN)\.md$/, '.zh-CN.md')
const guides = documents.slice(2).filter((document) => !isChinese(document) && !document.endsWith('glossary.md'))

const textOf = (document: string): string => readFileSync(document, 'utf8')

/** A program without the words of its comments: what is alike in both languages. */
const codeOf = (text: string): string => text.replaceAll(/ *(?:\/\/ (?!=>)|\/\*\* ).*/g, '').replaceAll(/^ *\n/gm, '')

/** Each text once, the first of those that are the same to `of`. */
const firstOf = <T extends { readonly text: string }>(all: readonly T[], of = (text: string): string => text): T[] =>
  all.filter(({ text }, i) => all.findIndex((one) => of(one.text) === of(text)) === i)

/** Code blocks of a language in all documents, or in one. */
function blocks(
  language: string,
  of: readonly string[] = documents,
): { readonly document: string; readonly text: string }[] {
  const fence = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm')
  return of.flatMap((document) => [...textOf(document).matchAll(fence)].map(([, text = '']) => ({ document, text })))
}

/** A folder whose `quotebook` is the built command. */
function binDir(): string {
  const dir = tempDir()
  const file = join(dir, 'quotebook')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(file, 0o755)
  return dir
}

/** Lines that stand, in order and without others between them except where a line is `…`. */
function holds(output: string, shown: readonly string[]): boolean {
  const lines = output.split('\n').map((line) => line.trimEnd())
  const cut = shown.at(-1) === '…'
  const wanted = cut ? shown.slice(0, -1) : shown
  const actual = cut ? lines.slice(0, wanted.length) : lines.filter((line, i) => line !== '' || i < wanted.length)
  return JSON.stringify(actual) === JSON.stringify(wanted)
}

const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${binDir()}:${process.env.PATH}`,
  QUOTEBOOK_SOURCE: 'sample',
})
const [said, printed] = [(line: string) => line.startsWith('! '), (line: string) => !line.startsWith('! ')]

interface Shown {
  readonly command: string
  readonly lines: readonly string[]
}

/** The commands of a block with what is shown of each. */
function commandsIn(text: string): Shown[] {
  const parts = text.trimEnd().split(/^\$ /m).slice(1)
  return parts.map((part) => {
    const [command = '', ...lines] = part.trimEnd().split('\n')
    return { command, lines }
  })
}

/** @param cwd a new folder: what commands write there is neither in the checkout nor left for the next run */
function runs({ command, lines }: Shown, cwd: string): void {
  const ran = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', env: env() })
  const errors = lines.filter(said).map((line) => line.slice(2))
  expect(holds(ran.stdout, lines.filter(printed)), ran.stdout + ran.stderr).toBe(true)
  if (errors.length > 0) expect(holds(ran.stderr, errors), ran.stderr).toBe(true)
}

/** Blocks with commands: those that begin by serving, and the others. */
function consoles(isService: boolean): (readonly [document: string, first: string | undefined, text: string])[] {
  const wanted = blocks('console').filter(({ text }) => text.startsWith('$ quotebook serve') === isService)
  // What stands in both languages is run once.
  return firstOf(wanted).map(({ document, text }) => [document, text.split('\n')[0], text])
}

/** A folder with the files that a document shows, each as a block with its name: ```ts double-low.ts */
function folderOf(document: string): string {
  const folder = tempDir()
  for (const [, name = '', text = ''] of textOf(document).matchAll(/^```ts (\S+)\n([\s\S]*?)^```/gm)) {
    if (!existsSync(join(folder, 'node_modules'))) {
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(root, join(folder, 'node_modules/quotebook'))
    }
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test.each(consoles(false))('%s: %s', (document, _first, text) => {
  const folder = folderOf(document)
  for (const shown of commandsIn(text)) runs(shown, folder)
})

test.each(consoles(true))('%s: %s, and what is asked of it', async (_, _first, text) => {
  const [serve, ...others] = commandsIn(text)
  const port = String(await freePort())
  const at = ({ command, lines }: Shown): Shown => ({
    command: command.replaceAll('8000', port),
    lines: lines.map((line) => line.replaceAll('8000', port)),
  })
  const { command, lines } = at(serve as Shown)
  const folder = tempDir()
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env: env() })
  let heard = ''
  child.stderr.on('data', (chunk: Buffer) => {
    heard += chunk
  })
  child.stdout.resume()
  try {
    while (heard.split('\n').length <= lines.length) await once(child.stderr, 'data')
    expect(
      holds(
        heard,
        lines.map((line) => line.slice(2)),
      ),
      heard,
    ).toBe(true)
    expect(others.length).toBeGreaterThan(0)
    for (const shown of others) runs(at(shown), folder)
  } finally {
    child.kill()
  }
})

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

describe('README.zh-CN.md says what README.md says', () => {
  const [english, chinese] = [textOf('README.md'), textOf('README.zh-CN.md')]

  test('the same commands and options in the table of commands, row by row', () => {
    const rows = (text: string): string[][] =>
      text.split('\n').flatMap((line) => {
        const [, cell] = /^\| (`quotebook .*?) \| (?=(?:[^|]|\\\|)*\|$)/.exec(line) ?? []
        return cell === undefined ? [] : [cell.match(/`[^`]*`/g) ?? []]
      })
    expect(rows(english).length).toBeGreaterThan(10)
    expect(rows(chinese)).toEqual(rows(english))
    // What stands outside of it: each option and variable that one language names, the other names too.
    const named = (text: string): string[] =>
      [...new Set(text.match(/--[a-z][a-z-]+|\b[A-Z]{3,}(?:_[A-Z]+)+\b/g))].sort()
    expect(named(chinese)).toEqual(named(english))
  })

  test('the same code blocks, but for the words of their comments', () => {
    for (const language of ['console', 'sh', 'ts']) {
      const of = (document: string): string[] =>
        blocks(language, [document])
          .map(({ text }) => codeOf(text))
          .sort()
      expect(of('README.md').length).toBeGreaterThan(0)
      expect(of('README.zh-CN.md')).toEqual(of('README.md'))
    }
  })

  test('the same links, to pages in its own language', () => {
    expect(linksOf(chinese)).toEqual(linksOf(english).map(inChinese).sort())
  })
})

/** Targets of a text, each once, but for the page in the other language. */
function linksOf(text: string): string[] {
  const after = text.slice(text.indexOf('\n\n', text.indexOf('\n\n') + 2))
  return [...new Set([...after.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target))].sort()
}

/** What a Chinese page links to, where the English one links to `target`. */
const inChinese = (target: string): string => {
  const isThere = existsSync(chineseOf(target)) || existsSync(join('docs/guide', chineseOf(target)))
  return isThere ? chineseOf(target) : target
}

test.each(guides)('%s says in Chinese what it says in English', (document) => {
  const [english, chinese] = [textOf(document), textOf(chineseOf(document))]
  const name = document.replace(/^.*\//, '')
  expect(english.split('\n\n')[1]).toBe(`[中文](${chineseOf(name)})`)
  expect(chinese.split('\n\n')[1]).toBe(`[English](${name})`)
  const fences = (text: string): string[] => [...text.matchAll(/^```[\s\S]*?^```/gm)].map(([block]) => codeOf(block))
  expect(fences(chinese)).toEqual(fences(english))
  const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const lines = (text: string, mark: RegExp): string[] => prose(text).match(mark) ?? []
  for (const mark of [/^\|.*/gm, /^#+/gm]) expect(lines(chinese, mark)).toHaveLength(lines(english, mark).length)
  // Commands, options, names and values: whatever one names as code, the other does.
  const named = (text: string): string[] =>
    [...new Set((prose(text).match(/`[^`]+`/g) ?? []).map((span) => span.replaceAll(/\s+/g, ' ')))].sort()
  expect(named(chinese)).toEqual(named(english))
  expect(linksOf(chinese)).toEqual(linksOf(english).map(inChinese).sort())
})

test('README.md is short, names every command, and leads to each guide, as the Chinese one does', () => {
  const readme = textOf('README.md')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  const commands = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' }).stdout
  for (const [, name] of commands.matchAll(/^ {2}(\w+) /gm))
    if (name !== 'help') expect(readme).toContain(`\`quotebook ${name} `)
  const named = guides.filter((document) => document.startsWith('docs/guide/'))
  for (const document of [chineseOf('README.md'), ...named, 'docs/guide/glossary.md'])
    expect(readme).toContain(`](${document})`)
})

/** Files of the repository that a text names: targets of links, and paths between backticks. */
function pathsIn(document: string): string[] {
  const text = textOf(document)
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
  const files = links.filter((target) => !target.startsWith('http')).map((target) => join(dirname(document), target))
  const quoted = [...text.matchAll(/`([\w.-]+\/[\w./-]*|[\w.-]+\.(?:ts|mjs|cjs|py))`/g)].map(([, path = '']) => path)
  return [
    ...files,
    ...quoted.filter((path) => !/^(dist|reports|\.fetch|dev|tmp|application|text|2026)\/|^tour\.ts$|NAME/.test(path)),
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
