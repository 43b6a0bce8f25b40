import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import root from '#root'
import type { Language } from '../../contract/language.js'
import { version } from '../../contract/version.js'
import { cellTexts, inChineseWords } from './translate-notebook.js'

const own = join(root, 'notebooks')
const text = (...path: readonly string[]): string => readFileSync(join(own, ...path), 'utf8')
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Folder of a research folder in which tslab is installed: where the user's own tools are it would replace `tsc` by its TypeScript 5.0. */
const kernelFolder = 'kernel'

/** What runs the notebooks as the repository itself installs it, without the library. */
function kernelFiles(): Readonly<Record<string, string>> {
  const { dependencies, overrides } = JSON.parse(text('package.json'))
  const lock = JSON.parse(text('package-lock.json'))
  const { quotebook: _, ...needs } = dependencies
  const name = 'notebook-kernel'
  const { '': __, 'node_modules/quotebook': ___, quotebook: ____, ...packages } = lock.packages
  const about = 'tslab, which runs the notebooks, and its TypeScript 5.0: apart from your own tools.'
  return {
    'package.json': json({ name, private: true, description: about, dependencies: needs, overrides }),
    'package-lock.json': json({ ...lock, name, packages: { '': { name, dependencies: needs }, ...packages } }),
    '.npmrc': 'ignore-scripts=true\nsave-exact=true\n',
  }
}

/** Name of the package that a research folder keeps. */
export const packageFile = `quotebook-${version}.tgz`

function packageJson(): string {
  const { devDependencies: known } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const at = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, known[name]]))
  return json({
    name: 'research',
    private: true,
    type: 'module',
    scripts: {
      postinstall: `npm ci --prefix ${kernelFolder} --no-audit --no-fund`,
      notebooks: 'quotebook notebook run --out reports/notebooks',
      check: 'tsc',
    },
    // The notebook of auction ticks asks in SQL.
    dependencies: { ...at(['@duckdb/node-api']), quotebook: `file:${packageFile}` },
    devDependencies: at(['@types/node', 'typescript']),
  })
}

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023'],
    types: ['node'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    allowJs: true,
    noEmit: true,
  },
  include: ['**/*.ts', '**/*.mjs'],
  exclude: ['node_modules', kernelFolder, 'reports'],
}

/** Outputs and keys stay on this machine. */
const gitignore = `node_modules/
reports/
.ipynb_checkpoints/
*.tsbuildinfo

# keys
.env
.env.*
*.key
*.keys
keys.json
`

function kernelText(language: Language): string {
  const { env, ...spec } = JSON.parse(text('.jupyter/kernels/quotebook/kernel.json'))
  return json({ ...spec, env: { ...env, QUOTEBOOK_LANG: language } })
}

function notebookText(folder: string, name: string, language: Language): string {
  const notebook = text(folder, name)
  if (language === 'en') return notebook
  const texts = cellTexts(text('zh', `${basename(name, '.ipynb')}.md`))
  return `${JSON.stringify(inChineseWords(JSON.parse(notebook), texts), null, 1)}\n`
}

/** What a research folder begins with, text by path. */
export function researchFiles(language: Language): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    'package.json': packageJson(),
    'tsconfig.json': json(tsconfig),
    '.gitignore': gitignore,
    '.jupyter/kernels/quotebook/kernel.json': kernelText(language),
  }
  for (const [name, content] of Object.entries(kernelFiles())) files[`${kernelFolder}/${name}`] = content
  for (const name of readdirSync(join(own, 'strategies')).sort()) files[`strategies/${name}`] = text('strategies', name)
  for (const folder of ['.', 'start'])
    for (const name of readdirSync(join(own, folder)).sort())
      if (name.endsWith('.ipynb')) files[`notebooks/${name}`] = notebookText(folder, name, language)
  return files
}
