import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inEnglish } from '../../../../src/contract/say.js'
import { html } from '../../../../src/research/report/html.js'
import { htmlDocument } from '../../../../src/research/report/html-document.js'
import { type PageManifest, pageHash } from '../../../../src/research/report/verify/page-manifest.js'
import { readPage } from '../../../../src/research/report/verify/read-page.js'
import { readPageManifest } from '../../../../src/research/report/verify/read-page-manifest.js'

type Given = Omit<PageManifest, 'version'>

const plain: Given = {
  kind: 'report',
  options: { days: 3 },
  inputs: [{ name: 'news', rows: 2, sha256: 'a'.repeat(64) }],
}

function pageOf(manifest: Given, body = html`<p>1</p>`): string {
  const sections = [{ id: 'one', title: 'One', body }]
  return htmlDocument({ say: inEnglish, title: 't', manifest, header: html``, sections })
}

const texts = fc.string({ unit: 'binary', maxLength: 40 })
// biome-ignore lint/suspicious/noControlCharactersInRegex: a page shows them as U+FFFD
const shown = texts.map((text) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' '))

test('any options come back from the page; its checksum holds, and breaks with any other character', async () => {
  const marks = fc.constantFrom('"page":"', '&quot;page&quot;:&quot;', '0'.repeat(64), '-->', '</head>', '">', '\\')
  const words = fc.array(fc.oneof(shown, marks), { maxLength: 4 }).map((list) => list.join(''))
  await fc.assert(
    fc.asyncProperty(words, words, fc.nat(), async (title, name, seed) => {
      const page = pageOf({ ...plain, options: { title, nested: { b: 1, a: [name] } }, source: { name } })
      const { manifest } = await readPage(page)
      expect(manifest.options).toEqual({ title, nested: { a: [name], b: 1 } })
      expect(manifest.source?.name).toBe(name)
      expect(pageHash(page, manifest.page)).toBe(manifest.page)
      const at = seed % page.length
      const other = `${page.slice(0, at)}${page[at] === 'x' ? 'y' : 'x'}${page.slice(at + 1)}`
      const found = await readPage(other).catch((error) => error)
      if (found instanceof Error) expect(found).toMatchObject({ code: 'INVALID_VALUE' })
      else expect(pageHash(other, found.manifest.page)).not.toBe(found.manifest.page)
    }),
    { numRuns: 150 },
  )
})

const hash = '0'.repeat(64)
const whole = { form: 1, kind: 'report', version: '0.1.0', options: {}, inputs: [], page: hash }

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['another form', { ...whole, form: 2 }],
  ['an unknown kind', { ...whole, kind: 'constructor' }],
  ['no options', { ...whole, options: 'days' }],
  ['no list of inputs', { ...whole, inputs: {} }],
  ['an input without rows', { ...whole, inputs: [{ name: 'news', rows: -1 }] }],
  ['an input that is a text', { ...whole, inputs: ['news'] }],
  ['an input with a wrong checksum', { ...whole, inputs: [{ name: 'news', rows: 1, sha256: '../../x' }] }],
  ['thousands of inputs', { ...whole, inputs: Array.from({ length: 2000 }, () => ({ name: 'a', rows: 1 })) }],
  ['a source without a text', { ...whole, source: { name: { toString: 1 } } }],
  ['no checksum', { ...whole, page: 'x' }],
  ['a very long version', { ...whole, version: 'x'.repeat(2000) }],
  ['too many characters', ' '.repeat(1_000_001)],
  ['depth', `${'['.repeat(400_000)}`],
])('a manifest that is not from Quotebook is refused: %s', (_, given) => {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  expect(() => readPageManifest(text)).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
})

test('a member __proto__ is a member', () => {
  const { options } = readPageManifest(
    JSON.stringify(whole).replace('"options":{}', '"options":{"__proto__":{"days":9}}'),
  )
  expect((options as { days?: number }).days).toBeUndefined()
})

test('figures are told by section, table, row and column, and outside tables by what stands before them', async () => {
  const body = html`<dl><dt>Mean</dt><dd><data class="value" value="1.25">1.3</data></dd></dl>
<div class="wide" role="group" aria-label="Prices"><table>
<thead><tr><th>code</th><th>price <small>yuan</small></th></tr></thead>
<tbody><tr><td class="text">600000</td><td class="number">10.5</td></tr>
<tr><td class="text">note</td><td class="prose">a text</td></tr></tbody></table></div><svg><text>7</text></svg>`
  const { figures } = await readPage(pageOf(plain, body))
  expect(figures).toEqual([
    { section: 'one', label: 'Mean, value', text: '1.3', value: '1.25' },
    { section: 'one', label: 'Prices | 600000 | price yuan', text: '10.5', value: undefined },
    { section: 'one', label: 'Prices | note | price yuan', text: 'a text', value: undefined },
  ])
})
