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
const own = before.split(generatedMark)[0].split('\n_CHINESE = ')[0].trimEnd()

/** The Chinese of what the client says itself. */
const chinese = JSON.parse(readFileSync('src/contract/locale/zh.json', 'utf8'))
const said = [...own.matchAll(/_say\(\s*("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text))
const texts = said.map((text) => `    ${JSON.stringify(text)}: ${JSON.stringify(chinese[text])},\n`)
const now = `${own}\n\n\n_CHINESE = {\n${texts.join('')}}\n\n\n${pythonFunctions()}`
if (now !== before) writeFileSync(file, now)
remember('python', [file, 'src/contract/locale/zh.json', ...Object.keys(metafile.inputs)])
