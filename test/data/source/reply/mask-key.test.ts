import { expect, test } from 'vitest'
import { maskKey } from '../../../../src/data/source/reply/mask-key.js'

test('text keeps what is not of the key', () => {
  expect(maskKey('the key abcdefghij is bad', 'abcdefghij')).toBe('the key ••• is bad')
  expect(maskKey('cut: abcdefgh…', 'abcdefghij')).toBe('cut: •••…')
  expect(maskKey('abcdefg is too short a piece', 'abcdefghij')).toBe('abcdefg is too short a piece')
  expect(maskKey('nothing', '')).toBe('nothing')
  expect(maskKey('abcabc', 'abc')).toBe('•••')
})

test('a key is masked as it stands in JSON, in an address and in a page', () => {
  const key = 'weird "key" <with> & \\ 密钥 + spaces/='
  const page = key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  for (const spelling of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), page])
    expect(maskKey(`before ${spelling} after`, key)).toBe('before ••• after')
})
