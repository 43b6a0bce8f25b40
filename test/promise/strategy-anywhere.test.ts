import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { quotebook } from './helper/command.js'
import { folder, removeFolders } from './helper/files.js'
import { eveningOf, paperDays } from './helper/paper.js'

/** A strategy's file outside any project imports the package that runs it. */

removeFolders()
const dir = folder()
const strategy = `{
  data: { dataset: 'convertible_daily' },
  make: ({ n = 5 }) => ({ score: (bond) => priceOf(bond), pick: { n, side: 'lowest' }, when: { weekly: 1 } }),
}`
const help = "import { numbers } from 'quotebook'\nexport const priceOf = (bond) => (numbers ? bond.close : NaN)\n"
const asModule = `import { defineStrategy } from 'quotebook'
import { priceOf } from './lib/help.mjs'
export default defineStrategy(${strategy})
`
const sources = {
  'low.mjs': asModule,
  'low.js': asModule,
  'low.ts': asModule.replace('({ n = 5 })', '({ n = 5 }: { n?: number })'),
  'low.cjs': `const { defineStrategy } = require('quotebook')
const { priceOf } = require('./lib/help.cjs')
module.exports = defineStrategy(${strategy})
`,
}
const figuresOf = (file: string, ...words: string[]) => {
  const { code, out, err } = quotebook(['backtest', file, '--from', '20260601', '--benchmark', 'none', ...words], {
    cwd: dir,
  })
  return { code, err, equity: /^equity +(.*)$/m.exec(out)?.[1] }
}

/** What the same strategy gives that imports nothing. */
let expected: string | undefined

beforeAll(() => {
  mkdirSync(join(dir, 'lib'))
  writeFileSync(join(dir, 'lib', 'help.mjs'), help)
  writeFileSync(
    join(dir, 'lib', 'help.cjs'),
    help.replace(/import (.*) from (.*)/, 'const $1 = require($2)').replace('export const priceOf', 'exports.priceOf'),
  )
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(dir, name), text)
  writeFileSync(join(dir, 'bare.mjs'), `const priceOf = (bond) => bond.close\nexport default ${strategy}\n`)
  expected = figuresOf('bare.mjs').equity
  expect(expected).toMatch(/^1000000 -> 9\d+/)
})

describe('quotebook is found from a folder that has no package of that name', () => {
  test.each(Object.keys(sources))('by a backtest of %s, and by what it imports', (name) => {
    expect(figuresOf(name)).toMatchObject({ code: 0, equity: expected })
  })

  test('by the threads of a sweep', () => {
    expect(figuresOf('low.ts', '--sweep', 'n=5', '--threads', '2')).toMatchObject({ code: 0, equity: expected })
  })

  test('by a plan, a paper account and a factor study', () => {
    const file = join(dir, 'low.ts')
    expect(quotebook(['plan', file, '--day', '20260729', '--cash', '300000']).code).toBe(0)
    const account = join(dir, 'paper')
    expect(eveningOf(file)(account, '20260729').code).toBe(0)
    expect(paperDays(account)).toHaveLength(1)
    const studied = quotebook(['factor', file, '--from', '20260601', '--param', 'n=3'])
    expect(studied).toMatchObject({ code: 0, out: expect.stringMatching(/^turnover_top/m) })
  })
})

test('the package of that name that a project has installed is the one that its files get', () => {
  const project = folder()
  const installed = join(project, 'node_modules', 'quotebook')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{ "name": "quotebook", "type": "module", "exports": "./own.js" }')
  writeFileSync(join(installed, 'own.js'), "export const defineStrategy = (file) => ({ ...file, title: 'its own' })")
  writeFileSync(
    join(project, 'low.mjs'),
    asModule.replace(/import .* from '.\/lib.*/, 'const priceOf = (b) => b.close'),
  )
  const ran = quotebook(['backtest', 'low.mjs', '--from', '20260601', '--out', 'made'], { cwd: project })
  expect(ran.code).toBe(0)
  expect(readFileSync(join(project, 'made', 'tear-sheet.html'), 'utf8')).toContain('<title>its own</title>')
})

test('another package that is not there is named', () => {
  writeFileSync(join(dir, 'other.mjs'), `import 'quotebok'\n${asModule}`)
  expect(figuresOf('other.mjs')).toMatchObject({ code: 2, err: expect.stringContaining("package 'quotebok'") })
})
