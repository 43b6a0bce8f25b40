// Deep: chromium moves over the charts of interactive pages by mouse, finger and keys, and measures every text of every drawing.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import {
  chart,
  connect,
  factorPage,
  factorStudy,
  fromRows,
  report,
  tearSheet,
  tradingDays,
  verifyPage,
} from 'quotebook'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChartOutputs } from '../../../src/cli/notebook/kernel/chart-outputs.js'
import { comparisonPage } from '../../../src/research/report/comparison-page.js'
import { liveParts } from '../../../src/research/report/live-parts.js'
import { planPage } from '../../../src/research/report/plan-page/plan-page.js'
import type { PlanView } from '../../../src/research/report/plan-page/plan-tables.js'
import { type PagePlot, plotMime } from '../../../src/research/report/plot.js'
import { browse, contrast, executablePath } from '../../helper/browser.js'

const hostile = `"</script><img src=x onerror=alert(1)><!--<script>'`
const days = tradingDays('20240102', '20260630')
const returns = days.map((_, i) => ((((i * 7919) % 1013) - 500) / 20_000) * (i % 97 === 5 ? 3 : 1))
const slower = returns.map((one, i) => (i < 40 ? Number.NaN : one / 2))
const benchmark = { name: hostile, days, returns: slower.map((one) => (Number.isNaN(one) ? 0 : one)) }

function sheetOf(interactive: boolean): Promise<string> {
  return tearSheet({ days, returns }, { title: hostile, benchmark, interactive })
}

function planOf(interactive: boolean): Promise<string> {
  const plan = {
    ...{ orders: [], untraded: [], holdings: [], unknown: [], warnings: [], lookahead: undefined, isDecided: true },
    ...{ day: '20260630', tradeDay: '20260701', equity: 1, cash: 1, cashLeft: 1 },
  }
  const nothing = { fills: [], rejected: [], events: [] }
  const run = (day: string, i: number) => ({ day, plan, equity: 1e6 * (1 + i / 900), ...nothing })
  const account = { start: 1e6, days: days.map(run), changes: [] }
  const view = { title: hostile, code: { name: 'a.ts', sha256: '0' }, params: {}, source: { name: 's' }, plan, account }
  return planPage(view as unknown as PlanView, 'zh', interactive)
}

function comparedOf(interactive: boolean): Promise<string> {
  const run = (name: string, by: number) => {
    const equity = Float64Array.from(days, (_, i) => 1e6 * (1 + (by * ((i * 37) % 101)) / 400))
    return { name, days: days.slice(by), equity: equity.slice(by), start: 1e6, figures: {}, made: {}, hash: name }
  }
  return comparisonPage([run(hostile, 1), run('b', 2), run('丙', 3)], 'en', interactive)
}

function factorOf(interactive: boolean): Promise<string> {
  const stored = JSON.parse(readFileSync('test/fixture/pandas/factor.json', 'utf8'))
  const groups = { by: 'sector', names: ['a', 'b', 'c'], of: stored.groups }
  return factorPage(factorStudy({ ...stored, horizons: [1, 5, 20], groups }, { quantiles: 4 }), { interactive })
}

const textOf = async (one: Locator): Promise<string> => (await one.textContent()) ?? ''

