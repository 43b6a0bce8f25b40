/*
 * Joins the modules of dist/esm into one file. Node takes some 0.4 ms to find and open each module, and there are two
 * hundred. Declarations stay as tsc wrote them.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

for (const name of await readdir('dist/esm', { recursive: true }))
  if (name.endsWith('.js')) await rm(join('dist/esm', name))
// Only the command knows the door for agents, and its declarations name a library that is bundled.
await rm('dist/esm/mcp', { recursive: true, force: true })

await build({
  entryPoints: ['src/index.ts'],
  outdir: 'dist/esm',
  bundle: true,
  packages: 'external',
  external: ['#*'],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  charset: 'utf8',
  logLevel: 'warning',
})
