import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames } from './helper/catalogue.js'
import { folder, removeFolders } from './helper/files.js'
import { http, type Serving, serving } from './helper/serving.js'

removeFolders()

const dir = folder()
let [open, closed] = [] as unknown as [Serving, Serving]
beforeAll(async () => {
  const keys = join(dir, 'keys.json')
  writeFileSync(keys, '{"format":1,"keys":[]}')
  ;[open, closed] = await Promise.all([serving(['--no-log']), serving(['--no-log', '--keys', keys])])
})
afterAll(() => Promise.all([open?.end(), closed?.end()]))

const get = (path: string, headers = {}) => http(open.url + path, { headers })
const files = ['/try', '/page/app.js', '/page/style.css', '/page/icon.svg', '/page/LICENCES.txt']

test('the page comes with its script, style and icon, each of its type, under a policy that lets in nothing else', async () => {
  const types = ['text/html', 'text/javascript', 'text/css', 'image/svg+xml', 'text/plain']
  for (const [at, path] of files.entries()) {
    const { status, headers } = await get(path)
    expect([path, status, headers['content-type']]).toEqual([path, 200, `${types[at]}; charset=utf-8`])
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'cache-control': 'no-cache',
    })
  }
})

test('a file that the browser has is not sent again, HEAD has no body, and a request with another tag has all of it', async () => {
  for (const path of files) {
    const whole = await get(path)
    const tag = String(whole.headers.etag)
    const again = await get(path, { 'if-none-match': tag })
    expect([path, again.status, again.text, again.headers.etag]).toEqual([path, 304, '', tag])
    expect((await get(path, { 'if-none-match': 'W/"other"' })).status).toBe(200)
    const head = await http(open.url + path, { method: 'HEAD' })
    expect([head.headers['content-length'], head.text]).toEqual([String(whole.body.length), ''])
  }
})

test('the HTML has no script and no style in it, and whoever runs none is told what to do, in both languages', async () => {
  const { text } = await get('/try')
  expect(text).toMatch(/^<!doctype html>\n<html data-key="none" lang="en">/)
  expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="page/app.js">'])
  expect(text).not.toMatch(/<style|style=|\son\w+=|javascript:/i)
  expect(text).toContain(
    '<p class="alone">This page needs JavaScript. Without it: send <code>POST /api</code> with a JSON body, as \
<code>GET /openapi.json</code> describes.</p>',
  )
  expect(text).toMatch(/<p class="alone" lang="zh-CN">本页需要 JavaScript。/)
})

test('only the page of a service without a key file says that no key is needed', async () => {
  const [without, needed] = [(await get('/try')).text, (await http(`${closed.url}/try`)).text]
  expect(without).toBe(needed.replace('<html ', '<html data-key="none" '))
  expect(needed).not.toContain('data-key')
})

/** All scripts that the page can load, by their paths. */
async function scripts(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const open = ['/page/app.js']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { status, text } = await get(path)
    expect([path, status]).toEqual([path, 200])
    found.set(path, text)
    for (const [, name] of text.matchAll(/"\.\/([\w.-]+\.js)"/g))
      if (!found.has(`/page/${name}`)) open.push(`/page/${name}`)
  }
  return found
}

test('its scripts load nothing from elsewhere, run no text, and the chart comes apart from what is loaded first', async () => {
  const all = await scripts()
  expect([...all.keys()].some((path) => path.startsWith('/page/live-chart-'))).toBe(true)
  const first = all.get('/page/app.js') ?? ''
  expect(first.length).toBeLessThan(120_000)
  for (const [path, text] of all) {
    const addresses = [...text.matchAll(/https?:\/\/[\w./-]+/g)].map(([address]) => address)
    expect([path, addresses.filter((address) => !/w3\.org|quotebook|127\.0\.0\.1/.test(address))]).toEqual([path, []])
    expect([path, /\beval\(|new Function\(|document\.write/.test(text)]).toEqual([path, false])
  }
  expect(first).not.toMatch(/insertAdjacentHTML|outerHTML|createContextualFragment|DOMParser/)
  expect((await get('/page/style.css')).text).not.toMatch(/@import|url\((?!["']?data:)/)
})

test('a script says in its licences what it is made of', async () => {
  const { text } = await get('/page/LICENCES.txt')
  expect(text).toContain('echarts')
  expect(text).toContain('Apache License')
})

test('the page knows every operation, in both languages', async () => {
  const main = (await get('/page/app.js')).text
  const chunks = main.match(/chunk-\w+\.js/g) ?? []
  const app = [main, ...(await Promise.all(chunks.map(async (name) => (await get(`/page/${name}`)).text)))].join('')
  const { components } = JSON.parse((await get('/openapi.json')).text)
  const names = components.schemas.Request.discriminator.mapping as Record<string, string>
  expect(Object.keys(names).sort()).toEqual([...datasetNames].sort())
  for (const name of Object.keys(names)) expect(app).toContain(`"${name}"`)
  for (const words of ['Test page', '测试页', 'Nothing sent yet.', '尚未发送。']) expect(app).toContain(words)
})

test('no other file is under /page/, however it is spelt', async () => {
  for (const path of [
    '/page/',
    '/page/index.html',
    '/page/../../package.json',
    '/page/%2e%2e/app.js',
    '/page/app.js/',
    '/page/APP.js',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})
