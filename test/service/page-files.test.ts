import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageFiles, pageHeaders } from '../../src/service/page/page-files.js'
import { tempDir, treeOf } from '../helper/temp.js'

const text = (path: string): string => new TextDecoder().decode(pageFiles().get(path)?.body)

test('the page is served under its paths, with types and entity tags by content', () => {
  const files = pageFiles()
  expect([...files.keys()]).toEqual(expect.arrayContaining(['/', '/page/app.js', '/page/style.css', '/page/icon.svg']))
  for (const [path, { type, body, headers }] of files) {
    expect(body.length, path).toBeGreaterThan(0)
    expect(type, path).toMatch(/^(text\/(html|javascript|css|plain)|image\/svg\+xml); charset=utf-8$/)
    expect(headers.ETag, path).toMatch(/^W\/"[0-9a-f]{32}"$/)
  }
  const tags = [...files.values()].map(({ headers }) => headers.ETag)
  expect(new Set(tags).size).toBe(files.size)
  expect(pageFiles()).toBe(files)
})

test('the policy lets nothing in from elsewhere, and nothing inline', () => {
  const policy = String(pageHeaders['Content-Security-Policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|http/)
  expect(text('/')).not.toMatch(/style=|<style|\son\w+=|https?:|<script(?![^>]*src=)/)
})

test('the page names no address but those of namespaces', () => {
  for (const [path, { body }] of pageFiles()) {
    if (path.endsWith('.txt')) continue
    const addresses = new TextDecoder().decode(body).match(/https?:\/\/[\w.-]+/g) ?? []
    expect(
      addresses.filter((address) => address !== 'http://www.w3.org'),
      path,
    ).toEqual([])
  }
})

test('the first load is small: the chart library comes when a chart is opened', () => {
  expect(text('/page/app.js')).not.toContain('zrender')
  expect(text('/page/app.js').length).toBeLessThan(150_000)
  expect([...pageFiles().keys()].some((path) => /^\/page\/chart-draw-\w+\.js$/.test(path))).toBe(true)
})

test('text from outside is never made markup', () => {
  const folder = 'src/service/page/client'
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (!name.endsWith('.ts')) continue
    const source = readFileSync(join(folder, name), 'utf8')
    expect(source, name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment/,
    )
    expect(source, name).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|\beval\(|new Function/)
  }
})

test('the same sources give the same bytes, those that are served', () => {
  const built = [tempDir(), tempDir()].map((dir) => {
    execFileSync(process.execPath, ['src/build/page.mjs', dir])
    return treeOf(dir)
  })
  expect(built[0]).toEqual(built[1])
  expect(built[0]).toEqual(treeOf('dist/lib/page'))
})

test('the licences of what is bundled lie beside it', () => {
  expect(text('/page/LICENCES.txt')).toMatch(/^echarts \d[\s\S]*\nzrender \d/)
})
