// Deep: chromium measures every page on a telephone and on paper, and axe looks at it in both languages, light and dark.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { backtest, connect, panel, report, sweep, tearSheet, tradingDays, walkForward } from 'quotebook'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { browse, executablePath, watched } from '../../helper/browser.js'
import { servePage } from '../../helper/page-service.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const hasPdfText = spawnSync('pdftotext', ['-v']).status === 0
const openAll = `for (const part of document.querySelectorAll('details')) part.open = true`

/** A telephone of the usual size. */
const phone = { width: 390, height: 844 }

test.runIf(!executablePath || !hasPdfText)('a browser and pdftotext are there', ({ skip }) => {
  const lacks = 'no chromium, or no pdftotext (poppler-utils)'
  if (process.env.CI) throw new Error(lacks)
  skip(lacks)
})

/** Cells of numbers that take more than one line, which none may. */
const broken = `[...document.querySelectorAll('td.number')].filter((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size > 1
}).map((cell) => cell.textContent)`

/** Tables that scroll sideways of which the first column does not stay, and tables that are none to look at. */
const loose = `[...document.querySelectorAll('.wide')].filter((box) => {
  const table = box.querySelector('table')
  // A map that is folded fits, and its cells name their month themselves.
  if (getComputedStyle(table).display !== 'table')
    return box.scrollWidth > box.clientWidth || [...table.querySelectorAll('td')].some((cell) => cell.textContent && !cell.dataset.head)
  if (box.scrollWidth <= box.clientWidth) return false
  box.scrollLeft = 1e5
  const cell = table.querySelector('tbody tr > :first-child')
  return cell !== null && Math.abs(cell.getBoundingClientRect().left - box.getBoundingClientRect().left) > 1
}).map((box) => box.ariaLabel)`

describe.runIf(executablePath)('pages on a telephone and on paper', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  const files = new Map<string, string>()

  beforeAll(async () => {
    browser = await browse()
    const market = await connect()
    const prices = await market.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' })
    const bonds = panel(prices, { columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] })
    const make = ({ n = 3 }) => ({
      score: (bond: { readonly close: number; readonly cb_over_rate: number }) => bond.close + bond.cb_over_rate,
      pick: { n, side: 'lowest' as const },
      when: { weekly: 1 as const },
    })
    const trials = sweep(bonds, { n: [3, 5] }, make, { cash: 1e6 })
    const walk = walkForward(bonds, { n: [3, 5] }, make, { cash: 1e6, trainDays: 20, testDays: 10 })
    const run = backtest(bonds, make({ n: 3 }), { cash: 1e6 })
    const days = tradingDays('20220104', '20260630')
    const returns = days.map((_, at) => 0.0012 + (((at * 7919) % 13) - 6) / 1000)
    const other = { name: '沪深300', days, returns: returns.map((r) => r / 3) }
    for (const lang of ['en', 'zh'] as const) {
      const pages = {
        report: await report(market, { language: lang }),
        brief: await report(market, { language: lang, brief: true }),
        sheet: await tearSheet(run, { lang, sweep: trials, walkForward: walk }),
        years: await tearSheet({ days, returns }, { lang, benchmark: other }),
      }
      for (const [name, text] of Object.entries(pages)) {
        const file = join(browser.folder, `${name}-${lang}.html`)
        writeFileSync(file, text)
        files.set(`${name}-${lang}`, file)
      }
    }
  })
  afterAll(() => browser?.close())

  async function open(name: string, colorScheme: 'light' | 'dark' = 'light') {
    const { page } = await watched(browser.context)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(phone)
    await page.goto(pathToFileURL(files.get(name) as string).href)
    return page
  }

  test.each(['en', 'zh'])(
    '%s at 390 px: no page too wide, no number in two lines, first columns stay',
    async (lang) => {
      for (const name of ['report', 'brief', 'sheet', 'years']) {
        const page = await open(`${name}-${lang}`)
        await page.evaluate(openAll)
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(phone.width)
        expect(await page.evaluate(broken), name).toEqual([])
        expect(await page.evaluate(loose), name).toEqual([])
      }
    },
  )

  test('the report is half as tall as it was, the brief one one and a half screens', async () => {
    const heightOf = async (name: string) =>
      Number(await (await open(name)).evaluate('document.documentElement.scrollHeight'))
    expect(await heightOf('report-zh')).toBeLessThan(26_785 / 2)
    expect(await heightOf('report-en')).toBeLessThan(29_639 / 2)
    for (const lang of ['en', 'zh']) expect(await heightOf(`brief-${lang}`)).toBeLessThanOrEqual(1.5 * phone.height)
  })

  test.runIf(hasPdfText).each(['en', 'zh'])(
    '%s on paper: no page ends in a heading, none is half empty',
    async (lang) => {
      for (const name of ['report', 'brief', 'sheet', 'years']) {
        const page = await open(`${name}-${lang}`)
        const heads = (await page.locator('h2, h3, h4').allTextContents()).map((text) => text.replace(/\s/g, ''))
        const pdf = join(browser.folder, 'page.pdf')
        await page.pdf({ path: pdf, preferCSSPageSize: true })
        const told = spawnSync('pdftotext', ['-bbox-layout', pdf, '-'], { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout
        const pages = told.split('<page ').slice(1)
        if (name === 'brief') expect(pages).toHaveLength(1)
        for (const [at, one] of pages.entries()) {
          const lines = [...one.matchAll(/<line [^>]*yMax="([\d.]+)">([\s\S]*?)<\/line>/g)]
            .map(([, bottom, words = '']) => ({ bottom: Number(bottom), text: words.replace(/<[^>]+>|\s/g, '') }))
            .filter(({ text }) => !/^\d+\/\d+$/.test(text))
          const last = lines.reduce((low, line) => (line.bottom > low.bottom ? line : low))
          expect(heads, `${name}-${lang}, page ${at + 1}`).not.toContain(last.text)
          // A page of A4 is 842 points high.
          if (at + 1 < pages.length) expect(last.bottom, `${name}-${lang}, page ${at + 1}`).toBeGreaterThan(842 / 2)
        }
      }
    },
  )

  test('axe: nothing on any page that is more than minor, in either language, light or dark', async () => {
    const service = await servePage(new Archive(sampleDir, 'sample'))
    const addresses = [...files.values()].map((file) => pathToFileURL(file).href)
    const context = await browser.context.browser()?.newContext({ bypassCSP: true })
    const wrong: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const address of [...addresses, `${service.url}/try`, `${service.url}/try?lang=zh`]) {
        const page = await (context ?? browser.context).newPage()
        await page.emulateMedia({ colorScheme })
        await page.goto(address)
        await page.evaluate(openAll)
        await page.evaluate(axe)
        const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => [impact, id, html.slice(0, 120)].join(' '))))`)) as string[]
        wrong.push(
          ...found
            .filter((one) => /^(moderate|serious|critical)/.test(one))
            .map((one) => `${colorScheme} ${address}: ${one}`),
        )
        await page.close()
      }
    }
    await service.close()
    expect(wrong).toEqual([])
  })
})
