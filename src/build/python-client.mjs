/* Writes the functions of clients/python/quotebook.py anew from the catalogue, where they are not as it has them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { remember } from './stamps.mjs'

const file = 'clients/python/quotebook.py'
const { outputFiles, metafile } = await build({
  entryPoints: ['src/server/service/whole/python-functions.ts'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
  metafile: true,
})
const code = Buffer.from(outputFiles[0].contents).toString('base64')
const { generatedMark, pythonFunctions } = await import(`data:text/javascript;base64,${code}`)
const before = readFileSync(file, 'utf8')
const now = `${before.split(generatedMark)[0].trimEnd()}\n\n\n${pythonFunctions()}`
if (now !== before) writeFileSync(file, now)
remember('python', [file, ...Object.keys(metafile.inputs)])
