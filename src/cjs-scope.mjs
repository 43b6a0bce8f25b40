/*
 * Makes dist/cjs a CommonJS package scope. Such a scope does not see the `imports` of the package around it, and may
 * name no file outside itself, so both names that the sources use get a file of one line there.
 */
import { writeFileSync } from 'node:fs'

const files = {
  'package.json': JSON.stringify({ type: 'commonjs', imports: { '#root': './root.cjs', '#danfo': './danfo.cjs' } }),
  'root.cjs': "module.exports = require('node:path').resolve(__dirname, '../..')",
  'danfo.cjs': "module.exports = require('../danfo/danfo.cjs')",
}
for (const [name, text] of Object.entries(files)) writeFileSync(`dist/cjs/${name}`, `${text}\n`)
