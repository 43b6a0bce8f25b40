import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.js'
import { datasets } from '../../src/contract/catalogue.js'
import { generatedMark, pythonFunctions } from '../../src/server/service/whole/python-functions.js'
import { rulesPage } from '../helper/rules-pages.js'

test('what the build makes of the sources is as they are: npm run build makes it again', () => {
  const [, functions] = readFileSync('clients/python/quotebook.py', 'utf8').split(generatedMark)
  expect(`${generatedMark}${functions}`).toBe(pythonFunctions())
  const texts = readdirSync('src/cli/command').map((name) => readFileSync(`src/cli/command/${name}`, 'utf8'))
  const declared = texts.flatMap((text) => text.match(/^export (?:const|function) \w+Command\b/gm) ?? [])
  expect(commands.length).toBe(declared.length)
})

test('every file of the catalogue is in its list', () => {
  const files = readdirSync('src/contract/catalogue').map((name) => name.replace(/\.ts$/, '').replaceAll('-', '_'))
  expect(files.sort()).toEqual(datasets.map(({ name }) => name).sort())
})

test('the pages of trading rules are what the tables of rules say: npm run accept makes them again', async () => {
  await expect(rulesPage(0)).toMatchFileSnapshot('../../docs/guide/trading-rules.md')
  await expect(rulesPage(1)).toMatchFileSnapshot('../../docs/guide/trading-rules.zh-CN.md')
})
