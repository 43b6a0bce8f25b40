/*
 * Makes dist/cjs a CommonJS package scope. Such a scope does not see the `imports` of the package around it, and may
 * name no file outside itself, so every name that the sources use gets a file of one line there.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const { imports } = JSON.parse(readFileSync('package.json', 'utf8'))
const outside = Object.fromEntries(
  Object.entries(imports)
    .filter(([name]) => name !== '#root' && name !== '#import-module')
    .map(([name, file]) => [name.slice(1), (file.default ?? file).replace('./dist/', '../')]),
)
const names = ['root', 'import-module', ...Object.keys(outside)]
const files = {
  'package.json': JSON.stringify({
    type: 'commonjs',
    imports: Object.fromEntries(names.map((name) => [`#${name}`, `./${name}.cjs`])),
  }),
  'root.cjs': "module.exports = require('node:path').resolve(__dirname, '../..')",
  'import-module.cjs': "module.exports = require('../../src/import-module.cjs')",
  ...Object.fromEntries(
    Object.entries(outside).map(([name, path]) => [`${name}.cjs`, `module.exports = require('${path}')`]),
  ),
}
for (const [name, text] of Object.entries(files)) writeFileSync(`dist/cjs/${name}`, `${text}\n`)
