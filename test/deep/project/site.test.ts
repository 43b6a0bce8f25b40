// Deep: builds the site, and opens it in a browser.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datasetNames } from '../../../src/contract/catalogue.js'
import * as door from '../../../src/index.js'
import { browse, executablePath, watched } from '../../helper/browser.js'
import { main } from '../../helper/cli.js'
import { type Running, runService } from '../../helper/running-service.js'
import { tempProject } from '../../helper/temp.js'

interface Named {
  readonly name: string
  readonly doc: string
  readonly isForeign: boolean
}

const folder = 'dist/docs'
let files: readonly string[]
let pages: ReadonlyMap<string, string>

beforeAll(() => {
  const built = spawnSync('npm', ['run', 'docs'], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } })
  expect(built.status, built.stdout + built.stderr).toBe(0)
  const packed = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.br'))
  files = packed.map((name) => name.slice(0, -3))
  const html = files.filter((name) => name.endsWith('.html'))
  const textOf = (name: string): string => String(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))))
  pages = new Map(html.map((name) => [name, textOf(name)]))
})

const text = (html: string): string =>
  html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => text(id)))

test('no link of a page leads nowhere, nor to a heading that is not there', () => {
  const ids = new Map([...pages].map(([name, html]) => [name, idsOf(html)]))
  const lost = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^https:/.test(href)) return []
      const [path = '', anchor] = decodeURIComponent(text(href)).split('#')
      const to = path === '' ? name : path.startsWith('/docs/') ? path.slice(6) : join(dirname(name), path)
      const file = [to, join(to, 'index.html')].find((one) => files.includes(one) && /\.\w+$/.test(one))
      const isThere = file !== undefined && (!anchor || ids.get(file)?.has(anchor))
      return isThere ? [] : [`${name}: ${href}`]
    }),
  )
  expect(pages.size).toBeGreaterThan(140)
  expect(lost).toEqual([])
})

test('every dataset, command and public name has its place in both languages, and every name is documented', async () => {
  const help = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' }).stdout
  const commands = [...help.matchAll(/^ {2}(\w+) /gm)].flatMap(([, name = '']) => (name === 'help' ? [] : [name]))
  expect(commands.length).toBeGreaterThan(15)
  for (const base of ['', 'zh/']) {
    for (const name of datasetNames) expect(pages.get(`${base}datasets/${name}.html`), name).toContain('<table')
    for (const name of commands) expect(pages.has(`${base}commands/${name}.html`), name).toBe(true)
  }
  const { publicNames } = await import('../../../docs/.vitepress/api.mjs' as string)
  const named: ReadonlyMap<string, readonly Named[]> = publicNames()
  const names = [...named.values()].flat()
  expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(door)))
  expect(names.filter(({ doc, isForeign }) => doc.trim() === '' && !isForeign).map(({ name }) => name)).toEqual([])
  for (const at of ['api/', 'zh/api/']) {
    const all = [...pages].filter(([name]) => name.startsWith(at)).map(([, html]) => html)
    const lost = names.filter(({ name }) => !all.some((html) => html.includes(`<code>${name}</code>`)))
    expect(lost.map(({ name }) => name)).toEqual([])
  }
})

