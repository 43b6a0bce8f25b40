import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { stListCheck } from '../../../../src/research/checks/dataset/check-st-list.js'
import { stTransitions } from '../../../../src/research/checks/dataset/st-transitions.js'
import { answerFrom, type Row, tableFrom } from '../../analysis/help.js'
import { verdictsOf, whysOf } from './sample-tables.js'

const typeNames: Readonly<Record<string, string>> = { ST: '其他风险警示', '*ST': '退市风险警示' }

function mark(tradedate: string, symbol: string, type: string | null, more: Row = {}): Row {
  return { tradedate, symbol, name: `${type}示例`, type, type_name: typeNames[type ?? ''] ?? null, ...more }
}

const list = (...rows: Row[]) => tableFrom('st', rows)
const days = tradingDays('20260601', '20260630')
/** One stock that is always there keeps each day a list. */
const each = (rows: readonly Row[]) => list(...days.map((day) => mark(day, '600001', 'ST')), ...rows)
const brief = (table: ReturnType<typeof list>) =>
  toObjects(stTransitions(table)).map((row) => [
    row.tradedate,
    row.symbol,
    row.from,
    row.to,
    row.kind,
    row.unlisted_days,
  ])

test('property: transitions rebuild the lists', () => {
  const state = fc.constantFrom('none', 'ST', '*ST')
  const path = fc.array(state, { minLength: days.length, maxLength: days.length })
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), fc.nat(), (paths, seed) => {
      const rows = paths.flatMap((marks, i) =>
        marks.flatMap((type, at) => (type === 'none' ? [] : [mark(days[at] ?? '', String(300001 + i), type)])),
      )
      const shuffled = rows.map((row, i) => ({ row, key: (i * 7919 + seed) % 1009 })).sort((a, b) => a.key - b.key)
      const changes = toObjects(stTransitions(each(shuffled.map(({ row }) => row))))
      for (const [i, marks] of paths.entries()) {
        let now: unknown = marks[0]
        const rebuilt = days.map((day) => {
          const change = changes.find((one) => one.tradedate === day && one.symbol === String(300001 + i))
          if (change) expect(change.from).toBe(now)
          now = change?.to ?? now
          return now
        })
        expect(rebuilt).toEqual(marks)
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  )
})

test('a mark that type does not tell is the one of the name, or no change', () => {
  const rows = [
    mark('20260601', '300001', 'ST'),
    mark('20260602', '300001', null, { name: null }),
    mark('20260603', '300001', null, { name: '*ST示例' }),
    mark('20260604', '300002', null, { name: null }),
  ]
  expect(brief(list(...rows, mark('20260605', '300002', 'ST', { name: null })))).toEqual([
    ['20260603', '300001', 'ST', '*ST', 'change', 0],
    ['20260604', '300001', '*ST', 'none', 'leave', 0],
    ['20260604', '300002', 'none', 'unknown', 'enter', 0],
    ['20260605', '300002', 'unknown', 'ST', 'change', 0],
  ])
})

test('days without a list are said at the next one; not of an answer for a few stocks', () => {
  const rows = [mark('20260601', '300001', 'ST'), mark('20260603', '300001', 'ST'), mark('20260603', '300002', 'ST')]
  const check = stListCheck.check(list(...rows))
  expect(verdictsOf(check)).toEqual(['pass', 'gap', 'pass'])
  expect(whysOf(check)[1]).toBe('1 trading day between 20260601 and 20260603 without a list')
  expect(stListCheck.check(answerFrom('st', rows, { symbols: ['300001', '300002'] })).counts.pass).toBe(3)
})
