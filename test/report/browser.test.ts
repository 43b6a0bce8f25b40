import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderReport } from '../../src/report/render-report.js'
import { browse, contrast, executablePath, watched } from '../helper/browser.js'
import { fullInput, hostile } from './fixture.js'
import { sampleInput } from './sample-input.js'

test.runIf(!executablePath)('a browser is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no chromium found; set CHROMIUM to its path')
  skip('no chromium found; set CHROMIUM to its path')
})

describe.runIf(executablePath)('the report in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  let address: string
  let sampleAddress: string

  beforeAll(async () => {
    browser = await browse()
    const at = (name: string): string => join(browser.folder, name)
    writeFileSync(at('report.html'), await renderReport(fullInput()))
    writeFileSync(at('sample.html'), await renderReport(sampleInput({ days: 25, symbols: 4 })))
    address = pathToFileURL(at('report.html')).href
    sampleAddress = pathToFileURL(at('sample.html')).href
  })
  afterAll(() => browser?.close())

  async function open(
    width: number,
    scheme: 'light' | 'dark',
    at = address,
  ): Promise<{ page: Page; said: string[]; asked: string[] }> {
    const { page, said, asked } = await watched(browser.context)
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(at)
    return { page, said, asked }
  }

  test.each([
    [1200, 'light'],
    [1200, 'dark'],
    [390, 'light'],
  ] as const)('%i px, %s: quiet, whole, every drawing seen', async (width, scheme) => {
    const { page, said, asked } = await open(width, scheme)
    const drawings = page.locator('svg')
    expect(await drawings.count()).toBe(6)
    for (const drawing of await drawings.all()) {
      const box = await drawing.boundingBox()
      expect(box?.width).toBeGreaterThan(300)
      expect(box?.height).toBeGreaterThan(60)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(said).toEqual([])
    expect(asked).toEqual([address])
    await page.close()
  })

  test('at 390 px nothing lies off the screen, nor behind a table that scrolls', async () => {
    const { page } = await open(390, 'light', sampleAddress)
    await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`)
    const off = `[...document.querySelectorAll('body *')].filter((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      return width > 0 && (right > innerWidth + 1 || left < -1)
    }).slice(0, 5).map((one) => one.outerHTML.slice(0, 120))`
    expect(await page.evaluate(off)).toEqual([])
    await page.close()
  })

  test('at 1200 px the worst cases fit the page, reasons and all', async () => {
    const { page } = await open(1200, 'dark', sampleAddress)
    await page.evaluate(`for (const part of document.querySelectorAll('#appendix details')) part.open = true`)
    const wide = await page.evaluate(
      `[...document.querySelectorAll('#appendix .wide')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.ariaLabel)`,
    )
    expect(wide).toEqual([])
    expect(await page.locator('#appendix td.reason').count()).toBeGreaterThan(10)
    await page.close()
  })

  test('hostile text is shown as text', async () => {
    const { page, said } = await open(1200, 'light')
    for (const id of ['appendix', 'convertible', 'anomaly', 'documents']) {
      expect(await page.locator(`#${id}`).textContent()).toContain(hostile)
    }
    expect(await page.locator('img, script, iframe').count()).toBe(0)
    expect(said).toEqual([])
    await page.close()
  })

  test.each(['light', 'dark'] as const)('%s: words and charts stand out from the paper', async (scheme) => {
    const { page } = await open(1200, scheme)
    const paper = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string
    const inks = (await page.evaluate(`[
      ...[...document.querySelectorAll('p, td, th, a, summary, figcaption, .badge, .mark')].map((e) => getComputedStyle(e).color),
      ...[...document.querySelectorAll('svg text')].map((e) => getComputedStyle(e).fill),
    ]`)) as string[]
    for (const ink of new Set(inks)) expect(contrast(ink, paper), `${ink} on ${paper}`).toBeGreaterThan(4.5)
    const lines = (await page.evaluate(
      `[...document.querySelectorAll('svg path[stroke-width="1.8"]')].map((e) => getComputedStyle(e).stroke)`,
    )) as string[]
    expect(lines.length).toBeGreaterThan(5)
    for (const line of new Set(lines)) expect(contrast(line, paper), `${line} on ${paper}`).toBeGreaterThan(3)
    await page.close()
  })

  test('print: white paper and no figure broken between pages', async () => {
    const { page } = await open(1200, 'dark')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('figure')).breakInside`)).toBe('avoid')
    await page.close()
  })

  test('in print no word is broken, and at 390 px the meaning of each verdict is seen without scrolling', async () => {
    const { page } = await open(686, 'light', sampleAddress)
    await page.emulateMedia({ media: 'print' })
    const broken = `[...document.querySelectorAll('td .badge')].filter((one) => one.getClientRects().length > 1).length`
    expect(await page.locator('td .badge').count()).toBeGreaterThan(10)
    expect(await page.evaluate(broken)).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await page.setViewportSize({ width: 390, height: 900 })
    const hidden = `(() => {
      for (const part of document.querySelectorAll('details')) part.open = true
      const verdicts = [...document.querySelectorAll('.wide')].filter((one) => /Verdicts of/.test(one.outerHTML.slice(0, 300)))
      return [verdicts.length > 10, verdicts.filter((one) => one.scrollWidth > one.clientWidth).length]
    })()`
    expect(await page.evaluate(hidden)).toEqual([true, 0])
  })
})
