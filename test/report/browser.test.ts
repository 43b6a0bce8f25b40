import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report } from '../../src/report/report.js'
import { fullInput, hostile } from './fixture.js'
import { sampleInput } from './sample-input.js'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find((path) => path !== undefined && existsSync(path))
const still = [
  '--no-sandbox --disable-gpu --disable-quic --no-first-run',
  '--disable-background-networking --disable-component-update --disable-sync',
].flatMap((flags) => flags.split(' '))

test.runIf(!executablePath)('a browser is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no chromium found; set CHROMIUM to its path')
  skip('no chromium found; set CHROMIUM to its path')
})

describe.runIf(executablePath)('the report in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-report-'))
  const address = pathToFileURL(join(folder, 'report.html')).href
  const sampleAddress = pathToFileURL(join(folder, 'sample.html')).href
  let context: BrowserContext

  beforeAll(async () => {
    writeFileSync(join(folder, 'report.html'), await report(fullInput()))
    writeFileSync(join(folder, 'sample.html'), await report(sampleInput({ days: 25, symbols: 4 })))
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      args: still,
      headless: true,
      ...(executablePath === undefined ? {} : { executablePath }),
    })
  })
  afterAll(async () => {
    await context?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(
    width: number,
    scheme: 'light' | 'dark',
    at = address,
  ): Promise<{ page: Page; said: string[]; asked: string[] }> {
    const page = await context.newPage()
    const [said, asked]: [string[], string[]] = [[], []]
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    page.on('dialog', (dialog) => {
      said.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', (request) => asked.push(request.url()))
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
    expect(await drawings.count()).toBe(5)
    for (const drawing of await drawings.all()) {
      const box = await drawing.boundingBox()
      expect(box?.width).toBeGreaterThan(300)
      expect(box?.height).toBeGreaterThan(150)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(said).toEqual([])
    expect(asked).toEqual([address])
    await page.close()
  })

  test('at 1200 px the worst cases fit the page, reasons and all', async () => {
    const { page } = await open(1200, 'dark', sampleAddress)
    await page.evaluate(`for (const part of document.querySelectorAll('#checks details')) part.open = true`)
    const wide = await page.evaluate(
      `[...document.querySelectorAll('#checks .wide')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.ariaLabel)`,
    )
    expect(wide).toEqual([])
    expect(await page.locator('#checks td.reason').count()).toBeGreaterThan(10)
    await page.close()
  })

  test('hostile text is shown as text', async () => {
    const { page, said } = await open(1200, 'light')
    for (const id of ['checks', 'convertible', 'anomaly', 'words']) {
      expect(await page.locator(`#${id}`).textContent()).toContain(hostile)
    }
    expect(await page.locator('img, script, iframe').count()).toBe(0)
    expect(said).toEqual([])
    await page.close()
  })

  /** The relative luminance contrast of two colours, WCAG 2.1. */
  const contrast = (a: string, b: string): number => {
    const light = (color: string): number => {
      const [r = 0, g = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number).map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * blue
    }
    const [low = 0, high = 0] = [light(a), light(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }

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
})
