/*
 * Builds dist/cli: the command with all that it needs in one file, so that it starts fast. It is CommonJS because Node finds,
 * reads and compiles a module of that kind in half the time, and does not search the modules that it imports for their exports.
 * What is imported while the program runs is required then. Left out is what has files of its own (the bundles in dist, the
 * sample), or is seldom wanted. Of apache-arrow there is one copy, this one. Licences stand beside it.
 */
import { chmod, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { licencesOf, packagesOf } from './licences.mjs'

const namesOfDanfo = Object.keys(createRequire(import.meta.url)('../../dist/danfo/danfo.cjs'))

/** danfo is loaded when a frame is made: until then nothing is one, and few commands make any. */
const lateDanfo = {
  name: 'danfo when it is needed',
  setup(one) {
    one.onResolve({ filter: /^#danfo$/, namespace: 'file' }, () => ({ path: 'danfo', namespace: 'late' }))
    one.onLoad({ filter: /^danfo$/, namespace: 'late' }, () => ({
      contents: `
let own
const load = () => (own ??= require('#danfo'))
for (const name of ${JSON.stringify(namesOfDanfo)})
  Object.defineProperty(exports, name, { configurable: true, enumerable: true, get: () => load()[name] })
for (const name of ['DataFrame', 'Series']) {
  const value = new Proxy(class {}, {
    construct: (_, given) => new (load()[name])(...given),
    get: (_, key) =>
      key === Symbol.hasInstance ? (one) => own !== undefined && one instanceof own[name] : load()[name][key],
  })
  Object.defineProperty(exports, name, { enumerable: true, value })
}`,
    }))
  },
}

const { metafile } = await build({
  entryPoints: { quotebook: 'src/cli/main.ts' },
  outdir: 'dist/cli',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  external: ['#*', '@clickhouse/*', '@duckdb/*', '@resvg/*', 'prom-client', 'saxes', 'tslab', 'undici'],
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  plugins: [lateDanfo],
  supported: { 'dynamic-import': false },
  // Half as much to read and to scan: bytes of ASCII, without blanks. Names stay, for whoever reads a stack.
  charset: 'ascii',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

await chmod('dist/cli/quotebook.cjs', 0o755)
await writeFile('dist/cli/LICENCES.txt', await licencesOf(packagesOf(metafile.inputs)))
