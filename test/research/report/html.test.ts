import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHtml } from '../../../src/frame/show/cell-text.js'

const back: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const read = (markup: string): string => markup.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => back[entity] ?? '')

test('escaped text holds no markup and reads back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const markup = escapeHtml(text)
      expect(markup).not.toMatch(/[<>"']/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
      expect(read(markup)).toBe(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd'))
    }),
  )
})

test('any 16-bit text, broken or not, becomes text that UTF-8 can carry', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const markup = escapeHtml(String.fromCharCode(...units))
      expect(Buffer.from(markup).toString()).toBe(markup)
    }),
  )
})
