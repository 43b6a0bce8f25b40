/* Builds dist/modules: the modules of the package as they are, for the benches. */
import { rmSync } from 'node:fs'
import { build } from 'esbuild'
import { inputsOf, remember } from './stamps.mjs'

rmSync('dist/modules', { recursive: true, force: true })
const entryPoints = inputsOf('package').files.filter((path) => path.startsWith('src/'))
await build({
  entryPoints,
  outbase: 'src',
  outdir: 'dist/modules',
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  format: 'esm',
  logLevel: 'warning',
})
remember('modules', entryPoints)
