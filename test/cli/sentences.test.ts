import ts from 'typescript'
import { expect, test } from 'vitest'
import { allPhrases } from '../../src/contract/chinese/all-phrases.js'
import { inChinese, keepSentence, sentence, sentenceParts } from '../../src/contract/sentence.js'
import { chineseWarnings } from '../../src/research/report/tear-sheet/warning-words.js'
import { ErrorTexts, isSentence, templateText } from '../helper/error-texts.js'

const catalogue = { ...allPhrases, ...chineseWarnings }
const texts = new ErrorTexts('src')

/** Sentences of the source by their templates. */
function templatesOf(sources: Iterable<ts.SourceFile>): Set<string> {
  const templates = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (isSentence(node)) templates.add(templateText(node.template))
    ts.forEachChild(node, visit)
  }
  for (const source of sources) visit(source)
  return templates
}

const templates = templatesOf(texts.sources.values())

test('every sentence of the source has its Chinese, and no Chinese is left without its sentence', () => {
  expect([...templates].filter((template) => !Object.hasOwn(catalogue, template))).toEqual([])
  expect(Object.keys(catalogue).filter((template) => !templates.has(template))).toEqual([])
})

test('Chinese fills no place that the sentence has not', () => {
  const holes = (text: string): readonly string[] => text.match(/\{\d+\}/g) ?? []
  for (const [template, chinese] of Object.entries(catalogue))
    for (const hole of holes(chinese)) expect(holes(template), template).toContain(hole)
})

/** What is put into errors and is the same in both languages: names of options and their values, forms of names, the system's own. */
const names: ReadonlySet<string> = new Set([
  '{1}…',
  '{1} …',
  '{1}{2}',
  '{1}, {2}',
  ' ({1})',
  '{1} KiB',
  '{1} MiB',
  'V8 {1} on {2}',
  'retry: {1}',
  'factorStudy: forward {1}',
  'datasets.{1}.kept',
  'datasets.{1}.parts',
  'datasets.{1}.revised',
  'inputs[{1}]',
  'ticks[{1}].file',
  '{1}[{2}].file',
  '--rename {1}={2}',
  'text',
  'texts',
  'number',
  "{ day: 'tradedate', at: '15:30:00', note: 'after the close' }",
  'one to one',
  'one to many',
  'many to one',
  "'cb' or 'bond'",
  "'close' or '-close'",
  "{ old: 'new' }",
  'sum, mean, min, max, count, median, std, var',
  'sum, mean, min, max, first, last, count, median, std, var, nunique',
  ': types are only stripped',
  '<html {1} ',
  '&quot;page&quot;:&quot;{1}&quot;',
  '合成数据：由 $1 生成（seed $2），$3 至 $4，没有一行是真实数据。',
])

test('no error has a text without Chinese, however it is put together', () => {
  const plain = texts.found.filter(({ text }) => !names.has(text))
  expect(plain.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
})

test('a sentence is a text that Chinese is known of: within others, between semicolons, from another thread', () => {
  const chinese = { '{1} lacks {2}': '{2} 是 {1} 所没有的', 'all of {1}': '{1} 的全部', 'nothing else': '别无其他' }
  const text = sentence`${'a'} lacks ${sentence`all of ${'b'}`}`
  expect(text).toBe('a lacks all of b')
  expect(inChinese(text, chinese)).toBe('b 的全部是 a 所没有的')
  expect(inChinese(`${text}; nothing else; more`, chinese)).toBe('b 的全部是 a 所没有的；别无其他；more')
  expect(inChinese('a lacks all of c', chinese)).toBe('a lacks all of c')
  expect(sentence`${text}`).toBe(text)
  const parts = JSON.parse(JSON.stringify(sentenceParts(text)).replaceAll('"b"', '"d"').replaceAll('of b', 'of d'))
  keepSentence('a lacks all of d', parts)
  expect(inChinese('a lacks all of d', chinese)).toBe('d 的全部是 a 所没有的')
  for (let i = 0; i < 10_001; i++) sentence`number ${i}`
  expect([sentenceParts(text), sentenceParts('number 10000')?.values]).toEqual([undefined, ['10000']])
})
