/*
 * Builds the declarations of the package: what tsc writes once, of what the public names reach. The types are checked by `npm run types`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

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
