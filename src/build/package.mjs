/*
 * Builds what `import` and `require` of the package find: dist/esm, all modules in one file (Node takes some 0.4 ms to find and
 * open each, and there are hundreds), and dist/cjs, file by file. The declarations of both are what tsc writes once, of what
 * the public names reach; the types are checked by `npm run types`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

for (const name of ['esm', 'cjs']) rmSync(`dist/${name}`, { recursive: true, force: true })

const file = { platform: 'node', target: 'node20', charset: 'utf8', logLevel: 'warning' }
const { metafile } = await build({
  ...file,
  entryPoints: ['src/index.ts'],
  outdir: 'dist/esm',
  bundle: true,
  packages: 'external',
  external: ['#*'],
  format: 'esm',
  metafile: true,
})
await build({
  ...file,
  entryPoints: Object.keys(metafile.inputs),
  outbase: 'src',
  outdir: 'dist/cjs',
  format: 'cjs',
  supported: { 'dynamic-import': false },
})

const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck', '--emitDeclarationOnly']
execFileSync(process.execPath, [...tsc, '--outDir', 'dist/esm'], { stdio: 'inherit' })
for (const name of ['danfo-types', 'danfo-classes']) {
  const path = `dist/esm/frame/${name}.d.ts`
  const text = readFileSync(path, 'utf8')
  if (!text.includes("'#danfo'")) throw new Error(`${path} does not import #danfo`)
  writeFileSync(path, text.replaceAll("'#danfo'", "'../../danfo/types/index.js'"))
}
cpSync('dist/esm', 'dist/cjs', { recursive: true, filter: (path) => !path.endsWith('.js') })

/*
 * dist/cjs is a CommonJS package scope. Such a scope does not see the `imports` of the package around it, and may name no
 * file outside itself, so every name that the sources use gets a file of one line there.
 */
const { imports } = JSON.parse(readFileSync('package.json', 'utf8'))
const outside = Object.fromEntries(
  Object.entries(imports)
    .filter(([name]) => name !== '#root' && name !== '#import-module')
    .map(([name, path]) => [name.slice(1), (path.default ?? path).replace('./dist/', '../')]),
)
const names = ['root', 'import-module', ...Object.keys(outside)]
const scope = {
  'package.json': JSON.stringify({
    type: 'commonjs',
    imports: Object.fromEntries(names.map((name) => [`#${name}`, `./${name}.cjs`])),
  }),
  'root.cjs': "module.exports = require('node:path').resolve(__dirname, '../..')",
  'import-module.cjs': "module.exports = require('../../src/import-module.cjs')",
  ...Object.fromEntries(
    Object.entries(outside).map(([name, path]) => [`${name}.cjs`, `module.exports = require('${path}')`]),
  ),
}
mkdirSync('dist/cjs', { recursive: true })
for (const [name, text] of Object.entries(scope)) writeFileSync(`dist/cjs/${name}`, `${text}\n`)
