/*
 * Builds what `import` and `require` of the package find: dist/esm and dist/cjs, each one file (Node takes some 0.4 ms to find
 * and open a module, and there are hundreds). What the sources import is in it, but for the bundles in dist/lib, and for
 * apache-arrow, whose tables users make with their own copy.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { lateModule } from './late-module.mjs'
import { licencesOf, packagesOf } from './licences.mjs'
import { remember } from './stamps.mjs'

/** A module that is required in the place of an import, at once or when something of it is used first. */
function required(name, filter, contents) {
  return {
    name,
    setup(one) {
      one.onResolve({ filter, namespace: 'file' }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: name } : undefined,
      )
      one.onResolve({ filter, namespace: name }, ({ path }) => ({ path, external: true }))
      one.onLoad({ filter: /.*/, namespace: name }, ({ path }) => ({ contents: contents(path) }))
    },
  }
}

/** Node does not search what is required for its exports, which takes longer than to load it. */
const atOnce = required('at once', /^#/, (path) => `module.exports = require('${path}')`)
/** Arrow is loaded when it is used first: `require` can, `import` can not. */
const whenUsed = required('when used', /^apache-arrow$/, (path) => lateModule(namesOfArrow, `require('${path}')`))
const namesOfArrow = Object.keys(await import('apache-arrow'))

const whole = {
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  logLevel: 'warning',
  entryPoints: ['src/index.ts'],
  bundle: true,
  supported: { 'dynamic-import': false },
  external: ['#*', 'apache-arrow', '@duckdb/*', '@resvg/*', 'saxes'],
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none',
  metafile: true,
}
const { metafile } = await build({
  ...whole,
  outdir: 'dist/esm',
  format: 'esm',
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  plugins: [atOnce],
})
await build({ ...whole, outdir: 'dist/cjs', format: 'cjs', plugins: [whenUsed] })
const inputs = Object.keys(metafile.inputs)
writeFileSync('dist/esm/LICENCES.txt', await licencesOf(packagesOf(inputs)))

/*
 * dist/cjs is a CommonJS package scope. Such a scope does not see the `imports` of the package around it, and may name no file
 * outside itself, so every name that the sources use gets a file of one line there.
 */
const { imports } = JSON.parse(readFileSync('package.json', 'utf8'))
const outside = Object.fromEntries(
  Object.entries(imports)
    .filter(([name]) => !['#root', '#import-module', '#locale'].includes(name))
    .map(([name, path]) => [name.slice(1), (path.default ?? path).replace('./dist/', '../')]),
)
const names = ['root', 'import-module', 'locale', ...Object.keys(outside)]
const scope = {
  'package.json': JSON.stringify({
    type: 'commonjs',
    imports: Object.fromEntries(names.map((name) => [`#${name}`, `./${name}.cjs`])),
  }),
  'root.cjs': "module.exports = require('node:path').resolve(__dirname, '../..')",
  'import-module.cjs': "module.exports = require('../../src/import-module.cjs')",
  'locale.cjs': "module.exports = require('../../src/locale.cjs')",
  ...Object.fromEntries(
    Object.entries(outside).map(([name, path]) => [`${name}.cjs`, `module.exports = require('${path}')`]),
  ),
}
for (const [name, text] of Object.entries(scope)) writeFileSync(`dist/cjs/${name}`, `${text}\n`)
remember('package', inputs)
