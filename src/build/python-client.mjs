/* Writes the functions of clients/python/quotebook.py anew from the catalogue: `node src/build/python-client.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const file = 'clients/python/quotebook.py'
const source = 'src/server/service/whole/python-functions.ts'
const { outputFiles } = await build({
  entryPoints: [source],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
})
const code = Buffer.from(outputFiles[0].contents).toString('base64')
const { generatedMark, pythonFunctions } = await import(`data:text/javascript;base64,${code}`)
const [head] = readFileSync(file, 'utf8').split(generatedMark)
writeFileSync(file, `${head.trimEnd()}\n\n\n${pythonFunctions()}`)
