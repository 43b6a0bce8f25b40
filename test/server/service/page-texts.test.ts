import { describe, expect, test } from 'vitest'
import { datasetNames, datasets } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import {
  besideMeaning,
  columnMeaning,
  datasetText,
  knownText,
  paramMeaning,
  unitText,
} from '../../../src/contract/dataset-text.js'
import { chineseUnits } from '../../../src/contract/labels.js'
import { languages } from '../../../src/contract/language.js'
import { sayIn } from '../../../src/contract/say.js'
import { formatHash, parseHash, themes } from '../../../src/server/service/page/client/page-address.js'
import { type TextKey, translator } from '../../../src/server/service/page/client/page-text.js'

const chinese = /[\u4e00-\u9fff]/

describe.each((datasets as readonly Dataset[]).map((dataset) => [dataset.name, dataset] as const))(
  '%s in Chinese',
  (name, dataset) => {
    test('title, purpose and each rule', () => {
      const { title, about, rules } = datasetText(dataset, 'zh')
      for (const text of [title, about, ...rules]) expect(text).toMatch(chinese)
      expect(rules.length, 'one for each rule of the contract').toBe(dataset.rules.length)
    })

    test('when its rows are known, and what stands beside them', () => {
      expect(knownText(dataset, 'zh')).toMatch(chinese)
      const beside = { ...dataset.meta, ...dataset.stored }
      for (const [column, about] of Object.entries(beside))
        expect(besideMeaning(dataset, column, about, 'zh'), `${name}.${column}`).toMatch(chinese)
    })

    test('every param and column; numbers and codes of a meaning stay', () => {
      for (const [param, about] of Object.entries(dataset.params))
        expect(paramMeaning(dataset, param, about, 'zh'), `${name}.${param}`).toMatch(chinese)
      for (const [column, { unit }] of Object.entries(dataset.columns)) {
        expect(columnMeaning(dataset, column, 'zh'), `${name}.${column}`).toMatch(chinese)
        if (unit !== undefined) expect(unitText(dataset.columns[column], 'zh'), unit).not.toBe(unit)
      }
    })
  },
)

test('every unit has its Chinese, and none is left over', () => {
  const all = datasets as readonly Dataset[]
  const units = new Set(all.flatMap(({ columns }) => Object.values(columns).flatMap(({ unit }) => unit ?? [])))
  const ofResults = ['bar', 'share', 'stock']
  const ofImports = ['bond', 'fund unit', '1,000 yuan', '10,000 yuan', '100 million yuan', '10,000 shares']
  expect(new Set(Object.keys(chineseUnits))).toEqual(new Set([...units, ...ofImports, ...ofResults]))
})

test('a title of a value belongs to a value that a param allows', () => {
  for (const { name, valueTitles = {}, params } of datasets as readonly Dataset[]) {
    const allowed = Object.values(params).flatMap(({ values }) => values ?? [])
    for (const [value, title] of Object.entries(valueTitles)) {
      expect(allowed, name).toContain(value)
      expect(sayIn('zh')(title)).toMatch(chinese)
    }
  }
})

test('both languages fill the same places', () => {
  const [en, zh] = languages.map(translator)
  const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()
  for (const word of [
    'rows',
    'range',
    'cut',
    'paged',
    'rowsShown',
    'tooManyWait',
    'chartFirst',
    'notJson',
  ] as TextKey[])
    expect(places(String(zh?.(word))), word).toEqual(places(String(en?.(word))))
  expect(en?.('paged', { shown: 1, total: 9 })).toBe('1 of 9 records; limit and offset give the rest.')
})

test('the address keeps operation, language and theme, and survives nonsense', () => {
  for (const name of datasetNames)
    for (const language of [undefined, ...languages])
      for (const theme of themes) {
        const place = { name, language, theme }
        expect(parseHash(formatHash(place))).toEqual(place)
      }
  for (const hash of ['', '#', '#nonsense', '#&lang=fr&theme=red', '#__proto__', '#etf_minute&lang', '#%00&&=&'])
    expect(parseHash(hash)).toEqual({ name: 'etf_minute', language: undefined, theme: 'auto' })
})
