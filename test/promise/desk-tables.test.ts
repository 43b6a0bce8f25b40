import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tempDir } from '../helper/temp.js'
import { archiveOf, numberIn, sampleRows, tableOf } from './helper/pages.js'
import { api, http, type Serving, serving } from './helper/serving.js'

let [sample, wrong] = [] as unknown as [Serving, Serving]
const dir = join(tempDir(), 'wrong')

/** A premium that its own row contradicts, on a day that is not the latest. */
const [badDay, badCode] = ['20260728', '123124.SZ']

beforeAll(async () => {
  const bonds = (await sampleRows('convertible_daily')).filter(({ tradedate }) => String(tradedate) >= '20260720')
  await archiveOf(
    {
      convertible_daily: bonds.map((row) =>
        row.tradedate === badDay && row.code === badCode ? { ...row, cb_over_rate: 12.34 } : row,
      ),
    },
    dir,
  )
  ;[sample, wrong] = await Promise.all([serving(['--no-log']), serving(['--no-log', '--source', dir])])
})
afterAll(() => Promise.all([sample, wrong].map((one) => one?.end())))

const page = async (path: string, { url } = sample, language = 'en') =>
  (await http(url + path, { headers: { 'accept-language': language } })).text

/** Codes that are marked, each with the reason of its mark. */
const marked = (text: string) =>
  [
    ...text.matchAll(/<tr><td[^>]*><a href="\/desk\/code\/([^"?]*)[^>]*>[^<]*<\/a> <a class="badge fails" ([^>]*)>✗/g),
  ].map(([, code, about = '']) => [code, about] as const)

test('a row that the checks contradict is marked on the table of its day, with the reason and a way to the checks', async () => {
  const [[code, about = ''] = [], ...others] = marked(await page('/desk/table/bonds?day=20260728', wrong))
  expect([code, others]).toEqual([badCode, []])
  expect(about).toMatch(/title="cb premium: [^"]* \(12\.34 sent, [\d.]+ due\)"/)
  expect(about).toContain('href="/desk/checks?day=2026-07-28"')
  expect(marked(await page('/desk/table/bonds', wrong))).toEqual([])
  const checks = await page('/desk/checks?day=2026-07-28', wrong)
  expect(tableOf(checks, 'Worst cases of cb premium (convertible_daily)').map((row) => row[1])).toContain(badCode)
  expect(await page('/desk/table/bonds?day=20260728&lang=zh', wrong)).toMatch(
    /title="转股溢价率：[^"]*（发布值 12\.34，应有值 [\d.]+）"/,
  )
  expect(marked(await page('/desk/table/bonds?day=20260728&page=1&find=123124', wrong))).toHaveLength(1)
})

/** Rows of a dataset in the sample, as its API has them. */
async function rows(apiname: string, params: object, fields?: string): Promise<unknown[][]> {
  const { text } = await api(sample.url, { apikey: 'any', apiname, params, ...(fields && { fields }) })
  return JSON.parse(text).data.items
}

test('checks look at the days asked: documents and lists of them, details of all themes; their codes are links', async () => {
  const text = await page('/desk/checks?days=1')
  const health = new Map(tableOf(text, 'Health of each dataset').map(([name = '', , count]) => [name, numberIn(count)]))
  const day = '20260729'
  const announced = { ann_startdate: day, ann_enddate: day, version: 'all', limit: 2000 }
  const wanted = {
    finance_announcement: (await rows('finance_announcement', announced)).length,
    interactive_qa: (await rows('interactive_qa', { date: day, version: 'all', limit: 2000 })).length,
    news: (await sampleRows('news')).filter(({ updated_at: at }) => String(at).startsWith('2026-07-29')).length,
    theme_lib_detail_kp: new Set(
      (await sampleRows('theme_lib_detail_kp')).filter((one) => one.is_active).map(({ theme_id: id }) => id),
    ).size,
    hotstock: 15 * 20,
  }
  for (const [name, count] of Object.entries(wanted)) expect([name, health.get(name)]).toEqual([name, count])
  expect(text).not.toContain('Not run, their datasets are not in this source')
  const five = await page('/desk/checks?days=5')
  expect(tableOf(five, 'Health of each dataset').find(([name]) => name === 'hotstock')?.[2]).toBe('1,500')
  expect(five).toMatch(/<td class="text"><a href="\/desk\/code\/02318\.HK">02318\.HK<\/a>/)
  const past = await page('/desk/checks?day=2026-07-15&days=1')
  expect(past).toContain('<h2>2026-07-15</h2>')
  expect(past).toContain('href="/desk/checks?day=2026-07-15&amp;days=5"')
})
