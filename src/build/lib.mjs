/*
 * Builds dist/lib: the parts of two large packages that Quotebook uses, so that its users install 6 MB and not 82.
 *
 *   echarts 6        62 MB, of which charts on a grid, drawn as SVG, are wanted (report/echarts.ts says which)
 *   parquet-wasm     15 MB, three builds of one codec, of which Node needs one
 *
 * Both are unmodified; their licences stand beside them. The same sources give the same bytes.
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { licencesOf, packagesOf } from './licences.mjs'

await mkdir('dist/lib', { recursive: true })

const { metafile } = await build({
  entryPoints: ['src/report/echarts.ts'],
  outfile: 'dist/lib/echarts.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  banner: { js: '/* echarts and zrender, in part. Licences: LICENCES.txt. */' },
  metafile: true,
  logLevel: 'warning',
})

for (const file of ['parquet_wasm.js', 'parquet_wasm_bg.wasm'])
  await copyFile(`node_modules/parquet-wasm/node/${file}`, `dist/lib/${file.replace('wasm.js', 'wasm.cjs')}`)

await writeFile('dist/lib/LICENCES.txt', await licencesOf([...packagesOf(metafile.inputs), 'parquet-wasm'].sort()))
