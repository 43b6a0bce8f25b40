import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chart } from '../../src/report/chart.js'
import { show } from '../../src/show/show-data.js'
import { browse, contrast, executablePath, watched } from '../helper/browser.js'
import { tableOf } from '../show/tables.js'

const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
const news = tableOf(
  {
    published_at: ['2026-07-29T09:30:00', null, '2026-07-29T09:31:00'],
    title: [hostile, '示例指数全天震荡，成交额较前一日放大', `" onmouseover="alert(3)`],
    close: [1.5, 22.25, null],
    note: ['x'.repeat(300), '', '转'.repeat(80)],
  },
  { close: { kind: 'number', unit: 'yuan', meaning: hostile } },
  { complete: false, note: hostile },
)

const pages = { light: ['#fff', '#111'], dark: ['#111', '#ddd'] } as const

/** A page as a notebook makes it: a table's own style, and those of a notebook that would push numbers about. */
async function pageOf(scheme: keyof typeof pages): Promise<string> {
  const [paper, ink] = pages[scheme]
  const drawn = await chart(news, { x: 'title', y: 'close', kind: 'bar', title: hostile })
  const theirs = `:not(.x).nb td,:not(.x).nb th,:not(.x).nb tr{text-align:right}.nb td{white-space:normal}.nb table{table-layout:fixed}`
  return `<!doctype html><meta charset="utf-8"><style>body{background:${paper};color:${ink}}${theirs}</style>
<body class="nb">${show(news).html()}${drawn.html()}</body>`
}

describe.runIf(executablePath)('shown in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  beforeAll(async () => {
    browser = await browse()
  })
  afterAll(() => browser?.close())

  test.each(['light', 'dark'] as const)('%s: quiet, in columns, legible; hostile text is text', async (scheme) => {
    const file = join(browser.folder, `${scheme}.html`)
    writeFileSync(file, await pageOf(scheme))
    const { page, said, asked } = await watched(browser.context)
    await page.goto(pathToFileURL(file).href)

    expect(await page.locator('script').count()).toBe(0)
    await page.locator('details summary').click()
    expect(await page.locator('td').allTextContents()).toContain(hostile)
    expect(await page.locator('img').count()).toBe(1)
    const image = `(() => { const image = document.querySelector('img'); return [image.complete, image.naturalWidth, image.alt] })()`
    const [complete, width, alt] = (await page.evaluate(image)) as [boolean, number, string]
    expect([complete, width]).toEqual([true, 796])
    expect(alt).toContain(hostile)
    for (const cell of await page.locator('td, th').all()) await cell.hover()
    expect(said).toEqual([])
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href])

    const rights = (await page.evaluate(
      `[...document.querySelectorAll('.n')].map((cell) => getComputedStyle(cell).textAlign)`,
    )) as string[]
    expect(new Set(rights)).toEqual(new Set(['right']))
    const lefts = (await page.evaluate(
      `[...document.querySelectorAll('td:not(.n)')].map((cell) => getComputedStyle(cell).textAlign)`,
    )) as string[]
    expect(new Set(lefts)).toEqual(new Set(['left']))
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

    const faded =
      (await page.evaluate(`[...document.querySelectorAll('.quotebook :is(td, th, p, small)')].map((part) => {
      const { color, opacity } = getComputedStyle(part)
      return [color, Number(opacity)]
    })`)) as [string, number][]
    const paper = scheme === 'light' ? 255 : 17
    for (const [color, opacity] of faded) {
      const mixed = color.replace(/[\d.]+/g, (part) => String(Number(part) * opacity + paper * (1 - opacity)))
      expect(contrast(mixed, `rgb(${paper},${paper},${paper})`)).toBeGreaterThan(4.5)
    }
    await page.close()
  })

  test('every ink of a chart stands out from its paper', async () => {
    const svg = (await chart(news, { x: 'title', y: 'close' })).svg()
    const rgb = (hex: string): string =>
      `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(',')})`
    for (const [, ink = ''] of svg.matchAll(/<text[^>]* fill="(#\w{6})"/g)) {
      expect(contrast(rgb(ink), rgb('#fdfcf9'))).toBeGreaterThan(4.5)
    }
  })
})
