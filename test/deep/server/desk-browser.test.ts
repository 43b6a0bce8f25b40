// Deep: chromium walks around the desk by clicks and keys, and axe looks at each page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browse, executablePath, watched } from '../../helper/browser.js'
import { quotebook } from '../../promise/helper/command.js'
import { type Serving, serving } from '../../promise/helper/serving.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

test.runIf(!executablePath)('a browser is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no chromium found; set CHROMIUM to its path')
  skip('no chromium found; set CHROMIUM to its path')
})

describe.runIf(executablePath)('the desk in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  let desk: Serving

  beforeAll(async () => {
    browser = await browse()
    const [runs, accounts] = [join(browser.folder, 'runs'), join(browser.folder, 'accounts')]
    mkdirSync(runs)
    const file = join(browser.folder, 'low.mjs')
    for (const n of [3, 5]) {
      writeFileSync(
        file,
        `export default { data: { dataset: 'convertible_daily' }, score: (bond) => bond.close + bond.cb_over_rate, pick: { n: ${n}, side: 'lowest' }, when: { weekly: 3 } }`,
      )
      expect(quotebook(['backtest', file, '--cash', '500000', '--out', join(runs, `low${n}`)]).code).toBe(0)
    }
    const words = ['plan', file, '--account', join(accounts, 'mine'), '--cash', '500000', '--day', '20260729']
    expect(quotebook(words).code).toBe(0)
    desk = await serving(['--no-log', '--runs', runs, '--accounts', accounts])
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await desk?.end()
  })

  async function open(path: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
    const opened = await watched(browser.context)
    await opened.page.emulateMedia({ colorScheme })
    await opened.page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
    await opened.page.goto(desk.url + path)
    return opened
  }

  const faults = (page: Page) =>
    page.evaluate(
      `${axe};axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]))`,
    )

  const paths = [
    '/',
    '/desk/table/bonds',
    '/desk/table/hot',
    '/desk/code/123107.SZ',
    '/desk/coverage?day=20260729',
    '/desk/checks?days=1',
    '/desk/runs',
    '/desk/runs?run=low3&run=low5',
    '/desk/accounts',
    '/desk/accounts/mine',
    '/desk/find?q=12',
    '/desk/find?q=backtest',
    '/desk/sql',
    '/desk/sql?sql=select+tradedate,max(close)+as+top+from+convertible_daily+group+by+1+order+by+1',
    '/desk/sql?sql=select+nope+from+st',
    '/desk/tabel',
  ]
  test.each(
    paths.flatMap((path) => [
      [path, 1280, 'light'] as const,
      [path, 390, 'dark'] as const,
      [`${path}${path.includes('?') ? '&' : '?'}lang=zh`, 390, 'light'] as const,
    ]),
  )(
    '%s at %i px, %s: axe finds nothing, nothing is off the screen, nothing is loaded from elsewhere',
    async (path, width, scheme) => {
      const { page, said, asked } = await open(path, width, scheme)
      await page.waitForLoadState('networkidle')
      expect(await faults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(asked.filter((url) => !url.startsWith(desk.url) && !url.startsWith('data:'))).toEqual([])
      expect(said.filter((text) => !/status of 40[04]/.test(text))).toEqual([])
    },
  )

  test('from the first page to the premium of a bond by two clicks', async () => {
    const { page } = await open('/')
    await page.click('text=Bonds')
    await page.click('td a >> nth=0')
    await page.waitForSelector('[data-plot="code-prices"] svg')
    expect(await page.textContent('[data-plot="code-prices"]')).toContain('Conversion premium, %')
    await page.click('text=1M')
    expect(page.url()).toContain('range=1M')
  })

  test('the point nearest to the pointer has its code and name, by keys too', async () => {
    const { page } = await open('/desk/table/bonds')
    const area = page.locator('[data-plot="scatter-bonds"] .live-area')
    await area.locator('svg').waitFor()
    const box = (await area.boundingBox()) as { x: number; y: number; width: number; height: number }
    const said: string[] = []
    for (let at = 0.15; at < 1; at += 0.05) {
      await page.mouse.move(box.x + at * box.width, box.y + 0.6 * box.height)
      said.push(...(await area.locator('.live-reading b').allTextContents()))
    }
    expect(said.length).toBeGreaterThan(0)
    for (const text of said) expect(text).toMatch(/^\d{6}\.S[HZ] \S+$/)
    await area.focus()
    await page.keyboard.press('ArrowRight')
    const told = page.locator('[data-plot="scatter-bonds"] .live-told')
    expect(await told.textContent()).toMatch(/^\d{6}\.S[HZ] \S+close \(yuan\)/)
  })

  test('from the first page to a contradicted row by one click, its number beside what it should be', async () => {
    const { page } = await open('/')
    await page.click('.bar a:has-text("Checks")')
    const open1 = page.locator('details.check[open]', { hasText: 'southbound' }).first()
    expect(await open1.textContent()).toMatch(/given[\s\S]*recomputed[\s\S]*difference/)
  })

  test('from the first page to a comparison of two runs by four clicks', async () => {
    const { page } = await open('/')
    await page.click('.bar a:has-text("Runs")')
    for (const name of ['low3', 'low5']) await page.click(`input[value="${name}"]`)
    await page.click('button:has-text("Compare")')
    expect(await page.textContent('h1')).toBe('low3, low5')
    expect(await page.textContent('#figures')).toContain('Sharpe')
  })

  test('tonight’s orders stand on the first page and are copied', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { page } = await open('/')
    await page.click('#tonight [data-copy]')
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^\d{6}\.S[HZ]\t(buy|sell)\t\d+/)
  })

  test('on a phone the bar shows the present page, the map its newest days, and no sparkline runs through text', async () => {
    const { page } = await open('/desk/coverage', 390)
    const right = (selector: string) => page.locator(selector).last().boundingBox()
    for (const selector of ['.bar a[aria-current]', '.cover thead th:last-child']) {
      const box = await right(selector)
      expect([selector, box && box.x >= 0 && box.x + box.width <= 391]).toEqual([selector, true])
    }
    await page.goto(`${desk.url}/`)
    const apart = await page.evaluate(
      `[...document.querySelectorAll('.spark')].map((one) => [one.querySelector('svg').getBoundingClientRect().bottom, one.nextElementSibling.getBoundingClientRect().top])`,
    )
    for (const [bottom, top] of apart as [number, number][]) expect(bottom).toBeLessThanOrEqual(top + 1)
  })

  test('on a phone the close, the change and the premium of a bond are seen at once; at a desk the bar is one line', async () => {
    const { page } = await open('/desk/table/bonds', 390)
    const heads = page.locator('.desk-table th:visible')
    expect((await heads.allInnerTexts()).slice(0, 4).map((text) => text.replace(/[▼▲]?\s*\n?(yuan|%)?$/, ''))).toEqual([
      'name',
      'close',
      'change',
      'conversion premium',
    ])
    const premium = await heads.nth(3).boundingBox()
    expect((premium?.x ?? 999) + (premium?.width ?? 0)).toBeLessThanOrEqual(390)
    const { page: wide } = await open('/desk/table/bonds?lang=zh')
    const isOneLine = async () => {
      const middles = await wide
        .locator('.bar li, .bar .find, .bar .other')
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2),
        )
      return Math.max(...middles) - Math.min(...middles) < 12
    }
    expect(await isOneLine()).toBe(true)
    await wide.click('.bar .other')
    await wide.waitForURL(/lang=en/)
    expect(await isOneLine()).toBe(true)
    await wide.click('.bar a:has-text("Query")')
    await wide.click('a:has-text("Back to the desk")')
    expect(new URL(wide.url()).pathname).toBe('/')
  })

  test('a frame is as high as the page in it, which has no scrollbar of its own', async () => {
    for (const width of [1280, 390]) {
      const { page } = await open('/desk/runs/low3', width)
      const inner = page.frameLocator('iframe').locator('html')
      const height = () => inner.evaluate((root) => root.getBoundingClientRect().height)
      await expect
        .poll(async () => Math.abs(((await page.locator('iframe').boundingBox())?.height ?? 0) - (await height())))
        .toBeLessThan(8)
      expect(await height()).toBeGreaterThan(2000)
      expect(await inner.evaluate((root) => root.scrollHeight <= root.clientHeight + 1)).toBe(true)
      await inner.locator('a[href="#rolling"]').evaluate((link) => (link as HTMLElement).click())
      const target = inner.locator('#rolling')
      await expect.poll(async () => Math.abs((await target.boundingBox())?.y ?? 99)).toBeLessThan(3)
    }
  })

  test('Ctrl-K finds a bond by its initials; a slash does too', async () => {
    const { page } = await open('/desk/coverage')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('yfzz')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/desk\/code\/123124\.SZ/)
    await page.keyboard.press('/')
    await page.keyboard.type('hotstock')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/desk\/table\/hot/)
  })
})
