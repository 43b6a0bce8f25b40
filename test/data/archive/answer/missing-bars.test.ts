import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { bucketCloses } from '../../../../src/contract/session.js'
import { codeMatcher } from '../../../../src/contract/symbol.js'
import { missingBars } from '../../../../src/data/archive/answer/missing-bars.js'
import { decode } from '../../../../src/frame/table/decode.js'

const dataset = datasetOf('etf_minute')
const closes = bucketCloses['30m']
const codes = ['510300.SH', '510500.SH', '159001.SZ', '159001.SH', '588000.SH']
const day = '20260701'

/** Slow and plain: the rows of each code, one by one. */
function expected(rows: readonly string[][], symbols: readonly string[] | undefined, trademin?: string, all = false) {
  const wanted = trademin === undefined ? closes : [trademin]
  if (!symbols) {
    const absent = (all ? wanted : wanted.slice(-1)).find((minute) => !rows.some(([, own]) => own === minute))
    return absent && `the bars of ${day} lack the bucket ${absent}`
  }
  for (const symbol of symbols) {
    const isOwn = codeMatcher([symbol])
    const count = new Set(rows.filter(([code = '']) => isOwn(code)).map(([, minute]) => minute)).size
    if (count < wanted.length) return `${symbol} has ${count} of ${wanted.length} bars on ${day}`
  }
  return undefined
}

test('what bars lack, as looking at each row tells', () => {
  const symbol = fc.constantFrom(...codes, '510300', '159001', '588000', '510500')
  const series = fc.record({ code: fc.constantFrom(...codes), without: fc.option(fc.constantFrom(...closes)) })
  fc.assert(
    fc.property(
      fc.uniqueArray(series, { selector: ({ code }) => code }),
      fc.option(fc.uniqueArray(symbol, { minLength: 1 }), { nil: undefined }),
      fc.option(fc.constantFrom(...closes), { nil: undefined }),
      fc.boolean(),
      fc.nat(20),
      (held, symbols, trademin, all, cut) => {
        const isAsked = symbols ? codeMatcher(symbols) : () => true
        const rows = held
          .flatMap(({ code, without }) => closes.filter((minute) => minute !== without).map((minute) => [code, minute]))
          .filter(([code = '', minute]) => isAsked(code) && (trademin === undefined || minute === trademin))
        const columns = decode(dataset, ['symbol', 'trademin'], rows)
        const [head, tail] = [
          { from: 0, to: Math.min(cut, rows.length) },
          { from: Math.min(cut, rows.length), to: rows.length },
        ]
        const told = [
          [{ columns, rows: { from: 0, to: rows.length } }],
          [
            { columns, rows: head },
            { columns, rows: tail },
          ],
        ]
        const query = { ...(symbols ? { symbols } : {}), ...(trademin ? { trademin } : {}) }
        for (const slices of told) {
          expect(missingBars(dataset, query, slices, day, all)).toEqual(
            expected(rows as string[][], symbols, trademin, all),
          )
        }
      },
    ),
    { numRuns: 2000 },
  )
})
