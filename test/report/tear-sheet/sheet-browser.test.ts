import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { texts } from '../../../src/frame/read-columns.js'
import { tearSheet } from '../../../src/report/tear-sheet/tear-sheet.js'
import { browse, contrast, executablePath, watched } from '../../helper/browser.js'
import { reference, sampleIndex } from './sheet-runs.js'

const evil = '<img src=x onerror=alert(1)>=cmd|calc!A0_withoutanyblankforalongtime_withoutanyblankforalongtime'

describe.runIf(executablePath)('a tear sheet in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  const addresses = new Map<string, string>()

  beforeAll(async () => {
    browser = await browse()
    const { result } = await reference('etf-vwap.mjs')
    const benchmark = await sampleIndex()
    const names = Object.fromEntries(texts(result.fills, 'symbol').map((symbol) => [String(symbol), evil]))
    const pages = {
      plain: await tearSheet(result, { benchmark, lang: 'zh' }),
      hostile: await tearSheet(result, { names, title: evil, benchmark: { ...benchmark, name: evil } }),
      day: await tearSheet({ days: ['20260701'], equity: [90], start: 100 }),
    }
    for (const [name, page] of Object.entries(pages)) {
      const file = join(browser.folder, `${name}.html`)
      writeFileSync(file, page)
      addresses.set(name, pathToFileURL(file).href)
    }
  })
  afterAll(() => browser?.close())

  test.each([
    [1200, 'light', 'plain'],
    [390, 'dark', 'plain'],
    [390, 'light', 'hostile'],
    [390, 'light', 'day'],
  ] as const)('%i px, %s, %s: quiet, and nothing off the screen', async (width, colorScheme, name) => {
    const address = addresses.get(name) as string
    const { page, said, asked } = await watched(browser.context)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(address)
    const isWithin = 'document.documentElement.scrollWidth <= innerWidth'
    expect(await page.evaluate(isWithin)).toBe(true)
    await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`)
    expect(await page.evaluate(isWithin)).toBe(true)
    expect(said).toEqual([])
    expect(asked).toEqual([address])
    await page.close()
  })

  test('shaded cells are read on their shade, light and dark', async () => {
    const { page } = await watched(browser.context)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(addresses.get('plain') as string)
      const [ink, rise, fall] = (await page.evaluate(`(() => {
        const make = (shade) => { const e = document.createElement('i'); e.style.color = shade; document.body.append(e); return getComputedStyle(e).color.replace(/color\\(srgb ([\\d.]+) ([\\d.]+) ([\\d.]+).*/, (_, ...c) => 'rgb(' + c.slice(0, 3).map((x) => Math.round(x * 255)).join(',') + ')') }
        return [make('var(--ink)'), make('color-mix(in srgb,var(--rise) 45%,var(--paper))'), make('color-mix(in srgb,var(--fall) 45%,var(--paper))')]
      })()`)) as [string, string, string]
      for (const shade of [rise, fall])
        expect(contrast(ink, shade), `${colorScheme} ${ink} ${shade}`).toBeGreaterThan(4.5)
    }
    await page.close()
  })

  test('on paper figures stay, formulas follow at the end, and nothing is wider than the page', async () => {
    const { page } = await watched(browser.context)
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 688, height: 1000 })
    await page.goto(addresses.get('plain') as string)
    expect(await page.locator('[data-figure=sharpe] summary').isVisible()).toBe(true)
    expect(await page.locator('#formulas').isVisible()).toBe(true)
    expect(await page.locator('nav').isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    if (process.env.SHOW) await page.screenshot({ path: process.env.SHOW, fullPage: true })
    await page.close()
  })
})