/** Texts that are small, cut by the edge of their drawing, or touch another. */
const measure = `(() => {
  const [wrong, all] = [[], []]
  for (const svg of document.querySelectorAll('.drawing svg, .live-area svg')) {
    const edge = svg.getBoundingClientRect()
    if (edge.width === 0) continue
    const where = svg.closest('[data-plot]').dataset.plot
    const texts = [...svg.querySelectorAll('text')].filter((one) => one.textContent.trim() !== '').map((one) => {
      const by = one.getScreenCTM()
      const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(by.a, by.b)
      return { text: one.textContent, box: one.getBoundingClientRect(), isSlanted: Math.abs(by.b) > 0.01, size }
    })
    texts.forEach((one, i) => {
      all.push(one.text)
      const { left, right, top, bottom } = one.box
      if (one.size < 11) wrong.push(where + ': small: ' + one.text + ' ' + one.size)
      if (left < edge.left - 0.5 || right > edge.right + 0.5 || top < edge.top - 0.5 || bottom > edge.bottom + 0.5)
        wrong.push(where + ': cut: ' + one.text)
      for (const other of texts.slice(i + 1)) {
        if (one.isSlanted && other.isSlanted) continue
        const wide = Math.min(right, other.box.right) - Math.max(left, other.box.left)
        const high = Math.min(bottom, other.box.bottom) - Math.max(top, other.box.top)
        if (wide > 0.5 && high > 2) wrong.push(where + ': touch: ' + one.text + ' | ' + other.text)
      }
    })
  }
  return { wrong, count: all.length }
})()`

test.runIf(!executablePath)('a browser is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no chromium found; set CHROMIUM to its path')
  skip('no chromium found; set CHROMIUM to its path')
})

