import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { allDatasets, datasets } from '../../../src/contract/catalogue.js'
import type { CheckLaw } from '../../../src/contract/dataset.js'
import { comparisonIn, formIn } from '../../../src/contract/law-text.js'
import { sayIn, wordsIn } from '../../../src/contract/say.js'
import { sentence } from '../../../src/contract/sentence.js'
import { checks } from '../../../src/research/checks/all-checks.js'
import { nameIn } from '../../../src/research/checks/check.js'
import { brokenLaws } from '../../../src/research/checks/declared-laws.js'
import { lawForms } from '../../../src/research/checks/law-forms.js'
import { ReasonBuilder, reasonIn, verdictIn } from '../../../src/research/checks/reasons.js'
import { isSentence, templateText } from '../../helper/error-texts.js'
import { tableFrom } from '../analysis/help.js'

const room = 'src/research/checks'

/** The sentences of the checks; those of thrown errors have their Chinese elsewhere. */
function templates(): Set<string> {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isThrown =
      ts.isNewExpression(node) || (ts.isCallExpression(node) && node.expression.getText() === 'refusePrices')
    const isOption = ts.isCallExpression(node) && node.expression.getText() === 'checkOptions'
    if (isThrown || isOption || (ts.isCallExpression(node) && node.expression.getText() === 'wrongShape')) return
    if (isSentence(node)) found.add(templateText(node.template))
    ts.forEachChild(node, visit)
  }
  for (const file of readdirSync(room, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /resample-bars|calendar-periods/.test(file)) continue
    visit(ts.createSourceFile(file, readFileSync(join(room, file), 'utf8'), ts.ScriptTarget.Latest, true))
  }
  return found
}

const names = [...new Set(allDatasets().flatMap(({ columns, stored = {} }) => Object.keys({ ...columns, ...stored })))]
const kept = new Set(
  [...names, ...names.flatMap((name) => name.split('_'))].concat(
    'JSON YYYYMMDD HHmm HH mm ss high low opening auction reborrow repayment adj factor halts unlimited southboundFlows ST tj vwap cell'.split(
      ' ',
    ),
    'table Level1 Level2 raw payload stocks list data',
  ),
)

test('every reason, and what every verdict means, is Chinese with its values, and only names stay', () => {
  const all = [...templates()]
  expect(all.length).toBeGreaterThan(250)
  for (const template of all) {
    const texts = template.split(/\{\d+\}/)
    const values = texts.slice(1).map((_, i) => `${i + 1}0`)
    const words = sentence(texts as unknown as TemplateStringsArray, ...values)
    const chinese = wordsIn(words, 'zh')
    expect(wordsIn(words, 'en')).toBe(texts.reduce((sum, text, i) => `${sum}${values[i - 1]}${text}`))
    for (const value of values) expect([template, chinese]).toEqual([template, expect.stringContaining(value)])
    const english = (chinese.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !kept.has(word))
    expect([template, english]).toEqual([template, []])
  }
})

test('every check and verdict has a name in both languages', () => {
  for (const { name, summary, verdicts } of checks) {
    expect(nameIn({ name }, 'zh'), name).toMatch(/[\u4e00-\u9fff]|K/)
    expect(sayIn('zh')(summary), name).toMatch(/[\u4e00-\u9fff]|K/)
    for (const verdict of Object.keys(verdicts))
      expect([verdictIn(verdict, 'zh'), verdictIn(verdict, 'en')]).toEqual([
        expect.stringMatching(/[\u4e00-\u9fff]/),
        verdict,
      ])
  }
})

test('reasons of a row are a list: joined as text, and rendered one by one', () => {
  const why = new ReasonBuilder(2)
  why.set(0, [sentence`null: ${'vol, amount'}`, sentence`the rest was checked`])
  why.set(1, [])
  expect([why.texts.at(0), why.texts.at(1)]).toEqual(['null: vol, amount; the rest was checked', null])
  expect(reasonIn(String(why.texts.at(0)), why.facts, 'zh')).toBe('为空：vol, amount；其余已检查')
})

test('laws of the catalogue have a code of their own, columns that there are, and a form that is known', () => {
  const laws = datasets.flatMap((dataset) => {
    const {
      laws = [],
      columns,
      stored = {},
    } = dataset as { laws?: readonly CheckLaw[]; columns: object; stored?: object }
    return laws.map((law) => ({ ...law, known: Object.keys({ ...columns, ...stored }) }))
  })
  expect(new Set(laws.map(({ code }) => code)).size).toBe(laws.length)
  for (const { law, known } of laws) {
    const read = comparisonIn(law) ?? formIn(law)
    expect([law, read?.columns.filter((name) => !known.includes(name))]).toEqual([law, []])
    const form = formIn(law)?.form
    if (form?.includes(' ')) expect(lawForms).toHaveProperty([form])
  }
})

test.each<[law: string, cells: Record<string, unknown>, why: string | undefined]>([
  ['vol, amount >= 0', { vol: 1, amount: -2 }, 'amount is below 0'],
  ['vol, amount >= 0', { vol: null, amount: 0 }, undefined],
  ['close = open + high - low', { close: 0.3, open: 0.1, high: 0.4, low: 0.2 }, undefined],
  ['close = open + high - low', { close: 0.31, open: 0.1, high: 0.4, low: 0.2 }, 'close is not open + high - low'],
  ['close <= high', { close: 2, high: 1 }, 'close is above high'],
  ['name is a text', { name: ' ' }, 'the name is empty'],
  ['name is 云 or null', { name: null }, undefined],
  ['name is 云', { name: 'x' }, 'name is x, not 云'],
])('%s of %j', (law, cells, why) => {
  const found = brokenLaws([{ law, rule: 'r' }], tableFrom('convertible_daily', [cells]))
  expect(found.map((one) => one.why)).toEqual(why === undefined ? [] : [why])
})
