/*
 * Builds dist/lib: the bundles of lib-bundles.mjs whose sources have changed, and the codec of Parquet. Their licences stand beside
 * them. The same sources give the same bytes.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildCodec } from './codec.mjs'
import { bundles } from './lib-bundles.mjs'
import { licencesOf, packagesOf } from './licences.mjs'
import { buildWithWords, wordsFile } from './own-words.mjs'
import { inputsOf, isBuilt, remember } from './stamps.mjs'

await mkdir('dist/lib', { recursive: true })

/** Four MB of which most is wasm as text: kept compressed, and compiled in the place of the file that unpacks it. */
async function pack({ contents }) {
  await writeFile('dist/lib/strip-types.cjs.br', brotliCompressSync(contents))
  await writeFile(
    'dist/lib/strip-types.cjs',
    `/* amaro, which is swc. Licences: LICENCES.txt. */
const text = require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(__filename + '.br'))
module._compile(String(text), __filename)
0 && (module.exports = { load })
`,
  )
}

async function bundle(name, { from, has, banner = has && `${has}. Licences: LICENCES.txt.`, isPacked, ...own }) {
  // A script of a page can not read the file of all Chinese.
  const isOfPage = own.platform === 'browser'
  const { metafile, outputFiles } = await (isOfPage ? buildWithWords : build)({
    outdir: 'dist/lib',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    entryPoints: { [name]: from },
    write: !isPacked,
    ...(banner && { banner: { js: `/* ${banner} */` } }),
    ...own,
  })
  if (isPacked) await pack(outputFiles[0])
  remember(`lib-${name}`, [...Object.keys(metafile.inputs), ...(isOfPage ? [wordsFile] : [])])
}

const names = Object.keys(bundles)
for (const name of names) if (!isBuilt(`lib-${name}`)) await bundle(name, bundles[name])
if (!isBuilt('lib-codec')) {
  await buildCodec()
  remember('lib-codec', [])
}
const inputs = names.flatMap((name) => inputsOf(`lib-${name}`)?.files ?? [])
await writeFile('dist/lib/LICENCES.txt', await licencesOf([...packagesOf(inputs), 'parquet-wasm'].sort()))