describe.runIf(executablePath)('charts in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  const texts = new Map<string, string>()

  beforeAll(async () => {
    browser = await browse()
    const market = await connect()
    for (const interactive of [false, true]) {
      const end = interactive ? '-live' : ''
      texts.set(`report${end}`, await report(market, { days: 60, interactive }))
      texts.set(`chinese${end}`, await report(market, { days: 20, language: 'zh', interactive }))
      texts.set(`sheet${end}`, await sheetOf(interactive))
      texts.set(`factor${end}`, await factorOf(interactive))
      texts.set(`compared${end}`, await comparedOf(interactive))
      texts.set(`plan${end}`, await planOf(interactive))
    }
    await market.close()
    for (const [name, text] of texts) writeFileSync(join(browser.folder, `${name}.html`), text)
  })
  afterAll(() => browser?.close())

  const addressOf = (name: string): string => pathToFileURL(join(browser.folder, `${name}.html`)).href

  /** A page in a window of its own, with what it says, asks for, and what its policy stopped. */
  async function open(name: string, { width = 1200, touch = false, js = true, dark = false } = {}) {
    const context = await browser.context.browser()?.newContext({
      viewport: { width, height: 900 },
      hasTouch: touch,
      javaScriptEnabled: js,
      colorScheme: dark ? 'dark' : 'light',
    })
    if (!context) throw new Error('no browser')
    const page = await context.newPage()
    const told: string[] = []
    page.on('console', (message) => told.push(message.text()))
    page.on('pageerror', (error) => told.push(error.message))
    page.on('dialog', (dialog) => void told.push(dialog.message()))
    page.on('request', (request) => request.url() !== addressOf(name) && told.push(request.url()))
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (e) => console.log('policy: ' + e.violatedDirective))`,
    )
    await page.goto(addressOf(name))
    if (js && name.endsWith('-live')) await page.locator('.live-area svg text').first().waitFor()
    return { page, told, close: () => context.close() }
  }

  const kinds = ['report', 'chinese', 'sheet', 'factor', 'compared', 'plan']

  test.each(kinds.flatMap((kind) => [`${kind}`, `${kind}-live`]))(
    '%s: every text of every drawing has 11 px or more, is whole and touches no other, at 390 and 1200 px, the still ones at 720 too',
    async (name) => {
      for (const width of name.endsWith('-live') ? [390, 1200] : [390, 720, 1200]) {
        const { page, told, close } = await open(name, { width })
        const { wrong, count } = (await page.evaluate(measure)) as { wrong: string[]; count: number }
        expect(wrong, `${name} at ${width}`).toEqual([])
        expect(count).toBeGreaterThan(5)
        expect(told).toEqual([])
        await close()
      }
    },
  )

  test.each(kinds)('%s without its script shows what the plain page shows, and so on paper', async (name) => {
    const seen = async (kind: string, js: boolean, media: 'screen' | 'print') => {
      const { page, close } = await open(kind, { js })
      await page.emulateMedia({ media })
      const found =
        await page.evaluate(`[document.body.innerText.replace(/只运行自带的图表脚本|runs nothing but the script of its charts/g, '').replace(/不运行脚本|runs nothing/g, ''),
        ...[...document.querySelectorAll('.drawing svg')].filter((one) => one.getBoundingClientRect().width > 0 && !one.closest('.live-chart')).map((one) => one.outerHTML)]`)
      await close()
      return found
    }
    expect(await seen(`${name}-live`, false, 'screen')).toEqual(await seen(name, true, 'screen'))
    expect(await seen(`${name}-live`, true, 'print')).toEqual(await seen(name, true, 'print'))
  })

  const drawingIn = (page: Page, id: string) => () => page.locator(`#${id} .live-area svg`).first().innerHTML()

  test('mouse: a crosshair with all values of a day as the table has them, zoom by the window and back, series off and on', async () => {
    const { page, told, close } = await open('sheet-live')
    const area = page.locator('#equity .live-area')
    await area.scrollIntoViewIfNeeded()
    const box = (await area.boundingBox()) as { x: number; y: number; width: number; height: number }
    const curve = await area.locator('svg path[stroke="var(--one)"][stroke-width="1.8"]').first().boundingBox()
    await page.mouse.move((curve?.x ?? 0) + (curve?.width ?? 0) - 1, box.y + 100)
    const reading = page.locator('#equity .live-area .live-reading')
    await reading.waitFor()
    expect(await textOf(reading.locator('b'))).toBe('2026-06-30')
    const last = (await page.locator('#equity tbody tr').last().locator('td').allTextContents()).slice(1)
    const read = await reading.locator('strong').allTextContents()
    for (const value of last) expect(read).toContain(value)
    expect(await reading.textContent()).toContain(hostile)
    expect(await page.locator('#calendar .live-area .live-reading').count()).toBe(0)

    const [drawing, rolling] = [drawingIn(page, 'equity'), drawingIn(page, 'rolling')]
    await page.mouse.move(box.x + 200, box.y - 40)
    const [all, other] = [await drawing(), await rolling()]
    await page.mouse.move(box.x + 300, box.y + box.height - 15)
    await page.mouse.down()
    await page.mouse.move(box.x + 400, box.y + box.height - 15, { steps: 5 })
    await page.mouse.up()
    await page.mouse.move(box.x + 200, box.y - 40)
    await expect.poll(drawing).not.toBe(all)
    await expect.poll(rolling).not.toBe(other)
    await page.mouse.dblclick(box.x + 200, box.y + 100)
    await page.mouse.move(box.x + 200, box.y - 40)
    const labels = page.locator('#equity .live-area svg text')
    const names = await labels.allTextContents()
    // In the legend, and at the ends of its line in both panels.
    expect(names.filter((one) => one === 'Strategy')).toHaveLength(3)

    const legend = labels.filter({ hasText: '<img' }).last()
    const lines = () => page.locator('#equity .live-area path[stroke="var(--two)"]').count()
    const drawn = await lines()
    /** Clicks once nothing moves: a redraw between press and release takes the click away, on a busy machine. */
    const toggle = async (isDone: (count: number) => boolean): Promise<void> => {
      for (let tries = 0; tries < 5 && !isDone(await lines()); tries++) {
        await legend.hover()
        await page.waitForTimeout(300)
        await legend.click()
        await page.waitForTimeout(1000)
      }
      expect(isDone(await lines())).toBe(true)
    }
    await toggle((count) => count < drawn)
    await page.mouse.move(box.x + 300, box.y + 100)
    await expect.poll(() => reading.textContent()).not.toContain(hostile)
    await toggle((count) => count === drawn)
    expect(await page.locator('img').count()).toBe(0)
    expect(told).toEqual([])
    await close()
  })

  test('keys: focus, a day to the left and right, plus and minus, Escape, a series off; it says what it is', async () => {
    const { page, close } = await open('sheet-live')
    const area = page.locator('#equity .live-area')
    await area.focus()
    const day = () => textOf(page.locator('#equity .live-told b'))
    const shown = () => textOf(page.locator('#equity .live-area .live-reading b'))
    const drawing = drawingIn(page, 'equity')
    await page.keyboard.press('ArrowLeft')
    expect([await day(), await shown()]).toEqual(['2026-06-30', '2026-06-30'])
    await page.keyboard.press('ArrowLeft')
    expect([await day(), await shown()]).toEqual(['2026-06-29', '2026-06-29'])
    await page.keyboard.press('ArrowRight')
    expect(await day()).toBe('2026-06-30')
    expect(await page.locator('#equity .live-told').getAttribute('aria-live')).toBe('polite')
    await page.keyboard.press('Home')
    expect([await day(), await shown()]).toEqual(['2024-01-02', '2024-01-02'])
    const all = await drawing()
    await page.keyboard.press('+')
    expect(await drawing()).not.toBe(all)
    // Beyond the edge of the window it goes along.
    await page.keyboard.press('End')
    const edge = await day()
    await page.keyboard.press('ArrowRight')
    expect((await day()) > edge).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    await page.keyboard.press('Home')
    expect(await textOf(page.locator('#equity .live-area .live-reading'))).not.toContain(hostile)
    expect(await area.getAttribute('role')).toBe('application')
    expect(await area.getAttribute('aria-label')).toBe('Equity and drawdown')
    expect(await area.getAttribute('aria-description')).toContain('in total')
    await close()
  })

  test('fingers at 390 px: a tap reads a day at the top of the drawing, nothing leaves the screen', async () => {
    const { page, told, close } = await open('chinese-live', { width: 390, touch: true, dark: true })
    const area = page.locator('#southbound .live-area').first()
    await area.scrollIntoViewIfNeeded()
    const box = (await area.boundingBox()) as { x: number; y: number; width: number }
    const reading = page.locator('#southbound .live-area .live-reading').first()
    await page.touchscreen.tap(box.x + 220, box.y + 150)
    const day = await textOf(reading.locator('b'))
    await page.touchscreen.tap(box.x + 120, box.y + 150)
    expect((await textOf(reading.locator('b'))) < day).toBe(true)
    const read = (await reading.boundingBox()) as { y: number; height: number }
    expect(read.y - box.y).toBeLessThan(12)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(told).toEqual([])
    await close()
  })

  test('candles: four prices and the volume of a day, a missing one as a dash; the title of a chart alone', async () => {
    const rows = days.slice(0, 30).map((tradedate, i) => ({
      ...{ tradedate, open: 10 + (i % 7), high: 18, low: 9, close: 11 + (i % 5), vol: i === 29 ? null : 1000 + i },
    }))
    const drawn = await chart(fromRows(rows), { x: 'tradedate', kind: 'candles', title: hostile })
    const { policy = '', scripts } = liveParts([drawn.toJSON() as PagePlot]) ?? {}
    const own = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}style-src 'unsafe-inline'; img-src data:">
      <body><div class="drawing" data-plot="${(drawn.toJSON() as PagePlot).id}">${drawn.html()}</div>${scripts}</body></html>`
    writeFileSync(join(browser.folder, 'candles.html'), own)
    const { page, told, close } = await open('candles')
    await page.locator('.live-area').focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.locator('.live-area .live-reading > span').allTextContents()).toEqual([
      '开11',
      '高18',
      '低9',
      '收15',
      'vol—',
    ])
    expect(await page.locator('.live-title').textContent()).toContain('</script>')
    expect(await page.locator('.display img, body > .drawing > div > img').isVisible()).toBe(false)
    expect(told.filter((one) => !one.startsWith('data:'))).toEqual([])
    await close()
  })

  test('in a notebook charts answer by one script, take its theme, come and go with their cells, and are pictures without scripts', async () => {
    const rows = fromRows(
      days.slice(0, 30).map((tradedate, i) => ({ tradedate, close: 11 + (i % 5), low: 9 + (i % 3) })),
    )
    const [first, second] = [
      await chart(rows, { x: 'tradedate', y: 'close', title: hostile }),
      await chart(rows, { x: 'tradedate', y: 'low', kind: 'bar' }),
    ]
    const outputs = new ChartOutputs('zh')
    const message = { from: [], header: { msg_type: 'execute_request' }, metadata: {}, content: { code: '1' } }
    outputs.begin(message)
    const markup = [first, second, second].map(
      (one) => outputs.shown({ 'text/html': one.html(), [plotMime]: one.toJSON() }, message)['text/html'],
    )
    expect(markup.map((one) => String(one).includes('<script>'))).toEqual([true, false, false])
    writeFileSync(
      join(browser.folder, 'notebook.html'),
      `<!doctype html><meta charset="utf-8"><style>html{font-size:10px}.dark{color:#eee;background:#111}</style><body>${markup.map((one) => `<div class="output">${one}</div>`).join('')}`,
    )
    const { page, told, close } = await open('notebook', { dark: true })
    const areas = page.locator('.live-area')
    await page.locator('.live-area svg text').first().waitFor()
    expect(await areas.count()).toBe(3)
    expect(await page.locator('img').first().isVisible()).toBe(false)
    await areas.first().hover({ position: { x: 400, y: 100 } })
    const reading = page.locator('.live-reading').first()
    expect(await textOf(reading.locator('b'))).toMatch(/^2024-01-/)
    expect(await reading.evaluate((one) => getComputedStyle(one).fontSize)).toBe('13px')
    const inkOf = () =>
      areas
        .first()
        .locator('svg text')
        .first()
        .evaluate((one) => getComputedStyle(one).fill)
    const light = await inkOf()
    await page.evaluate("document.body.className = 'dark'")
    await page.locator('.on-dark').first().waitFor()
    expect(contrast(await inkOf(), 'rgb(17,17,17)')).toBeGreaterThan(4.5)
    expect(contrast(light, 'rgb(255,255,255)')).toBeGreaterThan(4.5)
    await page.evaluate("globalThis.away = document.querySelectorAll('.output')[1]; away.remove()")
    await expect.poll(() => areas.count()).toBe(2)
    await page.evaluate('document.body.append(away)')
    await expect.poll(() => areas.count()).toBe(3)
    expect(await page.locator('head > script').count()).toBe(1)
    expect(told.filter((one) => !one.startsWith('data:'))).toEqual([])
    await close()
    const still = await open('notebook', { js: false })
    expect(await still.page.locator('img').first().isVisible()).toBe(true)
    expect(await still.page.locator('.live-area').count()).toBe(0)
    await still.close()
  })

  test('one script, whose hash alone the policy lets run; the page is made again byte for byte, and verified', async () => {
    const page = texts.get('sheet-live') as string
    expect(page.match(/<script/g)?.length).toBe(2)
    expect(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'$/,
    )
    expect(await sheetOf(true)).toBe(page)
    const market = await connect()
    const live = texts.get('report-live') as string
    expect(await verifyPage(live, market)).toMatchObject({ same: true, figures: [], options: [] })
    expect(live).toContain('&quot;interactive&quot;:true')
    const other = await verifyPage(live, texts.get('report') as string)
    expect(other.options.map(({ name }) => name)).toEqual(['interactive'])
    expect(other.figures).toEqual([])
    await market.close()
    const script = readFileSync('dist/lib/live-page.js')
    expect([script.length / 1e6, gzipSync(script).length / 1e6].map((size) => size < 0.7)).toEqual([true, true])
    expect(texts.get('report')).not.toContain('<script')
  })
})
