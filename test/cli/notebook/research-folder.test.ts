import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findKernel } from '../../../src/cli/notebook/find-kernel.js'
import { kernelSpecFile } from '../../../src/cli/notebook/kernel-spec.js'
import type { NotebookJson } from '../../../src/cli/notebook/read-notebook.js'
import { researchFiles } from '../../../src/cli/notebook/research-files.js'
import { cellTexts, inChineseWords } from '../../../src/cli/notebook/translate-notebook.js'
import type { Language } from '../../../src/contract/language.js'
import { quotebook } from '../../helper/cli.js'
import { tempDir, treeOf } from '../../helper/temp.js'

const numbered = readdirSync('notebooks').filter((name) => name.endsWith('.ipynb'))
const names = [...numbered, 'my-notebook.ipynb'].sort()
const laid = [
  '.gitignore',
  '.jupyter/kernels/quotebook/kernel.json',
  'kernel/.npmrc',
  'kernel/package-lock.json',
  'kernel/package.json',
  ...names.map((name) => `notebooks/${name}`),
  'package.json',
  'quotebook-0.1.0.tgz',
  'strategies/double-low.mjs',
  'strategies/etf-vwap.mjs',
  'strategies/southbound-etf.mjs',
  'tsconfig.json',
].sort()

const filesIn = (dir: string): readonly string[] => Object.keys(treeOf(dir)).sort()

test('tslab is apart from the tools of its user, in exact versions and from a lock file', () => {
  const files = researchFiles('en')
  const read = (path: string) => JSON.parse(files[path] as string)
  const { dependencies, devDependencies, scripts } = read('package.json')
  expect(dependencies.quotebook).toBe('file:quotebook-0.1.0.tgz')
  expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('tslab')
  expect(scripts.postinstall).toContain('--prefix kernel')
  const kernel = read('kernel/package.json')
  expect(kernel.dependencies).toEqual({ '@types/node': '20.19.27', tslab: '1.0.22' })
  const lock = read('kernel/package-lock.json')
  expect(lock.packages[''].dependencies).toEqual(kernel.dependencies)
  expect(lock.packages['node_modules/tslab'].version).toBe('1.0.22')
  expect(JSON.stringify(lock)).not.toMatch(/quotebook|"resolved"/)
})

test('where npm has been before, its files are left alone, and that is said', () => {
  const dir = tempDir()
  const pack = '{ "name": "mine", "dependencies": { "quotebook": "file:../quotebook-0.1.0.tgz" } }'
  writeFileSync(join(dir, 'package.json'), pack)
  writeFileSync(join(dir, '.gitignore'), 'mine\n')
  mkdirSync(join(dir, 'node_modules'))
  const ran = quotebook(['notebook', 'init', '.', '--lang', 'zh'], { cwd: dir })
  expect([ran.code, ran.err]).toEqual([
    0,
    `保持不变：package.json, .gitignore
.：已写入 ${laid.length - 3} 个文件。下一步：
  npm install && npm ci --prefix kernel
  npx quotebook notebook run
`,
  ])
  expect(readFileSync(join(dir, 'package.json'), 'utf8')).toBe(pack)
  expect(readFileSync(join(dir, '.gitignore'), 'utf8')).toBe('mine\n')
  expect(filesIn(dir)).toEqual(laid.filter((path) => !path.endsWith('.tgz')))
})

const notebookOf = (name: string, language: Language): NotebookJson =>
  JSON.parse(researchFiles(language)[`notebooks/${name}`] as string)
const wordsOf = ({ cells }: NotebookJson): readonly string[] =>
  cells.filter(({ cell_type }) => cell_type === 'markdown').map(({ source }) => [source].flat().join(''))
