/**
 * The kernel that Jupyter and VS Code start, in the folder of the notebook: `node notebook-kernel.cjs CONNECTION_FILE [FOLDER]`.
 * tslab is the one that is installed for the notebook, or else for FOLDER.
 */

import { readFileSync } from 'node:fs'
import { sayIn } from '../../../contract/say.js'
import { languageOf } from '../../asked-language.js'
import { findKernel, noKernel } from '../find-kernel.js'
import { JupyterServer } from './jupyter-server.js'
import { prepareImports } from './own-package.js'
import { tslabOf } from './tslab.js'

// Required by `node -e`, it has no file of its own among the words.
const [configPath = '', folder] = process.argv.slice(require.main === module ? 2 : 1)
const here = process.cwd()
const found = findKernel([here, ...(folder === undefined ? [] : [folder])])
if (found === undefined) {
  process.stderr.write(`quotebook: ${noKernel(here).message}\n`)
  process.exit(1)
}
const tslab = tslabOf(found)
const say = sayIn(languageOf([], process.env))
let server: JupyterServer | undefined
prepareImports(here, tslab, process.env, (load) => (server ? server.protect(load) : load()))
server = new JupyterServer(tslab, here, JSON.parse(readFileSync(configPath, 'utf8')), say)
void server.start()
