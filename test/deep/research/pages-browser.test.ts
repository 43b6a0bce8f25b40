// Deep: chromium opens the report, the tear sheet and a chart, in light and dark, narrow and on paper.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chart, connect, fromRows, report, show, tearSheet, tradingDays } from 'quotebook'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browse, contrast, executablePath, watched } from '../../helper/browser.js'
import { here } from '../../helper/here.js'
import { archiveOf, sampleRows } from '../../promise/helper/pages.js'

const hostile = '<img src=x onerror=alert(1)> =cmd|calc!A0'
const unbroken = `${hostile}_withoutanyblankforalongtime_withoutanyblankforalongtime`
const within = 'document.documentElement.scrollWidth <= innerWidth'
const openAll = `for (const part of document.querySelectorAll('details')) part.open = true`

/** Pages of commands, by name and language. */
async function commandPages(folder: string, lang: 'en' | 'zh'): Promise<Record<string, string>> {
  const strategy = join(folder, 'cheap.mjs')
  const score = 'score: (bond) => bond.close + bond.cb_over_rate'
  const text = `export default { data: { dataset: 'convertible_daily' }, make: ({ n = 5 }) => ({ ${score}, pick: { n, side: 'lowest' }, when: { weekly: 1 } }) }`
  writeFileSync(strategy, text)
  const [run, other, paper] = ['run', 'other', 'paper'].map((name) => join(folder, `${name}-${lang}`)) as [
    string,
    string,
    string,
  ]
  const made: [name: string, words: string[]][] = [
    ['run', ['backtest', strategy, '--cash', '500000', '--out', run]],
    ['other', ['backtest', strategy, '--cash', '500000', '--from', '20260601', '--param', 'n=3', '--out', other]],
    ['compared', ['backtest', 'compare', run, other, '--page', join(folder, 'compared.html')]],
    ['factor', ['factor', strategy, '--out', join(folder, 'factor.html')]],
    ['brief', ['report', '--brief', '--out', join(folder, 'brief.html')]],
    ['report', ['report', '--out', join(folder, 'report.html')]],
    ...['20260724', '20260727', '20260728'].map((day): [string, string[]] => [
      'paper',
      ['plan', strategy, '--day', day, '--account', paper, '--cash', '500000', '--out', join(folder, 'paper.html')],
    ]),
  ]
  for (const [, words] of made) await here(...words, '--lang', lang)
  const files = {
    compared: 'compared.html',
    factor: 'factor.html',
    brief: 'brief.html',
    report: 'report.html',
    paper: 'paper.html',
  }
  const pages = Object.entries({ ...files, run: join(`run-${lang}`, 'tear-sheet.html') })
  return Object.fromEntries(pages.map(([name, file]) => [`${name}-${lang}`, readFileSync(join(folder, file), 'utf8')]))
}

test.runIf(!executablePath)('a browser is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no chromium found; set CHROMIUM to its path')
  skip('no chromium found; set CHROMIUM to its path')
})

