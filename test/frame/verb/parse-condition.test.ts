import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { sql } from '../../../src/data/sql/sql.js'
import { booleans, toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { filter } from '../../../src/frame/verb/filter.js'
import { parseCondition } from '../../../src/frame/verb/parse-condition.js'
import '../../helper/seed.js'

const columns = {
  a: { kind: 'number', meaning: '' },
  b: { kind: 'integer', meaning: '' },
  name: { kind: 'label', meaning: '' },
  note: { kind: 'text', meaning: '' },
  held: { kind: 'boolean', meaning: '' },
} as const
const kinds = Object.fromEntries(Object.entries(columns).map(([name, { kind }]) => [name, kind]))

const cells = fc.record({
  a: fc.option(fc.constantFrom(-2.5, -1, 0, 0.1, 0.3, 1, 7, 1e9)),
  b: fc.option(fc.integer({ min: -3, max: 3 })),
  name: fc.option(fc.constantFrom('中国', 'a', 'b', "o'c", '')),
  note: fc.option(fc.constantFrom('中', 'a', "o'c")),
  held: fc.option(fc.boolean()),
})

/** Conditions in two spellings that mean the same: ours and SQL's. */
type Both = readonly [own: string, sql: string]
const both = (join: (...parts: string[]) => string, ...parts: readonly Both[]): Both => [
  join(...parts.map(([own]) => own)),
  join(...parts.map(([, other]) => other)),
]
const same = (text: string): Both => [text, text]
const literal = fc.constantFrom('0', '1', '.5', '2.5', '1e3', '0.3').map(same)

const { condition } = fc.letrec<{ number: Both; text: Both; condition: Both }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('a', 'b').map(same),
    literal,
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number'))
      .map(([x, sign, y]) => both((p, q) => `(${p} ${sign} ${q})`, x, y)),
    fc.tuple(tie('number'), fc.constantFrom('2', '0.5')).map(([x, by]) => both((p) => `(${p} / ${by})`, x)),
    tie('number').map((x) => both((p) => `(- ${p})`, x)),
  ),
  text: fc.constantFrom('name', 'note', "'中国'", "'a'", "'o''c'").map(same),
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '=', '==', '!=', '<>'), tie('number'))
      .map(([x, sign, y]) => both((p, q) => `${p} ${sign} ${q}`, x, y)),
    fc
      .tuple(tie('text'), fc.constantFrom('<', '<=', '>', '>=', '=', '<>'), tie('text'))
      .map(([x, sign, y]) => both((p, q) => `${p} ${sign} ${q}`, x, y)),
    fc
      .tuple(tie('text'), fc.constantFrom('in', 'not in'), fc.array(tie('text'), { minLength: 1, maxLength: 3 }))
      .map(([x, word, list]) => both((p, ...more) => `${p} ${word} (${more.join(', ')})`, x, ...list)),
    fc
      .tuple(fc.constantFrom('a', 'b', 'name', 'note', 'held'), fc.constantFrom('is', 'is not'))
      .map(([name, is]): Both => [`${name} ${is} missing`, `${name} ${is} null`]),
    fc.constantFrom('held', 'held = true', 'held <> false').map(same),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or', 'AND'), tie('condition'))
      .map(([x, word, y]) => both((p, q) => `${p} ${word} ${q}`, x, y)),
    tie('condition').map((x) => both((p) => `not (${p})`, x)),
    tie('condition').map((x) => both((p) => `(${p})`, x)),
  ),
}))

test('says of every row what DuckDB says of it, precedence and missing values too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(cells, { minLength: 1, maxLength: 8 }),
      fc.array(condition, { minLength: 1, maxLength: 40 }),
      async (rows, conditions) => {
        const table = fromRows(rows, { kinds })
        const list = conditions.map(([, text], i) => `(${text}) as c${i}`).join(', ')
        const answers = await sql(`select ${list} from rows`, { tables: { rows: table } })
        conditions.forEach(([text], i) => {
          const { test } = parseCondition(text, 'rows', columns)
          let found: readonly (boolean | null)[] = []
          filter(table, (c) => (found = test(c, table.numRows)), { by: [] })
          expect([text, [...found]]).toEqual([text, booleans(answers, `c${i}`)])
        })
      },
    ),
    { numRuns: 15 },
  )
})

const bonds = datasetOf('convertible_daily')
const refused = (text: string, of = 'convertible_daily'): string => {
  try {
    parseCondition(text, of, datasetOf(of).columns)
  } catch (error) {
    return (error as Error).message
  }
  return 'taken'
}

test('a condition on a dataset: its columns, and its rows alone', () => {
  const { columns, test } = parseCondition("cb_over_rate<0 and name<>'甲转债'", 'convertible_daily', bonds.columns)
  expect(columns).toEqual(['cb_over_rate', 'name'])
  const row = (name: string, cb_over_rate: number | null) => ({
    tradedate: '20260729',
    code: '123124.SZ',
    name,
    cb_over_rate,
  })
  const rows = [row('甲转债', -1), row('乙转债', -1), row('丙转债', 1), row('丁转债', null)]
  const table = fromRows(rows, { dataset: bonds })
  expect(toObjects(filter(table, (c) => test(c, 4), { by: [] }))).toEqual([rows[1]])
})

test.each([
  ['cb_over_rat < 0', "unknown column of convertible_daily 'cb_over_rat'. Did you mean 'cb_over_rate'?"],
  ['cb_over_rate <', "the condition 'cb_over_rate <': it ends too early"],
  ['', "the condition '': it ends too early"],
  ['close 100', "the condition 'close 100': '100' is not expected there"],
  ['close < 1 and', "the condition 'close < 1 and': it ends too early"],
  ['(close < 1', "the condition '(close < 1': it ends too early"],
  ['close < 1)', "the condition 'close < 1)': ')' is not expected there"],
  ['close + 1', "the condition 'close + 1': it compares nothing; write close < 100, for one"],
  ['close < 1 and 2', "the condition 'close < 1 and 2': it compares nothing; write close < 100, for one"],
  ["close < 'a'", "the condition 'close < 'a'': number and text can't be compared"],
  ['name < 1', "the condition 'name < 1': text and number can't be compared"],
  ['name + 1 > 2', "the condition 'name + 1 > 2': '+' takes numbers"],
  ['close < 1 < 2', "the condition 'close < 1 < 2': '<' is not expected there"],
  ['close && 1', "the condition 'close && 1': '&& 1' is neither a column, a number nor a text in single quotes"],
  ['name = "x"', `the condition 'name = "x"': '"x"' is neither a column, a number nor a text in single quotes`],
  ['(close > 1) > (close > 2)', "the condition '(close > 1) > (close > 2)': true and false have no order"],
  ['close not 1', "the condition 'close not 1': '1' is not expected there"],
  ['not close', "the condition 'not close': it compares nothing; write close < 100, for one"],
  ['and < 1', "the condition 'and < 1': 'and' is not expected there"],
])('%s is refused with a word on why', (text, message) => {
  expect(refused(text)).toBe(message)
})

test('lists and nested values are refused', () => {
  expect(refused("symbols = 'x'", 'thememembers_jx')).toContain("'symbols' holds lists or nested values")
})
