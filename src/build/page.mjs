/*
 * Builds dist/lib/page: the test page of the service, from src/server/service/page. Scripts are bundled from client/ (the chart
 * and its library apart, read only when a chart is opened), the rest is copied. The same sources give the same bytes.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { licencesOf, packagesOf } from './licences.mjs'
import { buildWithWords, wordsFile } from './own-words.mjs'
import { filesBelow, remember } from './stamps.mjs'

const out = process.argv[2] ?? 'dist/lib/page'
const fixed = 'src/server/service/page/static'

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

const { metafile } = await buildWithWords({
  entryPoints: ['src/server/service/page/client/app.ts'],
  outdir: out,
  bundle: true,
  splitting: true,
  alias: { '#pinyin': './src/data/names/pinyin-library.ts' },
  chunkNames: '[name]-[hash]',
  platform: 'browser',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  format: 'esm',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

const inputs = Object.keys(metafile.inputs)
for (const name of await readdir(fixed)) await copyFile(`${fixed}/${name}`, `${out}/${name}`)
const palette = await build({ entryPoints: ['src/research/report/palette.ts'], format: 'esm', write: false })
const { chosenPalette } = await import(`data:text/javascript,${encodeURIComponent(palette.outputFiles[0].text)}`)
await writeFile(`${out}/style.css`, chosenPalette + (await readFile(`${fixed}/style.css`, 'utf8')))
await writeFile(`${out}/LICENCES.txt`, await licencesOf(packagesOf(inputs)))
if (!process.argv[2]) remember('page', [...inputs, wordsFile, 'src/research/report/palette.ts', ...filesBelow([fixed])])
