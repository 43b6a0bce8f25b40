/*
 * Builds dist/danfo/danfo.cjs: danfojs-node 1.2.0, its own code repaired by the files in repair/, as one file without
 * dependencies.
 *
 * Why a bundle. Installed the ordinary way, danfojs-node brings TensorFlow (a native library fetched at install time),
 * mathjs, request and a spreadsheet reader from outside the npm registry: about 340 MB and a second of loading.
 *
 * Why a private copy. Stock danfo gives wrong numbers without a word: query() returns other rows than were asked for once
 * a frame is sorted, null counts as 0, groups and joins mix up keys, '000001' is a number. repair/ has one file for each
 * family of these; its header says what stock danfo does and what happens now. The repairs are methods put on the
 * prototypes of the classes in this bundle, and functions in the place of danfo's. A danfojs-node that someone has
 * installed is not touched.
 *
 * What is left out. Only `danfojs-base` is bundled. Of it, frames and Series are what Quotebook hands out; `merge`, `concat`,
 * encoders, scalers and the readers and writers of files are not. Nothing computes by @tensorflow/tfjs-node (32-bit floats,
 * where 12345678901.23 + 0 is 12345678848), mathjs or table (a printer, half of the time that danfo takes to load): empty
 * modules are in their places. plotly.js-dist-min stays outside: it is asked for in browsers only.
 *
 * What package.json has to do with it. `overrides` puts an empty package in the place of the heavy dependencies, so
 * that installing this repository downloads none of them; `#danfo` under `imports` is how src/ and both builds find
 * this file. Users of the package get the bundle and install nothing of danfo's.
 *
 * The same sources give the same bytes. Run: node src/frame/danfo/bundle.mjs. Benchmarks also build danfo
 * as it was: bundle({ repairs: false, outfile }).
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licencesOf, packagesOf } from '../../build/licences.mjs'
import { remember } from '../../build/stamps.mjs'

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
danfojs-node 1.2.0 (its danfojs-base part), repaired by quotebook. Licences of what else is inside: LICENCES.txt.

${danfoLicence}
*/`

/** What nothing here computes or prints by; danfo asks whether it was given a tensor. */
const leftOut = {
  name: 'left-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(table|mathjs|@tensorflow\/tfjs-node)$/ }, () => ({ path: 'none', namespace: 'none' }))
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'exports.Tensor = class {}' }))
  },
}

/**
 * Bundles danfo into a file and gives its sources by path. Without repairs it is danfo's own code, for benchmarks.
 */
export async function bundle({ repairs = true, outfile }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [repairs ? join(here, 'entry.ts') : 'node_modules/danfojs-node/dist/danfojs-base/index.js'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'ascii',
    legalComments: 'inline',
    external: ['plotly.js-dist-min'],
    banner: { js: banner },
    metafile: true,
    logLevel: 'warning',
    plugins: [leftOut],
  })
  return metafile.inputs
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(out, { recursive: true })
  const inputs = await bundle({ outfile: join(out, 'danfo.cjs') })
  const licences = await licencesOf(packagesOf(Object.keys(inputs)), { 'danfojs-node': danfoLicence })
  await writeFile(join(out, 'LICENCES.txt'), licences)
  remember('danfo', [...Object.keys(inputs), 'src/frame/danfo/declarations.mjs'])
}
