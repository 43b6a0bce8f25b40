import fc from 'fast-check'
import { expect, test } from 'vitest'
import { qaCheck } from '../../../../src/research/checks/dataset/check-qa.js'
import { answerFrom, type Row, tableFrom } from '../../analysis/help.js'
import { verdictsOf } from './sample-tables.js'

const name = 'interactive_qa'

/** Revision n of a question; answered at a minute after 10 o'clock, with a text of its own unless told. */
function answer(revision_no: number, minute: number, version_ambiguous: boolean, more: Row = {}): Row {
  return {
    symbol: '600519',
    event_date: '20260706',
    qa_id: '1202607066005190001',
    question_time: '2026-07-05 09:00:00',
    question: 'q',
    answer_time: `2026-07-06 10:${String(minute).padStart(2, '0')}:00`,
    answer: `a${revision_no}`,
    revision_no,
    version_ambiguous,
    ...more,
  }
}

const check = (rows: readonly Row[], whole?: boolean) =>
  qaCheck.check(tableFrom(name, rows), whole === undefined ? {} : { whole })
const verdicts = (rows: readonly Row[], whole?: boolean) => verdictsOf(check(rows, whole))

test('property: the mark is due exactly where several texts share the latest time', () => {
  const minutes = fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }).map((all) => [...all].sort())
  fc.assert(
    fc.property(minutes, fc.array(fc.nat(1), { minLength: 5, maxLength: 5 }), fc.nat(4), (times, texts, flip) => {
      const latest = times.at(-1)
      const last = new Set(times.flatMap((minute, i) => (minute === latest ? [texts[i]] : [])))
      const rows = times.map((minute, i) =>
        answer(i + 1, minute, minute === latest && last.size > 1, { answer: String(texts[i]) }),
      )
      expect(verdicts(rows, true)).toEqual(rows.map(() => 'pass'))
      const at = flip % rows.length
      const flag = !rows[at]?.version_ambiguous
      const off = verdicts(
        rows.map((row, i) => (i === at ? { ...row, version_ambiguous: flag } : row)),
        true,
      )
      const either = times[at] !== latest && last.size > 1
      expect(off[at]).toBe(either ? 'pass' : times[at] === latest ? 'mismatch' : 'warn')
    }),
    { numRuns: Number(process.env.RUNS ?? 100) },
  )
})

test('what the provenance says of the whole', () => {
  const rows = [answer(1, 0, false), answer(3, 5, false)]
  const of = (params: Row) => qaCheck.check(answerFrom(name, rows, params)).counts.mismatch
  expect(of({ version: 'all' })).toBe(1)
  expect(of({ version: 'all', symbols: ['600519'] })).toBe(1)
  expect(of({ version: 'all', date: '20260706' })).toBe(0)
  expect(of({ version: 'latest' })).toBe(0)
})
