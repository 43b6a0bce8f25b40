import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quotebook, type Ran } from './helper/command.js'
import { file, folder, removeFolders } from './helper/files.js'
import { tableOf } from './helper/pages.js'
import { http, type Serving, serving } from './helper/serving.js'

removeFolders()

const runs = join(folder(), 'runs')
const strategy = file(
  'low.mjs',
  `export const make = ({ n = 3 }) => ({ score: (bond) => bond.close + bond.cb_over_rate, pick: { n, side: 'lowest' }, when: { weekly: 3 } })
export default { data: { dataset: 'convertible_daily' }, make }`,
)
const ran = (...words: string[]): Ran => {
  const done = quotebook(words)
  expect([done.code, done.err]).toEqual([0, expect.any(String)])
  return done
}
let [swept, walked, studied] = [] as unknown as [Ran, Ran, Ran]
let desk: Serving

beforeAll(async () => {
  mkdirSync(join(runs, 'factors'), { recursive: true })
  const words = ['backtest', strategy, '--cash', '500000', '--sweep', 'n=3,5,8']
  swept = ran(...words, '--out', join(runs, 'swept'))
  walked = ran(...words, '--walk-forward', '20,10', '--out', join(runs, 'walked'))
  const factor = ['factor', 'convertible_daily.cb_over_rate', '--format', 'json', '--out']
  studied = ran(...factor, join(runs, 'factors', 'premium.html'))
  ran(...factor, join(runs, 'beside.html'))
  writeFileSync(join(runs, 'factors', 'other.html'), '<p>mine</p>')
  desk = await serving(['--no-log', '--runs', runs])
})
afterAll(() => desk?.end())

const page = (path: string, language = 'en') => http(desk.url + path, { headers: { 'accept-language': language } })

test('sweeps, walk-forwards and factor pages are listed with their kind and what came of them', async () => {
  const { text } = await page('/desk/runs')
  const lines = new Map(tableOf(text, 'Runs').map(([, name, kind, ...rest]) => [name, [kind, rest.at(-1) ?? '']]))
  expect([...lines.keys()]).toEqual(['beside.html', 'factors/other.html', 'factors/premium.html', 'swept', 'walked'])
  const found =
    /best of (\d+) trials: (\S+); .*\(deflated Sharpe\): (?:< )?([\d.]+) %; probability of overfitting: ([\d.]+) %/
  const [, trials, best, deflated, overfit] = found.exec(swept.err) ?? []
  const told = (share = '') => `${Number(share).toFixed(2)}%`
  expect(lines.get('swept')).toEqual([
    'sweep',
    `best of ${trials} trials: ${best}; true Sharpe above 0: ${told(deflated)}; overfitting: ${told(overfit)}`,
  ])
  const [, total, sharpe] = /total +(\S+) %[\s\S]*?sharpe +(\S+) \(in sample/.exec(walked.out) ?? []
  expect(lines.get('walked')).toEqual([
    'walk-forward',
    expect.stringContaining(`out of sample ${total}%, Sharpe ${sharpe}; best of 3 trials`),
  ])
  const [first] = JSON.parse(studied.out)
  for (const name of ['beside.html', 'factors/premium.html'])
    expect(lines.get(name)).toEqual([
      'factor',
      expect.stringContaining(
        `convertible_daily.cb_over_rate: Mean IC ${first.mean_ic.toFixed(4)}; t (Newey-West) ${first.t.toFixed(2)};`,
      ),
    ])
  expect(lines.get('factors/other.html')?.[0]).toBe('a page alone')
  const chinese = (await page('/desk/runs', 'zh')).text
  for (const word of ['参数扫描', '滚动寻优', '因子', 'IC 均值']) expect(chinese).toContain(word)
})

test('a line leads to its page, which stands in its frame', async () => {
  const { text } = await page('/desk/runs')
  const links = [...text.matchAll(/<td class="name"><a href="([^"#]+)/g)].map(([, path = '']) => path)
  expect(links).toHaveLength(5)
  for (const path of links) {
    const own = await page(path)
    const frames = [...own.text.matchAll(/<iframe [^>]*src="([^"]+)"/g)].map(([, src = '']) => src)
    expect([path, own.status, frames.length > 0]).toEqual([path, 200, true])
    for (const src of frames) expect((await page(src)).headers['content-security-policy']).toMatch(/^sandbox /)
  }
})
