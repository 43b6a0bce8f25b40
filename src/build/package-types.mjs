/*
 * Builds the declarations of the package: what tsc writes once, of what the public names reach. The types are checked by `npm run types`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { withLoaders, withMeanings } from './document-types.mjs'

mkdirSync('dist/cjs', { recursive: true })
mkdirSync('dist/esm', { recursive: true })
for (const entry of readdirSync('dist/cjs', { withFileTypes: true }))
  if (entry.isDirectory()) rmSync(`dist/cjs/${entry.name}`, { recursive: true })

const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck', '--emitDeclarationOnly']
execFileSync(process.execPath, [...tsc, '--outDir', 'dist/cjs'], { stdio: 'inherit' })
for (const name of ['danfo-types', 'danfo-classes']) {
  const path = `dist/cjs/frame/${name}.d.ts`
  const text = readFileSync(path, 'utf8')
  if (!text.includes("'#danfo'")) throw new Error(`${path} does not import #danfo`)
  writeFileSync(path, text.replaceAll("'#danfo'", "'../../danfo/types/index.js'"))
}
writeFileSync('dist/esm/index.d.ts', "export * from '../cjs/index.js'\n")

// Arrays and buffers have a type param since TypeScript 5.7; the kernel's TypeScript 5.0 reads them without.
for (const name of readdirSync('dist/cjs', { recursive: true }).filter((path) => path.endsWith('.d.ts'))) {
  const path = `dist/cjs/${name}`
  const text = readFileSync(path, 'utf8')
  const plain = text.replace(/\b(\w+Array|Buffer)<ArrayBuffer(?:Like)?>/g, '$1')
  if (plain !== text) writeFileSync(path, plain)
}

const catalogue = 'dist/cjs/contract/catalogue'
const datasets = readdirSync(catalogue).map((name) => `${catalogue}/${name}`)
const texts = datasets.map((path) => readFileSync(path, 'utf8'))
for (const path of [...datasets, `${catalogue}.d.ts`]) writeFileSync(path, withMeanings(readFileSync(path, 'utf8')))
const market = 'dist/cjs/market.d.ts'
writeFileSync(market, withLoaders(readFileSync(market, 'utf8'), texts))
