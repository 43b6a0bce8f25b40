/* Deep: half a minute in chromium; one test of the page in a browser is among the fast ones. */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { datasetNames } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { archiveHeader, archiveHeaderName } from '../../../src/data/source/reply/archive-identity.js'
import { browse, contrast, executablePath, watched } from '../../helper/browser.js'
import { type PageService, servePage } from '../../helper/page-service.js'
import type { Request } from '../../helper/service.js'

test.runIf(!executablePath)('a browser is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no chromium found; set CHROMIUM to its path')
  skip('no chromium found; set CHROMIUM to its path')
})

const key = 'qk-3f7a-never-to-be-seen'
const password = 'pw-91-hidden'
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>`

/** The text of what is seen there. */
async function seen(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).allInnerTexts()).join('\n')
}

describe.runIf(executablePath)('the test page in a browser', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  let service: PageService
  let before: ((request: Request, response: ServerResponse) => boolean) | undefined

  beforeAll(async () => {
    browser = await browse()
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    service = await servePage(
      new Archive(sampleDir, 'sample'),
      (request, response) => before?.(request, response) ?? false,
    )
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })
  beforeEach(() => {
    before = undefined
  })

  const content = (fields: readonly string[], items: readonly unknown[], beside: object = {}) => ({
    code: 200,
    message: 'success',
    data: { fields, items, ...beside },
  })

  /** Answers every call with this. */
  function answering(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    before = (_, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
      return true
    }
  }

  interface Opened {
    readonly page: Page
    /** Console, errors, dialogs: all of it. */
    readonly said: string[]
    readonly asked: string[]
  }

  async function open(hash: string, width = 1280, scheme: 'light' | 'dark' = 'light'): Promise<Opened> {
    const { page, said, asked } = await watched(browser.context)
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${service.url}/try${hash}`)
    await page.fill('#apikey', key)
    return { page, said, asked }
  }

  async function send(page: Page): Promise<string> {
    await page.click('#send')
    await page.waitForSelector('#line .sizes')
    return seen(page, '#line')
  }

  test.each(datasetNames)(
    '%s: its example is sent as it stands and answered, with no word on the console',
    async (name) => {
      const { page, said, asked } = await open(`#${name}&lang=en`)
      const line = await send(page)
      expect(line).toMatch(/^200\s+success\s+\d+ rows?\s+\d+ bytes\s+\d+ ms$/)
      expect(service.requests.at(-1)).toMatchObject({ apikey: key, apiname: name })
      expect(await page.locator('#panel-table td').count()).toBeGreaterThan(0)
      expect(said).toEqual([])
      expect(asked.filter((url) => !url.startsWith(service.url))).toEqual([])
    },
  )

  test('names and initials become codes before a request, dates their one form, and what fits two codes is listed', async () => {
    const { page, said } = await open('#convertible_daily&lang=en')
    await page.click('text=Clear')
    await page.fill('#param-symbols', '云帆转债, hyzz')
    await page.fill('#param-tradedate', '2026/7/28')
    expect(await send(page)).toMatch(/^200\s+success\s+2 rows/)
    expect(service.requests.at(-1)?.params).toEqual({ symbols: ['123124.SZ', '110059.SH'], tradedate: '20260728' })
    expect(await page.inputValue('#param-symbols')).toBe('123124.SZ,110059.SH')
    const before = service.requests.length
    await page.goto(`${service.url}/try#etf_minute&lang=zh`)
    await page.fill('#param-symbols', '沪深300ETF')
    await page.click('#send')
    await page.waitForSelector('#param-symbols-why:not([hidden])')
    const why = await seen(page, '#param-symbols-why')
    expect(why).toContain('可能是')
    expect(why).toContain('510300.SH 沪深300ETF华泰柏瑞')
    expect(service.requests.length).toBe(before)
    expect(said).toEqual([])
  })

  test('the key is in the input and the request, and nowhere else', async () => {
    const { page } = await open('#etf_minute&lang=en')
    answering({ code: 403, message: `unknown key ${key}`, data: null })
    const line = await send(page)
    expect(line).toContain('403')
    expect(line).toContain('unknown key <API_KEY>')
    expect(await page.getAttribute('#apikey', 'aria-invalid')).toBe('true')
    for (const tab of ['typescript', 'body', 'curl', 'json']) {
      await page.click(`#tab-${tab}`)
      expect(await page.content()).not.toContain(key)
    }
    expect(await seen(page, '#panel-curl')).toContain('<API_KEY>')
    expect(page.url()).not.toContain(key)
    await page.click('#language-zh')
    expect(await page.inputValue('#apikey')).toBe(key)
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])')
    expect(stored).toBe('[{},{},"",null]')
    await page.reload()
    expect(await page.inputValue('#apikey')).toBe('')
  })

  test('the table shows what the service sent: digits, null as a dash, meaning and unit', async () => {
    const { page } = await open('#etf_minute&lang=en')
    const items = [['20260701', '510300.SH', '0930', '09:30:01', 4.1, 4.12, 4, 4.105, null, 12345678901.23, null]]
    const fields = 'tradedate,symbol,trademin,time,open,high,low,close,vol,amount,vwap'.split(',')
    const text = JSON.stringify(content(fields, items))
    answering(text.replace('4.105', '4.1050000000000000001'))
    await send(page)
    expect(await page.locator('#panel-table .rows td').allInnerTexts()).toEqual(
      '20260701 510300.SH 0930 09:30:01 4.1 4.12 4 4.1050000000000000001 — 12345678901.23 —'.split(' '),
    )
    expect(await page.locator('.rows th').nth(9).getAttribute('title')).toMatch(/^Turnover: .*\(yuan\)$/)
    await page.click('#tab-json')
    expect(await seen(page, '#panel-json pre')).toContain('4.1050000000000000001')
  })

  test('6,000 rows: a hundred at a time, the cap is said, the download is the answer byte for byte', async () => {
    const { page, said } = await open('#convertible_daily&lang=en')
    const fields = ['tradedate', 'code', 'close', 'name']
    const items = Array.from({ length: 6000 }, (_, i) => ['20260701', `${100000 + i}.SZ`, i / 8, hostile.repeat(3)])
    const text = JSON.stringify(content(fields, items))
    answering(text)
    expect(await send(page)).toContain('6000 rows')
    expect(await seen(page, '.short')).toContain('rows may be missing')
    expect(await page.locator('.rows tbody tr').count()).toBe(100)
    await page.click('[aria-label="Last page"]')
    expect(await seen(page, '.where')).toBe('Rows 5901 to 6000 of 6000')
    expect(await seen(page, '.rows tbody tr:last-child td:nth-child(2)')).toBe('105999.SZ')
    expect(await page.locator('[aria-label="Next page"]').isDisabled()).toBe(true)
    await page.click('#tab-json')
    expect((await seen(page, '#panel-json pre')).length).toBeLessThan(110_000)
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#panel-json button')])
    expect(file.suggestedFilename()).toBe('convertible_daily.json')
    expect(readFileSync(String(await file.path()), 'utf8')).toBe(text)
    expect(said).toEqual([])
  })

  test('text from outside is text; a link is http(s) and tells the other side nothing', async () => {
    const { page, said } = await open('#news&lang=en')
    const fields = ['title', 'url', 'image', hostile]
    const items = [
      [hostile, 'javascript:alert(3)', 'https://pictures.example/a.png', hostile],
      ['x', 'https://news.example/a?b=<c>', 'data:text/html,x', null],
      [hostile.repeat(20), 'HTTP://[', 'http://', 1],
    ]
    answering({ ...content(fields, items, { count: 3, meta: { a: hostile } }), message: hostile })
    expect(await send(page)).toContain(hostile)
    await page.click('#tab-json')
    const links = await page
      .locator('.result a')
      .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('rel'), a.getAttribute('target')]))
    expect(links).toEqual([
      ['https://pictures.example/a.png', 'noopener noreferrer', '_blank'],
      ['https://news.example/a?b=%3Cc%3E', 'noopener noreferrer', '_blank'],
    ])
    expect(await page.locator('.result img, .result script, .result iframe').count()).toBe(0)
    expect(said).toEqual([])
  })

  test('an answer says which archive it comes from, and that its rows are not real', async () => {
    const { page } = await open('#st&lang=en')
    const state = 'a'.repeat(64)
    const about = `SYNTHETIC: no row is real ${hostile}`
    const header = archiveHeader({ name: 'sample', about, state, partial: ['st'] })
    answering(content(['name'], [['x']]), 200, { [archiveHeaderName]: header })
    await send(page)
    expect(await seen(page, '.origin')).toBe(`Archive sample · ${about}`)
    expect(await seen(page, '.short:not(.origin)')).toContain('rows may be missing')
  })

  test('a share: a record with its password behind dots until it is asked for', async () => {
    const { page } = await open('#file_download&lang=en')
    const share = { data_type: 'auction_tick', year: 2026, url: 'https://share.example/x', password, retry_after: 0 }
    answering({ code: 200, message: 'success', data: { code: 0, message: 'success', data: share } })
    await send(page)
    await page.click('#tab-json')
    expect(await page.content()).not.toContain(password)
    await page.click('#tab-table')
    await page.click('text=Reveal')
    expect(await seen(page, '.secret')).toBe(password)
    await page.click('text=Hide')
    expect(await page.content()).not.toContain(password)
    answering({ code: 200, message: 'success', data: { code: 503, message: 'preparing', data: null } })
    expect(await send(page)).toContain('File result: Temporarily unavailable · preparing')
  })

  test('a refusal names its field, and the field is marked until it changes', async () => {
    const { page } = await open('#convertible_daily&lang=en')
    await page.fill('#param-startdate', '20260799')
    expect(await seen(page, '#warning')).toContain('startdate must be a date')
    expect(await send(page)).toMatch(/^422\s+Parameter error · startdate must be a date/)
    expect(await page.getAttribute('#param-startdate', 'aria-invalid')).toBe('true')
    expect(await seen(page, '#param-startdate-why')).toContain('startdate must be a date')
    await page.fill('#param-startdate', '20260701')
    expect(await page.getAttribute('#param-startdate', 'aria-invalid')).toBe('false')
  })

  test('what may not stand together closes the other side and says why', async () => {
    const { page } = await open('#transfer_financing&lang=en')
    expect(await page.locator('#param-tradedate').isDisabled()).toBe(true)
    expect(await seen(page, '#param-tradedate-why')).toBe('Not together with recentdays.')
    await page.fill('#param-recentdays', '')
    expect(await page.locator('#param-tradedate').isDisabled()).toBe(false)
    await page.fill('#param-startdate', '20260701')
    expect(await page.locator('#param-recentdays').isDisabled()).toBe(true)
    await page.click('text=Clear')
    expect(await page.locator('.field :disabled').count()).toBe(0)
    await page.click('text=Example')
    expect(await page.inputValue('#param-recentdays')).toBe('5')
  })

  test('fields: all by default, the chosen ones when some are', async () => {
    const { page } = await open('#st&lang=en')
    await send(page)
    expect(service.requests.at(-1)).not.toHaveProperty('fields')
    await page.click('.fields summary')
    await page.uncheck('#field-name')
    await page.uncheck('#field-type_name')
    await send(page)
    expect(service.requests.at(-1)).toMatchObject({ fields: 'tradedate,symbol,type' })
    expect(await page.locator('.rows th').allInnerTexts()).toEqual(['tradedate', 'symbol', 'type'])
    await page.click('text=None')
    expect(await seen(page, '#warning')).toContain('Choose at least one field')
  })

  test('too many requests: the seconds run down; no answer, no JSON, no envelope: one line each', async () => {
    const { page } = await open('#st&lang=en')
    answering({ code: 429, message: 'slow down', data: null }, 429, { 'Retry-After': '2' })
    expect(await send(page)).toContain('Too many requests · slow down')
    expect(await seen(page, '#wait')).toMatch(/^again in [12] s$/)
    await page.getByText('you may send again').waitFor()
    answering({ code: 503, message: 'not ready', data: null })
    expect(await send(page)).toContain('Temporarily unavailable · not ready')
    answering('<html>Bad gateway</html>', 502)
    expect(await send(page)).toContain('The answer is not JSON (HTTP 502).')
    answering('[]')
    expect(await send(page)).toContain('not an envelope')
    answering({ code: 1002, message: 'no data', data: null })
    expect(await send(page)).toContain('That is an answer, not an error.')
    before = (_, response) => {
      response.destroy()
      return true
    }
    await page.click('#send')
    await page.getByText('No answer: the service can not be reached.').waitFor()
  })

  test('Escape and the button cancel; nothing comes after', async () => {
    const { page } = await open('#st&lang=en')
    const held: ServerResponse[] = []
    before = (_, response) => held.push(response) > 0
    for (const cancel of [() => page.keyboard.press('Escape'), () => page.click('#cancel')]) {
      expect(await page.locator('#cancel').isDisabled()).toBe(true)
      await page.focus('#apikey')
      await page.keyboard.press('Control+Enter')
      await page.getByText('Waiting for the answer').waitFor()
      await expect.poll(() => held.length).toBeGreaterThan(0)
      await cancel()
      await page.getByText('Cancelled.').waitFor()
      held.pop()?.end(JSON.stringify(content(['late'], [[1]])))
    }
    expect(await seen(page, '#line')).toBe('Cancelled.')
  })

  test('what was switched while an answer was on its way: it comes in the new language, and only where it was asked', async () => {
    const { page } = await open('#st&lang=en')
    const held: ServerResponse[] = []
    const answer = JSON.stringify(content(['name'], [['x']]))
    before = (_, response) => held.push(response) > 0
    await page.click('#send')
    await expect.poll(() => held.length).toBe(1)
    await page.click('#language-zh')
    expect(await seen(page, '#line')).toBe('等待应答…')
    expect(await page.locator('#cancel').isEnabled()).toBe(true)
    held.pop()?.end(answer)
    await page.locator('.sizes', { hasText: '1 行' }).waitFor()
    expect(await page.locator('#cancel').isDisabled()).toBe(true)
    await page.click('#send')
    await expect.poll(() => held.length).toBe(1)
    await page.click('nav a[href*="news"]')
    held.pop()?.end(answer)
    expect(await seen(page, '#line')).toContain('尚未发送')
    await page.goBack()
    await page.getByText('已取消。').waitFor()
  })

  test('sent again while waiting: the second call counts, and can still be cancelled', async () => {
    const { page } = await open('#st&lang=en')
    const held: ServerResponse[] = []
    before = (_, response) => held.push(response) > 0
    await page.click('#send')
    await expect.poll(() => held.length).toBe(1)
    await page.click('#send')
    await expect.poll(() => held.length).toBe(2)
    await page.evaluate('new Promise((done) => setTimeout(done, 50))')
    expect(await seen(page, '#line')).toBe('Waiting for the answer…')
    expect(await page.locator('#cancel').isEnabled()).toBe(true)
    held[1]?.end(JSON.stringify({ ...content(['name'], [['x']]), message: 'second' }))
    await page.getByText('second').first().waitFor()
    held[0]?.destroy()
  })

  test('the chart: K-lines with volume, its library asked for only then, read out as words; a crosshair by keys', async () => {
    const { page, said, asked } = await open('#etf_minute&lang=en', 1280, 'dark')
    await send(page)
    expect(asked.some((url) => url.includes('live-chart'))).toBe(false)
    await page.click('#tab-chart')
    await page.waitForSelector('.live-area svg text')
    expect(asked.some((url) => url.includes('live-chart'))).toBe(true)
    expect(await page.locator('.live-area svg text').allTextContents()).toContain('vwap')
    const area = page.locator('.live-area')
    expect(await area.getAttribute('aria-description')).toContain('09:30 – 15:00')
    const fill = `getComputedStyle(document.querySelector('.live-area path[fill="var(--down)"]')).fill`
    expect(await page.evaluate(fill)).toBe('rgb(134, 207, 159)')
    await page.click('#theme-light')
    expect(await page.evaluate(fill)).toBe('rgb(31, 107, 58)')
    await area.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.locator('.live-area .live-reading b').textContent()).toBe('15:00')
    const names = await page.locator('.live-area .live-reading > span > span').allTextContents()
    expect(names).toEqual(['open', 'high', 'low', 'close', 'vwap', 'vol (lot)'])
    // Its policy lets no style in that stands in markup: the drawing needs none.
    expect(said).toEqual([])
  })

  test('a table is ordered by its heads, missing values last, and filtered by a text', async () => {
    const { page } = await open('#etf_minute&lang=en')
    await send(page)
    const column = async (n: number): Promise<number[]> =>
      (await page.locator(`#panel-table tbody tr td:nth-child(${n})`).allTextContents()).map(Number)
    const heads = await page
      .locator('#panel-table thead th')
      .evaluateAll((all) => all.map((one) => one.querySelector('span')?.textContent))
    const at = heads.indexOf('vol') + 1
    const came = await column(at)
    const head = page.locator(`#panel-table .rows thead th:nth-child(${at})`)
    await head.locator('button').click()
    expect(await column(at)).toEqual([...came].sort((a, b) => a - b))
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    await head.locator('button').click()
    expect(await column(at)).toEqual([...came].sort((a, b) => b - a))
    await head.locator('button').click()
    expect(await column(at)).toEqual(came)
    await page.fill('.filter', '1500')
    expect(await page.locator('#panel-table .rows tbody tr').count()).toBe(1)
    await page.fill('.filter', 'nothing like it')
    expect(await page.locator('#panel-table [role=status]').textContent()).toBe('No row holds this.')
  })

  test('the keyboard alone: from the address bar to an answer, with the focus always in sight', async () => {
    const { page } = await open('#st&lang=en')
    await page.reload()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('apikey')
    const passed: string[] = []
    for (let i = 0; i < 40 && passed.at(-1) !== 'send'; i++) {
      await page.keyboard.press('Tab')
      passed.push(await page.evaluate('document.activeElement.id || document.activeElement.tagName'))
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), passed.at(-1)).toBe('solid')
    }
    const order = [
      'param-type-0',
      'param-type-1',
      'param-symbols',
      'param-startdate',
      'param-enddate',
      'SUMMARY',
      'send',
    ]
    expect(passed.filter((id) => id !== 'BUTTON')).toEqual(order)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#line .sizes')
    await page.focus('#tab-table')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-json')
    expect(await page.locator('#panel-json').isVisible()).toBe(true)
    await page.keyboard.press('Home')
    expect(await page.locator('#panel-table').isVisible()).toBe(true)
    expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(2)
  })

  test('labels, names and live lines are there for those who listen', async () => {
    const { page } = await open('#finance_announcement&lang=en')
    const nameless = await page.evaluate(`[...document.querySelectorAll('input, select, button')]
      .filter((e) => e.checkVisibility() && !(e.labels?.length || e.textContent.trim() || e.ariaLabel)).map((e) => e.outerHTML)`)
    expect(nameless).toEqual([])
    expect(await page.getAttribute('#line', 'aria-live')).toBe('polite')
    const ids = (await page.evaluate(`[...document.querySelectorAll('[id]')].map((e) => e.id)`)) as string[]
    expect(new Set(ids).size).toBe(ids.length)
    const dangling =
      await page.evaluate(`[...document.querySelectorAll('[aria-describedby], [aria-labelledby], [aria-controls]')]
      .flatMap((e) => ['aria-describedby', 'aria-labelledby', 'aria-controls'].flatMap((n) => (e.getAttribute(n) ?? '').split(' ')))
      .filter((id) => id && !document.getElementById(id))`)
    expect(dangling).toEqual([])
  })

  test('two languages, two themes: in the address, and back again', async () => {
    const { page } = await open('#st', 1280, 'light')
    await page.click('#language-zh')
    expect(await page.evaluate('document.activeElement.id')).toBe('language-zh')
    expect(await seen(page, '.about h2')).toContain('ST 标记')
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN')
    expect(await send(page)).toMatch(/行\s+\d+ 字节\s+\d+ 毫秒$/)
    await page.click('#theme-dark')
    expect(page.url()).toContain('#st&lang=zh&theme=dark')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(21, 24, 28)')
    expect(await seen(page, '#line')).toContain('200')
    await page.click('nav a[href*="news"]')
    expect(page.url()).toContain('#news&lang=zh&theme=dark')
    expect(await seen(page, '#line')).toBe('尚未发送。表单中已填入示例，可直接发送。')
    await page.goBack()
    expect(await seen(page, '#line')).toContain('200')
  })

  test('copy puts the text on the clipboard', async () => {
    const { page } = await open('#etf_minute&lang=en')
    await page.click('#tab-typescript')
    await page.click('#panel-typescript button')
    await page.getByText('Copied').waitFor()
    const text = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(text).toContain(`nodes: ['${service.url}']`)
    expect(text).toContain("market.table.etfMinute({ symbols: ['510300.SH'], period: '15m' })")
  })

  test.each([
    ['light', 'en', 1280],
    ['dark', 'zh', 1280],
    ['light', 'zh', 360],
    ['dark', 'en', 360],
  ] as const)('%s, %s, %i px: text stands out, nothing overflows', async (scheme, language, width) => {
    for (const name of ['transfer_financing', 'news', 'theme_lib_detail_kp']) {
      const { page } = await open(`#${name}&lang=${language}`, width, scheme)
      await send(page)
      await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name).toBe(true)
      const inks = (await page.evaluate(`[...new Set([...document.querySelectorAll('body *')].filter((e) =>
        e.checkVisibility() && !e.disabled && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((e) => {
          let under = e
          while (under && getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)') under = under.parentElement
          return getComputedStyle(e).color + '|' + getComputedStyle(under ?? document.body).backgroundColor
        }))]`)) as string[]
      expect(inks.length).toBeGreaterThan(4)
      for (const pair of inks) {
        const [ink = '', paper = ''] = pair.split('|')
        expect(contrast(ink, paper), `${name}: ${pair}`).toBeGreaterThan(4.5)
      }
      const edges = (await page.evaluate(
        `[...document.querySelectorAll('input[type=text]:enabled, select, .switch button')].map((e) => getComputedStyle(e).borderTopColor)`,
      )) as string[]
      const paper = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string
      for (const edge of new Set(edges)) expect(contrast(edge, paper), edge).toBeGreaterThan(3)
    }
  })

  test('print: white paper, the answer whole, no controls', async () => {
    const { page } = await open('#etf_minute&lang=en&theme=dark', 1280, 'dark')
    await send(page)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.locator('#send').isVisible()).toBe(false)
    expect(await page.locator('.rows').isVisible()).toBe(true)
    expect(await seen(page, '.call-text')).toBe('etf_minute {"symbols":["510300.SH"],"period":"15m"}')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.wide')).overflow`)).toBe('visible')
  })
})
