import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chinaRules } from 'quotebook'
import { expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { removeFolders } from './helper/files.js'
import { paperCash, strategyFolder } from './helper/paper.js'
import { marketOf, rowsOf } from './helper/prices.js'

removeFolders()

type Limit = (typeof chinaRules.limits)[number]
const bonds = chinaRules.limits.find(({ boards }) => boards.includes('convertible bond')) as Limit
const limits = (...rows: readonly Limit[]) => [...chinaRules.limits.filter((row) => row !== bonds), ...rows]
const changed = {
  'another year, other words': limits(
    { ...bonds, until: '20270101', source: 'as the exchange has it' },
    { ...bonds, from: '20270101', percent: 10, source: 'a later notice' },
  ),
  'another limit then': limits({ ...bonds, percent: 19 }),
}

/** A strategy that reads its table of limits, so that its own text stays the same, and a page of it. */
function account() {
  const { dir, file } = strategyFolder()
  const table = join(dir, 'limits.json')
  const source = (rules: string) => `import { readFileSync } from 'node:fs'
import { chinaRules, loadPanel } from '${process.cwd()}/dist/esm/index.js'
export default async ({ market, from, to }) => {
  const { panel } = await loadPanel(market, { dataset: 'convertible_daily' }, { from, to })
  const strategy = { score: (bond) => bond.close, pick: { n: 5, side: 'lowest' } }
  return { panel: panel.withColumns(panel.cols, { rules: ${rules} }), strategy }
}
`
  const set = (rows: readonly Limit[]) => writeFileSync(table, JSON.stringify(rows))
  set(chinaRules.limits)
  writeFileSync(file, source(`{ ...chinaRules, limits: JSON.parse(readFileSync(${JSON.stringify(table)}, 'utf8')) }`))
  const page = async () => {
    const out = join(dir, 'page')
    const words = ['--from', '20260720', '--to', '20260724', ...paperCash]
    expect((await here('backtest', file, ...words, '--out', out)).code).toBe(0)
    return join(out, 'tear-sheet.html')
  }
  const paper = join(dir, 'paper')
  const evening = (day: string, ...words: string[]) =>
    here('plan', file, '--account', paper, '--day', day, ...paperCash, ...words)
  return { set, page, paper, evening, verify: (made: string) => here('verify', made, '--code', file) }
}

test('rules that hold on other days, or are told in other words, leave accounts and pages as they are; one that held then does not', async () => {
  const { set, page, evening, verify } = account()
  const before = await page()
  expect((await evening('20260720')).code).toBe(0)
  set(changed['another year, other words'])
  expect([(await evening('20260721')).code, (await verify(before)).code]).toEqual([0, 0])
  set(changed['another limit then'])
  expect(await verify(before)).toMatchObject({ code: 1, out: expect.stringMatching(/input panel.*sha256/) })
  expect(await evening('20260722')).toMatchObject({ code: 2, err: expect.stringMatching(/another rules/) })
  expect((await evening('20260722', '--from-today')).code).toBe(0)
})

test('an account from when one checksum was of all rules goes on while they are the same', async () => {
  const { set, paper, evening } = account()
  await evening('20260720')
  const sum = (text: string): string => createHash('sha256').update(text).digest('hex')
  const [about, first] = [join(paper, 'account.json'), join(paper, 'days', '20260720.json')]
  const { setup, ...rest } = JSON.parse(readFileSync(about, 'utf8'))
  const { rules: _, ...day } = JSON.parse(readFileSync(first, 'utf8'))
  const old = JSON.stringify({ ...rest, setup: { ...setup, rules: sum(JSON.stringify(chinaRules)) } })
  writeFileSync(about, old)
  writeFileSync(first, JSON.stringify({ ...day, before: sum(old) }))
  set(changed['another year, other words'])
  expect((await evening('20260721')).err).toMatch(/another rules/)
  set(chinaRules.limits)
  expect((await evening('20260721')).code).toBe(0)
  set(changed['another year, other words'])
  expect((await evening('20260722')).code).toBe(0)
})

test('a panel knows the checksum that it had when all rules were in it', () => {
  const rules = {
    ...chinaRules,
    name: 'fixed',
    limits: [],
    listings: [],
    charges: [],
    incomeTax: [],
    delisting: [],
    adjustments: [],
  }
  const fixed = { from: '00000000', source: 'a test', boards: ['convertible bond'] as const }
  const made = marketOf(rowsOf('110001.SH', [100, 101]), {
    rules: {
      ...rules,
      lots: [{ ...fixed, min: 10, step: 10, unit: 10, tick: 0.001 }],
      settlement: [{ ...fixed, days: 0 }],
      commission: [{ ...fixed, rate: 0.0002, min: 1 }],
    },
  })
  const [before, now] = ['c9410490a07deab699f6047f5d4339202f439d0e428d7a58c627a50531aff978', made.hash]
  made.recognize('0'.repeat(64))
  expect(made.hash).toBe(now)
  made.recognize(before)
  expect(made.hash).toBe(before)
})