test('it is no larger than a package may be', () => {
  const bytesOf = (some: readonly string[]): number =>
    some.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.br`)).length, 0)
  expect(bytesOf(files.filter((name) => !name.endsWith('.png')))).toBeLessThan(2.2e6)
  expect(bytesOf(files.filter((name) => name.endsWith('.png')))).toBeLessThan(0.6e6)
})

test.each(['st', 'convertible_daily'])('a page of %s has rows of the sample', (name) => {
  expect(pages.get(`datasets/${name}.html`)).toMatch(/no number in it is real[\s\S]*<td[^>]*>2026\d{4}<\/td>/)
})

/** The texts of code on a page, of a language, without their colours. */
const codeOf = (page: string, kind: string): string[] =>
  [...page.matchAll(new RegExp(`<div class="language-${kind}[^>]*>[\\s\\S]*?<code[^>]*>([\\s\\S]*?)</code>`, 'g'))].map(
    ([, html = '']) => text(html.replace(/<[^>]*>/g, '')),
  )

test('the examples on the page of every dataset run as they stand', () => {
  const dir = tempProject()
  const command = `quotebook() { ${JSON.stringify(process.execPath)} ${JSON.stringify(main)} "$@"; }\n`
  for (const name of datasetNames) {
    const page = pages.get(`datasets/${name}.html`) ?? ''
    const [shell = [], program = []] = [codeOf(page, 'sh'), codeOf(page, 'ts')]
    expect([shell.length, program.length], name).toEqual([1, 1])
    const asked = spawnSync('sh', ['-ec', command + shell[0]], { encoding: 'utf8' })
    expect([asked.status, asked.stdout === ''], `${shell[0]}: ${asked.stderr}`).toEqual([0, false])
    writeFileSync(join(dir, `${name}.mjs`), String(program[0]))
  }
  writeFileSync(join(dir, 'all.mjs'), datasetNames.map((name) => `import './${name}.mjs'\n`).join(''))
  const ran = spawnSync(process.execPath, [join(dir, 'all.mjs')], { encoding: 'utf8' })
  expect([ran.status, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout.split('\n').filter((line) => /^\d+$/.test(line)).length).toBe(datasetNames.length)
})

describe.skipIf(executablePath === undefined)('under quotebook serve', () => {
  let service: Running
  let browser: Awaited<ReturnType<typeof browse>>

  beforeAll(async () => {
    service = await runService()
    browser = await browse()
  })
  afterAll(() => Promise.all([service.close(), browser.close()]))

  test.each([
    ['zh/', '溢价率', /溢价率/],
    ['zh/', '停牌', /停牌/],
    ['zh/', '前视', /前视/],
    ['zh/', '聚宽', /聚宽/],
    ['zh/', 'backtrader', /backtrader/],
    ['zh/', '冷却', /冷却/],
    ['zh/', '交割单', /交割单/],
    ['', 'premium', /premium/i],
    ['', 'look-ahead', /look-?ahead/i],
    ['', 'planOrders', /planOrders/],
    ['', '交割单', /交割单/],
  ])('/docs/%s: searching %s finds a page that has it, and nothing is asked elsewhere', async (at, query, wanted) => {
    const { page, said, asked } = await watched(browser.context)
    await page.goto(`${service.url}/docs/${at}guide/danfo.html`)
    await page.locator('#local-search button').first().click()
    await page.locator('input.search-input').fill(query)
    await page.locator('.result').first().waitFor()
    await page.locator('.result').first().click()
    await expect.poll(() => page.locator('main').textContent(), { timeout: 20_000 }).toMatch(wanted)
    expect(new URL(page.url()).pathname.startsWith(`/docs/${at}`)).toBe(true)
    expect(asked.filter((url) => !url.startsWith(`${service.url}/docs/`) && !url.startsWith('data:'))).toEqual([])
    expect(said).toEqual([])
  })

  test('what is no file of it is not there, assets are kept, and what one has is not sent again', async () => {
    const status = async (path: string): Promise<number> =>
      (await fetch(service.url + path, { redirect: 'manual' })).status
    expect(await status('/docs')).toBe(301)
    expect(await status('/docs/')).toBe(200)
    expect(await status('/docs/zh/')).toBe(200)
    const wrong = [
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/guide',
      '/docs/assets',
      '/docs/none',
    ]
    for (const path of wrong) expect(await status(path), path).toBe(404)
    const asset = files.find((name) => /^assets\/app.*\.js$/.test(name))
    const kept = await fetch(`${service.url}/docs/${asset}`)
    expect(kept.headers.get('cache-control')).toContain('immutable')
    expect(kept.headers.get('content-type')).toContain('javascript')
    const first = await fetch(`${service.url}/docs/`)
    expect(first.headers.get('content-security-policy')).not.toMatch(/unsafe-inline|unsafe-eval/)
    const again = await fetch(`${service.url}/docs/`, {
      headers: { 'if-none-match': String(first.headers.get('etag')) },
    })
    expect(again.status).toBe(304)
  })
})