describe.runIf(executablePath)('pages in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  const addresses = new Map<string, string>()

  async function open(
    name: string,
    width: number,
    colorScheme: 'light' | 'dark' = 'light',
    media: 'screen' | 'print' = 'screen',
  ) {
    const { page, said, asked } = await watched(browser.context)
    await page.emulateMedia({ colorScheme, media })
    await page.setViewportSize({ width, height: 900 })
    const address = addresses.get(name) as string
    await page.goto(address)
    return { page, said, asked, address }
  }

  beforeAll(async () => {
    browser = await browse()
    const news = (await sampleRows('news')).slice(0, 5)
    const daily = (await sampleRows('theme_daily')).filter((row) => String(row.tradedate) >= '20260727')
    const market = await archiveOf({ theme_daily: daily, news: news.map((row) => ({ ...row, title: unbroken })) })
    const days = tradingDays('20250102', '20260630')
    const returns = days.map((_, i) => (((i * 7919) % 13) - 6) / 1000)
    const rows = fromRows([
      { title: hostile, close: 1.5 },
      { title: `" onmouseover="alert(3)`, close: null },
    ])
    const drawn = await chart(rows, { x: 'title', y: 'close', kind: 'bar', title: hostile })
    const pages = {
      report: await report(await connect(), { days: 20 }),
      hostile: await report(market, { days: 3, title: hostile }),
      sheet: await tearSheet(
        { days, returns },
        { title: hostile, benchmark: { name: hostile, days, returns }, lang: 'zh' },
      ),
      day: await tearSheet({ days: ['20260701'], equity: [90], start: 100 }),
      chart: `<!doctype html><meta charset="utf-8"><body>${show(rows).html()}${drawn.html()}</body>`,
    }
    for (const lang of ['en', 'zh'] as const) Object.assign(pages, await commandPages(browser.folder, lang))
    for (const [name, text] of Object.entries(pages)) {
      const file = join(browser.folder, `${name}.html`)
      writeFileSync(file, text)
      addresses.set(name, pathToFileURL(file).href)
    }
  })
  afterAll(() => browser?.close())

  test.each([
    ['report', 1200, 'light'],
    ['report', 390, 'dark'],
    ['hostile', 390, 'light'],
    ['sheet', 1200, 'dark'],
    ['sheet', 390, 'light'],
    ['day', 390, 'light'],
    ['chart', 1200, 'light'],
  ] as const)(
    '%s at %i px, %s: quiet, nothing loaded, nothing off the screen, every word legible',
    async (name, width, scheme) => {
      const { page, said, asked, address } = await open(name, width, scheme)
      expect(await page.evaluate(within)).toBe(true)
      await page.evaluate(openAll)
      expect(await page.evaluate(within)).toBe(true)
      expect(said).toEqual([])
      expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([address])
      expect(await page.locator('script, iframe').count()).toBe(0)
      if (name !== 'chart') {
        const paper = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string
        const inks = (await page.evaluate(`[
        ...[...document.querySelectorAll('p, td:not(.heat):not([class*="1"]), a, summary, figcaption, .badge, .mark')].map((e) => getComputedStyle(e).color),
        ...[...document.querySelectorAll('svg text')].map((e) => getComputedStyle(e).fill),
      ]`)) as string[]
        for (const ink of new Set(inks)) expect(contrast(ink, paper), `${ink} on ${paper}`).toBeGreaterThan(4.5)
      }
    },
  )

  test.each(['report', 'brief', 'run', 'sheet', 'factor', 'paper', 'compared'] as const)(
    '%s: its first chart stands on the first screen, in both languages',
    async (name) => {
      for (const lang of ['en', 'zh'])
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          const { page } = await open(addresses.has(name) ? name : `${name}-${lang}`, width)
          await page.setViewportSize({ width, height })
          const box = await page.locator('figure svg, .spark svg').locator('visible=true').first().boundingBox()
          // A line in a tile is whole, of a drawing its first panel.
          const seen = (box?.y ?? Number.NaN) + Math.min(130, box?.height ?? 0)
          expect(seen, `${lang} at ${width}`).toBeLessThan(height)
        }
    },
  )

  test('text from outside is shown as text', async () => {
    for (const name of ['hostile', 'sheet', 'chart']) {
      const { page } = await open(name, 1200)
      expect(await page.locator('body').textContent()).toContain(hostile)
      expect(await page.locator('img').count()).toBe(name === 'chart' ? 1 : 0)
    }
  })

  test('the worst cases of checks fit the page, and every drawing is seen', async () => {
    const { page } = await open('report', 1200)
    for (const drawing of await page.locator('figure svg.at-760').all())
      expect((await drawing.boundingBox())?.width).toBeGreaterThan(300)
    await page.evaluate(openAll)
    const wide = `[...document.querySelectorAll('#appendix .wide')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.ariaLabel)`
    expect(((await page.evaluate(wide)) as string[]).filter((label) => label !== 'What was loaded')).toEqual([])
  })

  test('on paper: white, no figure or badge broken, formulas at the end, nothing wider than the page', async () => {
    const { page } = await open('report', 686, 'dark', 'print')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('figure')).breakInside`)).toBe('avoid')
    const broken = `[...document.querySelectorAll('td .badge')].filter((one) => one.getClientRects().length > 1).length`
    expect(await page.evaluate(broken)).toBe(0)
    const sheet = (await open('sheet', 688, 'light', 'print')).page
    expect(await sheet.locator('#formulas').isVisible()).toBe(true)
    expect(await sheet.locator('nav').isVisible()).toBe(false)
    expect(await sheet.evaluate(within)).toBe(true)
  })
})
