import type { Vector } from 'apache-arrow'
import { afterEach, expect, test, vi } from 'vitest'
import { columnStore } from '../../../src/frame/danfo-classes.js'
import { show } from '../../../src/frame/show/show-data.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import { tableOfColumns as tableOf } from '../../promise/helper/rows.js'

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

test('of a frame the cells that are shown are read and no others', () => {
  const frame = toDataFrame(tableOfLength(5000))
  const cellAt = vi.spyOn(columnStore.DataColumn.prototype, 'cellAt')
  const rows = vi.spyOn(frame, '$data' as never, 'get')
  show(frame).text()
  expect(cellAt).toHaveBeenCalledTimes(20 * 2)
  expect(rows).not.toHaveBeenCalled()
})
