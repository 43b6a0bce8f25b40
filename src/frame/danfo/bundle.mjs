/*
 * Builds dist/danfo/danfo.cjs: danfojs-node 1.2.0, its own code unmodified, as one file without dependencies.
 *
 * Why a bundle. Installed the ordinary way, danfojs-node brings TensorFlow (a native library fetched at install time),
 * mathjs, request and a spreadsheet reader from outside the npm registry: about 340 MB and a second of loading, for
 * data frames that need five statistical functions and some arithmetic on matrices.
 *
 * What is left out. Only `danfojs-base` is bundled: DataFrame, Series, groupby, merge, strings, dates, scalers and
 * encoders. The readers and writers of files (CSV, JSON, Excel, HTTP) are not.
 *
 * What is replaced.
 *   @tensorflow/tfjs-node → tensor64.ts     in double precision. The original computes frames in 32-bit floats, where
 *                                           12345678901.23 + 0 is 12345678848, and takes a missing value for 0.
 *   mathjs                → statistics.ts   mean, std, variance, median and mode that skip missing values.
 *   plotly.js-dist-min    stays outside: it is asked for in browsers only.
 *
 * What package.json has to do with it. `overrides` puts an empty package in the place of the heavy dependencies, so
 * that installing this repository downloads none of them; `#danfo` under `imports` is how src/ and both builds find
 * this file. Users of the package get the bundle and install nothing of danfo's.
 *
 * The same sources give the same bytes. Run: node src/frame/danfo/bundle.mjs
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../../..')
const out = join(root, 'dist/danfo')

/** The package on npm carries no licence file; this is the one of its repository, github.com/javascriptdata/danfojs. */
const danfoLicence = `MIT License

Copyright (c) [2020] [danfo.js]

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

const banner = `/*
danfojs-node 1.2.0 (its danfojs-base part, unmodified), with a tensor library in double precision and statistics that
skip missing values in the places of @tensorflow/tfjs-node and mathjs. Licences of what else is inside: LICENCES.txt.

${danfoLicence}
*/`

/** The packages whose files went into the bundle, by name. */
function packagesOf(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(names)].sort()
}

async function licenceOf(name) {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).sort().find((entry) => /^licen[cs]e(-MIT)?(\.(md|txt))?$/i.test(entry))
  if (!file && name !== 'danfojs-node') throw new Error(`${name} has no licence file`)
  const text = file ? await readFile(join(folder, file), 'utf8') : danfoLicence
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(here, 'entry.ts')],
  outfile: join(out, 'danfo.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'utf8',
  legalComments: 'inline',
  alias: { '@tensorflow/tfjs-node': join(here, 'tensor64.ts'), mathjs: join(here, 'statistics.ts') },
  external: ['plotly.js-dist-min'],
  banner: { js: banner },
  metafile: true,
  logLevel: 'warning',
})

await mkdir(out, { recursive: true })
const licences = await Promise.all(packagesOf(Object.keys(metafile.inputs)).map(licenceOf))
await writeFile(join(out, 'LICENCES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`))
