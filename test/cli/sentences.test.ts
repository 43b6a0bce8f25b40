import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { errorPhrases } from '../../src/cli/error-phrases.js'
import { chineseNotes } from '../../src/contract/chinese-notes.js'
import { inChinese, keepSentence, sentence, sentenceParts } from '../../src/contract/sentence.js'
import { chineseWarnings } from '../../src/research/report/tear-sheet/warning-words.js'

const catalogue = { ...errorPhrases, ...chineseNotes, ...chineseWarnings }

/** Sentences of the source by their templates; and how many errors of each room have a text that is none. */
function found(): { templates: Set<string>; plain: Map<string, number> } {
  const [templates, plain] = [new Set<string>(), new Map<string, number>()]
  const templateOf = (node: ts.TemplateLiteral): string =>
    ts.isTemplateExpression(node)
      ? node.templateSpans.reduce((sum, span, i) => `${sum}{${i + 1}}${span.literal.text}`, node.head.text)
      : node.text
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name))
  for (const name of files) {
    const source = ts.createSourceFile(name, readFileSync(join('src', name), 'utf8'), ts.ScriptTarget.Latest)
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sentence')
        templates.add(templateOf(node.template))
      if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && /Error$/.test(node.expression.text)) {
        const own = node.arguments?.some(
          (one) => ts.isTemplateExpression(one) || (ts.isStringLiteral(one) && / /.test(one.text)),
        )
        const [room = ''] = name.split('/')
        if (own) plain.set(room, (plain.get(room) ?? 0) + 1)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { templates, plain }
}

const { templates, plain } = found()

test('every sentence of the source has its Chinese, and no Chinese is left without its sentence', () => {
  expect([...templates].filter((template) => !Object.hasOwn(catalogue, template))).toEqual([])
  expect(Object.keys(catalogue).filter((template) => !templates.has(template))).toEqual([])
})

test('Chinese fills no place that the sentence has not', () => {
  const holes = (text: string): readonly string[] => text.match(/\{\d+\}/g) ?? []
  for (const [template, chinese] of Object.entries(catalogue))
    for (const hole of holes(chinese)) expect(holes(template), template).toContain(hole)
})

/** Errors whose text is no sentence yet, by room: a number may only fall. */
const untranslated: Readonly<Record<string, number>> = {
  contract: 25,
  frame: 203,
  data: 181,
  research: 121,
  server: 50,
  cli: 3,
  threads: 1,
  'connect.ts': 2,
  'market.ts': 2,
}

test('errors without Chinese do not become more', () => {
  for (const [room, count] of plain) expect(count, room).toBeLessThanOrEqual(untranslated[room] ?? 0)
})

test('a sentence is a text that Chinese is known of: within others, between semicolons, from another thread', () => {
  const chinese = { '{1} lacks {2}': '{2} 是 {1} 所没有的', 'all of {1}': '{1} 的全部', 'nothing else': '别无其他' }
  const text = sentence`${'a'} lacks ${sentence`all of ${'b'}`}`
  expect(text).toBe('a lacks all of b')
  expect(inChinese(text, chinese)).toBe('b 的全部 是 a 所没有的')
  expect(inChinese(`${text}; nothing else; more`, chinese)).toBe('b 的全部 是 a 所没有的; 别无其他; more')
  expect(inChinese('a lacks all of c', chinese)).toBe('a lacks all of c')
  expect(sentence`${text}`).toBe(text)
  const parts = JSON.parse(JSON.stringify(sentenceParts(text)).replaceAll('"b"', '"d"').replaceAll('of b', 'of d'))
  keepSentence('a lacks all of d', parts)
  expect(inChinese('a lacks all of d', chinese)).toBe('d 的全部 是 a 所没有的')
  for (let i = 0; i < 10_001; i++) sentence`number ${i}`
  expect([sentenceParts(text), sentenceParts('number 10000')?.values]).toEqual([undefined, ['10000']])
})
