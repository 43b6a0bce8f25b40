import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inEnglish } from '../../../../src/contract/say.js'
import { html } from '../../../../src/research/report/html.js'
import { htmlDocument } from '../../../../src/research/report/html-document.js'
import { type PageManifest, pageHash } from '../../../../src/research/report/verify/page-manifest.js'
import { readPage } from '../../../../src/research/report/verify/read-page.js'
import { readPageManifest } from '../../../../src/research/report/verify/read-page-manifest.js'

type Given = Omit<PageManifest, 'version'>

const plain: Given = { kind: 'report', options: {}, inputs: [{ name: 'news', rows: 2, sha256: 'a'.repeat(64) }] }

function pageOf(manifest: Given): string {
  const sections = [{ id: 'one', title: 'One', body: html`<p>1</p>` }]
  return htmlDocument({ say: inEnglish, title: 't', manifest, top: { header: html`` }, sections })
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
  '{',
  '[]',
  'null',
  { ...whole, form: 2 },
  { ...whole, kind: 'constructor' },
  { ...whole, options: 'days' },
  { ...whole, inputs: {} },
  { ...whole, inputs: [{ name: 'news', rows: -1 }] },
  { ...whole, inputs: ['news'] },
  { ...whole, inputs: [{ name: 'news', rows: 1, sha256: '../../x' }] },
  { ...whole, inputs: Array.from({ length: 2000 }, () => ({ name: 'a', rows: 1 })) },
  { ...whole, source: { name: { toString: 1 } } },
  { ...whole, page: 'x' },
  { ...whole, version: 'x'.repeat(2000) },
  ' '.repeat(1_000_001),
  '['.repeat(400_000),
])('a manifest that is not from Quotebook is refused: %#', (given) => {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  expect(() => readPageManifest(text)).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
})

test('a member __proto__ is a member', () => {
  const { options } = readPageManifest(
    JSON.stringify(whole).replace('"options":{}', '"options":{"__proto__":{"days":9}}'),
  )
  expect((options as { days?: number }).days).toBeUndefined()
})
