import { expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { checkFields } from '../../src/contract/check-fields.js'

const fields = (name: string, wanted: unknown, query = {}) => checkFields(datasetOf(name), wanted, query)

test('absent: all fields of section 2 in its order', () => {
  expect(fields('transfer_financing', undefined)).toEqual([
    'tradedate',
    'opening_balance',
    'auction_amount',
    'reborrow_amount',
    'repayment_amount',
    'closing_balance',
  ])
})

test('given: as asked, once each, as text or array', () => {
  expect(fields('etf_minute', 'vwap, symbol,vwap')).toEqual(['vwap', 'symbol'])
  expect(fields('etf_minute', ['close', 'symbol'])).toEqual(['close', 'symbol'])
})

test('unknown, wrong type and stored columns are refused by name', () => {
  expect(() => fields('etf_minute', 'closse')).toThrow("Did you mean 'close'?")
  expect(() => fields('etf_minute', 'period')).toThrow("unknown field of etf_minute 'period'")
  expect(() => fields('etf_minute', [])).toThrow('fields is empty')
  expect(() => fields('etf_minute', 'close,')).toThrow('empty name')
  expect(() => fields('etf_minute', [1])).toThrow('fields must be names')
})

test('hotstock has the fields of its mode', () => {
  expect(fields('hotstock', undefined)).toEqual(['s', 'n', 'pc'])
  expect(fields('hotstock', undefined, { tradedate: '20260701' })).toEqual(['s', 'rank', 'tradedate', 'type'])
  expect(() => fields('hotstock', 's,n', { tradedate: '20260701' })).toThrow("no field 'n' in history mode")
  expect(() => fields('hotstock', 'rank')).toThrow("no field 'rank' in latest mode")
})