const bare = (text: string): string => text.replace(/`[^`]*`/g, '')
const numerals = (text: string): readonly string[] =>
  bare(text).match(/(?<![\w.:])-?\d+(,\d{3})*(\.\d+)?(?![\w:])/g) ?? []

describe('in Chinese', () => {
  test.each(names)('%s: the code is the same, and every cell of words is in Chinese', (name) => {
    const [en, zh] = [notebookOf(name, 'en'), notebookOf(name, 'zh')]
    const others = ({ cells }: NotebookJson) => cells.filter(({ cell_type }) => cell_type !== 'markdown')
    expect(others(zh)).toEqual(others(en))
    expect(zh.metadata).toEqual({ ...en.metadata, language: 'zh' })
    const [english, chinese] = [wordsOf(en), wordsOf(zh)]
    expect(chinese.length).toBe(english.length)
    for (const [i, text] of chinese.entries()) {
      expect(text).toMatch(/[\u4e00-\u9fff]/)
      expect(bare(text), text).not.toMatch(/[a-z]{2,} [a-z]{2,}/)
      const heading = /^#* ?/.exec(english[i] ?? '')?.[0]
      expect(/^#* ?/.exec(text)?.[0]).toBe(heading)
    }
  })

  test.each(numbered)(
    '%s: the finding has the numbers of the English one, and every other cell has them too',
    (name) => {
      const [english, chinese] = [wordsOf(notebookOf(name, 'en')), wordsOf(notebookOf(name, 'zh'))]
      const sorted = (text = ''): readonly string[] => [...new Set(numerals(text))].sort()
      expect(sorted(chinese.at(-1))).toEqual(sorted(english.at(-1)))
      for (const [i, text] of english.entries())
        expect(sorted(chinese[i]), text).toEqual(expect.arrayContaining([...sorted(text)]))
      const quoted = (text: string): readonly string[] => [...new Set(text.match(/`[^`]*`/g) ?? [])].sort()
      for (const [i, text] of english.entries()) expect(quoted(chinese[i] ?? '')).toEqual(quoted(text))
    },
  )

  test('texts are found by the ids of cells, and a cell without one is refused', () => {
    expect([...cellTexts('<!-- a -->\n# A\n\nx\n\n<!-- b-2 -->\ny\n')]).toEqual([
      ['a', '# A\n\nx'],
      ['b-2', 'y'],
    ])
    const cell = { cell_type: 'markdown', id: 'a', source: 'x' }
    expect(() => inChineseWords({ cells: [cell] }, new Map())).toThrow('no Chinese text of cell a')
  })
})

describe('the kernel', () => {
  test.each([
    [{}, 'linux', '/home/me/.local/share/jupyter'],
    [{ XDG_DATA_HOME: '/data' }, 'linux', '/data/jupyter'],
    [{}, 'darwin', '/home/me/Library/Jupyter'],
    [{ APPDATA: '/roaming' }, 'win32', '/roaming/jupyter'],
    [{ JUPYTER_DATA_DIR: '/own', XDG_DATA_HOME: '/data' }, 'linux', '/own'],
  ])('%o on %s is put into %s', (env, platform, folder) => {
    expect(kernelSpecFile(env, platform, '/home/me')).toBe(`${folder}/kernels/quotebook/kernel.json`)
  })

  test('is looked for beside the notebooks and apart from them, and the nearest is taken', () => {
    const dir = tempDir()
    const put = (path: string): void => {
      mkdirSync(join(dir, path, 'dist'), { recursive: true })
      writeFileSync(join(dir, path, 'dist/executor.js'), '')
    }
    const from = (...paths: readonly string[]): string | undefined => {
      const found = findKernel(paths.map((path) => join(dir, path)))
      return found && relative(dir, found)
    }
    expect(from('a/notebooks')).toBe(undefined)
    put('a/kernel/node_modules/tslab')
    put('b/node_modules/tslab')
    expect(from('a/notebooks/deep')).toBe('a/kernel/node_modules/tslab')
    expect(from('b')).toBe('b/node_modules/tslab')
    expect(from('c', 'b')).toBe('b/node_modules/tslab')
    put('a/notebooks/node_modules/tslab')
    expect(from('a/notebooks/deep', 'b')).toBe('a/notebooks/node_modules/tslab')
  })
})
