import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockAt } from './helper/clock.js'
import { quotebook } from './helper/command.js'
import { file, folder, removeFolders } from './helper/files.js'
import { archiveOf, numberIn, sampleRows, tableOf } from './helper/pages.js'
import { http, type Serving, serving } from './helper/serving.js'

removeFolders()

const dir = folder()
const [archive, accounts] = [join(dir, 'archive'), join(dir, 'accounts')]
const strategy = file(
  'low.mjs',
  `export default { data: { dataset: 'convertible_daily' }, score: (bond) => bond.close + bond.cb_over_rate, pick: { n: 3, side: 'lowest' } }`,
)
const [evening, later] = ['2026-07-29T20:00:00+08:00', '2026-08-04T20:00:00+08:00']
let [tonight, late] = [] as unknown as [Serving, Serving]

const plan = (name: string, day: string) =>
  quotebook([
    'plan',
    strategy,
    '--source',
    archive,
    '--account',
    join(accounts, name),
    '--cash',
    '500000',
    '--day',
    day,
  ])

beforeAll(async () => {
  await archiveOf({ convertible_daily: await sampleRows('convertible_daily') }, archive)
  for (const [name, day] of [
    ['new', '20260728'],
    ['old', '20260727'],
  ] as const)
    expect(plan(name, day)).toMatchObject({ code: 0 })
  expect(plan('new', '20260729').code).toBe(0)
  const words = ['--no-log', '--source', archive, '--accounts', accounts]
  ;[tonight, late] = await Promise.all([serving(words, clockAt(evening)), serving(words, clockAt(later))])
})
afterAll(() => Promise.all([tonight, late].map((one) => one?.end())))

const page = async ({ url }: Serving, path: string, language = 'en') =>
  (await http(url + path, { headers: { 'accept-language': language } })).text
const sections = (text: string): readonly string[] => text.split('<section').slice(1)
const said = (text: string): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('orders are tonight’s if they were decided on the last stored day; those of a past day stand under that day, without a button', async () => {
  for (const path of ['/', '/desk/accounts']) {
    const all = sections(await page(tonight, path))
    const now = all.filter((one) => one.startsWith(' id="tonight"'))
    expect(now).toHaveLength(1)
    expect(now[0]).toContain('/desk/accounts/new')
    expect(now[0]).not.toContain('/desk/accounts/old')
    expect(now[0]).toContain('data-copy="')
    const past = all.filter((one) => one.includes('<h2>Orders of 2026-07-28 (past)</h2>'))
    expect(past).toHaveLength(1)
    expect(past[0]).toContain('/desk/accounts/old')
    expect(past[0]).not.toContain('data-copy')
    expect(past[0]).toContain('quotebook plan low.mjs --account old')
  }
  const own = await page(tonight, '/desk/accounts/old')
  expect(own).not.toContain('Orders tonight')
  expect(own).not.toContain('data-copy')
  expect(await page(tonight, '/desk/accounts/old', 'zh')).toContain('2026-07-28 的委托（已过期）')
})

test('once trading days are due that the archive lacks, no orders are tonight’s, and the first page says so as the plan does', async () => {
  expect(said(await page(tonight, '/'))).toContain('The data go to 2026-07-29, the last trading day that is due.')
  const text = await page(late, '/')
  expect(said(text)).toContain(
    'The prices end on 2026-07-29, not on 2026-08-04: 4 trading days are due and missing (2026-07-30 – 2026-08-04).',
  )
  expect(said(text)).toContain('1 dataset, 1,194 rows; 1 dataset with days that are missing or asked for again.')
  const coverage = await page(late, '/desk/coverage')
  const signs = tableOf(coverage, 'Datasets by day')[0]
  expect(signs?.slice(-5)).toEqual(['○', '×', '×', '×', '×'])
  expect(said(coverage)).toMatch(/4 trading days are due and missing .* They are missing from 1 dataset\. .* 4 missing/)
  expect(text).not.toContain('data-copy')
  expect(text).toContain('<h2>Orders of 2026-07-30 (past)</h2>')
  const refused = quotebook(['plan', strategy, '--source', archive], { env: clockAt(later) })
  expect(refused.err).toContain('its prices end on 20260729, not on 20260804')
})

test('orders have their quantity in its unit, in lots, and the limits of their day', async () => {
  const words = ['plan', strategy, '--source', archive, '--cash', '500000', '--day', '20260727', '--format', 'json']
  const { orders } = JSON.parse(quotebook(words).out).plan
  expect(orders.length).toBeGreaterThan(0)
  const own = await page(tonight, '/desk/accounts/old')
  expect(own).toMatch(/<th [^>]*>quantity<small>bonds<\/small>/)
  expect(own).toMatch(/<th [^>]*>lots<small>of 10<\/small>/)
  expect(await page(tonight, '/desk/accounts/old', 'zh')).toMatch(/<small>张<\/small>[\s\S]*<small>每手 10<\/small>/)
  const shown = tableOf(own, 'Orders').map(([code, , , shares, lots, , down, up]) => [code, shares, lots, down, up])
  expect(shown.map(([code, ...rest]) => [code, ...rest.map(numberIn)])).toEqual(
    orders.map((one: Record<string, unknown>) =>
      ['symbol', 'shares', 'lots', 'limitDown', 'limitUp'].map((name) => one[name]),
    ),
  )
})

test('an account has yuan at its money, names and units at its fills, its codes as links, and a drawdown below zero', async () => {
  const text = await page(tonight, '/desk/accounts/new')
  expect(text).toContain('<span>equity, yuan</span>')
  const [, fills = ''] = text.split('<section id="fills"')
  const rows = tableOf(fills, 'Fills of the last day')
  expect(rows.length).toBeGreaterThan(0)
  const names = new Map((await sampleRows('convertible_daily')).map(({ code, name }) => [code, name]))
  for (const [code, name] of rows) expect(name).toBe(names.get(code))
  expect(fills).toContain(`<a href="/desk/code/${rows[0]?.[0]}">`)
  expect(fills).toMatch(/<th [^>]*>amount<small>yuan<\/small>/)
  expect(tableOf(text, 'Holdings at the close').length).toBeGreaterThan(0)
  const [, curve = ''] = (await page(tonight, '/desk/accounts/old')).split('data-plot="plan-equity"')
  expect(curve).toMatch(/>-\d+\.\d%</)
  expect(curve).not.toMatch(/>(?!0\.0)\d+\.\d%</)
})
