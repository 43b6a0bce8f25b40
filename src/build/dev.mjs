/* The command from the sources, without a build: `npm run dev -- query st`. Only dist/danfo and dist/lib are as they were built. */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import './commands.mjs'

const file = resolve('dist/.dev/quotebook.cjs')
await build({
  entryPoints: ['src/cli/main.ts'],
  outfile: file,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['#*', '@duckdb/*', '@resvg/*', 'saxes', 'tslab'],
  sourcemap: 'inline',
  logLevel: 'warning',
})
process.setSourceMapsEnabled(true)
createRequire(import.meta.url)(file)
