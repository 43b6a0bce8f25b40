import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { wordsIn } from '../../src/contract/say.js'
import { Fact, listOf, received, sent, sentence } from '../../src/contract/sentence.js'
import { ErrorTexts, isSentence, templateText } from '../helper/error-texts.js'

const chinese: Readonly<Record<string, string>> = JSON.parse(readFileSync('src/contract/locale/zh.json', 'utf8'))
const texts = new ErrorTexts('src')

/** The template of a call that takes one: say('Largest gains'), fact('CODE', 'high {high}'). */
function calledWith(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node)) return undefined
  const at = { say: 0, tell: 0, wrongUse: 0, fact: 1 }[node.expression.getText().replace(/^.*\./s, '')]
  return at === undefined ? undefined : node.arguments[at]
}

const templates = new Set<string>()
const literals = new Set<string>()
function collect(node: ts.Node): void {
  if (isSentence(node)) templates.add(templateText(node.template))
  const given = calledWith(node)
  if (given && ts.isStringLiteralLike(given)) templates.add(given.text)
  if (ts.isStringLiteralLike(node)) literals.add(node.text)
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) literals.add(node.name.text)
  ts.forEachChild(node, collect)
}
for (const source of texts.sources.values()) collect(source)
const client = readFileSync('clients/python/quotebook.py', 'utf8')
for (const [, text = ''] of client.matchAll(/_say\(\s*("(?:[^"\\]|\\.)*")/g)) templates.add(JSON.parse(text))

/** Templates without a word. */
const isProse = (template: string): boolean => /[a-z]{2,}/i.test(template.replace(/\{\w+\}/g, ''))

test('every template of the source has its Chinese, and no Chinese is left without its template', () => {
  // A key with a code, `days @RUN`, is the Chinese of that one fact.
  const bare = new Set(Object.keys(chinese).map((key) => key.replace(/ @\w+$/, '')))
  const columns = new Set(
    Object.keys(chinese).flatMap((key) => (/ @(HEAD|COLUMN|SYSTEM)$/.test(key) ? key.replace(/ @\w+$/, '') : [])),
  )
  expect([...templates].filter((template) => isProse(template) && !bare.has(template))).toEqual([])
  expect([...bare].filter((text) => !templates.has(text) && !literals.has(text) && !columns.has(text))).toEqual([])
})

/** Names that Chinese writes as they are. */
const asTheyAre = /^(quotebook archive repair|\{ times, symbols)/

test('no template with words stays English', () => {
  const left = Object.entries(chinese).filter(
    ([template, text]) => / [a-z]{2,} /.test(template) && !/[\u2e80-\u9fff]/.test(text) && !asTheyAre.test(text),
  )
  expect(left.filter(([, text]) => /[a-z]{2,}/i.test(text.replace(/\{\w+\}/g, '')))).toEqual([])
})

test('Chinese has the values of its template', () => {
  const places = (text: string): string => [...new Set(text.match(/\{\w+(!r)?\}/g) ?? [])].sort().join()
  const others = Object.entries(chinese).filter(([template, text]) =>
    text.match(/\{\w+\}/g)?.some((place) => !template.includes(place)),
  )
  expect(others.map(([template]) => [template, places(template)])).toEqual([])
})

/** What is put into errors and is the same in both languages: names of options and their values, forms of names, the system's own. */
const names: ReadonlySet<string> = new Set([
  '{1}…',
  '{1} …',
  '{1} {2}',
  '{1}{2}',
  '{1}, {2}',
  ' ({1})',
  '{1} KiB',
  '{1} MiB',
  'V8 {1} on {2}',
  'retry: {1}',
  'factorStudy: forward {1}',
  'ticks[{1}]',
  '{1}[{2}]',
  'datasets.{1}.parts',
  'datasets.{1}.revised',
  'datasets.{1}.byCode',
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

test('a fact is English as a text, and Chinese where a view asks for it: within others, in a list, from another thread', () => {
  const fact = sentence`${sentence`archive ${'july'}`} has no auction ticks of ${'20260701'}`
  expect([`${fact}`, JSON.stringify({ fact })]).toEqual([
    'archive july has no auction ticks of 20260701',
    '{"fact":"archive july has no auction ticks of 20260701"}',
  ])
  const across = received(JSON.parse(JSON.stringify(sent(listOf([fact, fact])))))
  expect(wordsIn(across, 'zh')).toBe(`${wordsIn(fact, 'zh')}；${wordsIn(fact, 'zh')}`)
  expect(wordsIn(fact, 'zh')).not.toMatch(/has no/)
  expect(wordsIn(new Fact('no such template {1}', { 1: 'x' }), 'zh')).toBe('no such template x')
})
