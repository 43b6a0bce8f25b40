import type { Vector } from 'apache-arrow'
import { afterEach, expect, test, vi } from 'vitest'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { show } from '../../src/show/show-data.js'
import { tableOf } from './tables.js'

afterEach(() => vi.restoreAllMocks())

function tableOfLength(length: number) {
  return tableOf({ n: Array.from({ length }, (_, i) => i), t: Array.from({ length }, (_, i) => `t${i}`) })
}

test('a million rows cost the cells that are shown, as a thousand do', () => {
  for (const length of [1000, 1_000_000]) {
    const table = tableOfLength(length)
    const touched: PropertyKey[] = []
    const whole = table.getChildAt.bind(table)
    vi.spyOn(table, 'getChildAt').mockImplementation((column) => {
      const get = (vector: Vector, key: PropertyKey): unknown => {
        touched.push(key)
        const member: unknown = Reflect.get(vector, key)
        return typeof member === 'function' ? member.bind(vector) : member
      }
      return new Proxy(whole(column) as Vector, { get })
    })
    show(table).text()
    show(table).html()
    expect(touched).toEqual(Array(2 * 2 * 20).fill('get'))
  }
})

test('of a frame the rows that are shown are read and no others', () => {
  const frame = toDataFrame(tableOfLength(5000))
  const fields = frame as unknown as { $data: unknown[]; $index: unknown[] }
  let reads = 0
  const counted = (rows: unknown[]): unknown[] =>
    new Proxy(rows, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++
        return Reflect.get(target, key, receiver)
      },
    })
  const seen = { $data: counted(fields.$data), $index: counted(fields.$index) }
  const spied = new Proxy(frame, { get: (target, key) => Reflect.get(key in seen ? seen : target, key) })
  show(spied).text()
  expect(reads).toBe(20 * 2 + 20)
})
