import { expect, test } from 'vitest'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { chart } from '../../src/report/chart.js'
import { fromRows } from '../../src/table/from-rows.js'

/** Labels of both axes, as they are drawn. */
function labels(svg: string): { text: string; left: number }[] {
  const found = svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)
  return [...found].flatMap(([, attributes = '', text = '']) => {
    const at = /transform="translate\((-?[\d.]+) /.exec(attributes)?.[1]
    if (at === undefined || !attributes.includes('text-anchor="end"')) return []
    return [{ text, left: Number(at) - text.length * 6.5 }]
  })
}

function words(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)
}

const small = (values: readonly number[]) => fromRows(values.map((v, x) => ({ x, v })))

test.each([[[1e9, 1e9 + 1, 1e9 + 3]], [[-9.99e12, -9.99e12 - 3000]], [[-999_999.123, -999_999.1233]], [[1e-9, 3e-9]]])(
  'each label of an axis is another number, and none is cut: %j',
  async (values) => {
    const axis = labels((await chart(small(values), { x: 'x', y: 'v' })).svg())
    expect(axis.length).toBeGreaterThan(3)
    expect(new Set(axis.map(({ text }) => text)).size).toBe(axis.length)
    for (const { left } of axis) expect(left).toBeGreaterThan(-18)
  },
)

test('large amounts take no more room than their labels', async () => {
  const few = (await chart(small([97_768_359_864.3, 1_867_671_371_354.34]), { x: 'x', y: 'v' })).svg()
  const plain = (await chart(small([1, 2]), { x: 'x', y: 'v' })).svg()
  const start = (svg: string): string | undefined => /<path d="M(\d+)/.exec(svg)?.[1]
  expect(start(few)).toBe(start(plain))
})

test('dates that are numbers are days, and years are years', async () => {
  const days = fromRows([20260629, 20260630, 20260701].map((day, v) => ({ day, v })))
  const drawn = await chart(days, { x: 'day', y: 'v' })
  expect(words(drawn.svg())).toEqual(expect.arrayContaining(['2026-06-29', '06-30', '07-01']))
  expect(String(drawn)).toContain('2026-06-29 to 2026-07-01')
  const years = await chart(fromRows([2020, 2021, 2022].map((year, v) => ({ year, v: v * 10 }))), { x: 'year', y: 'v' })
  expect(words(years.svg()).filter((text) => text.startsWith('2'))).toEqual(['20', '2020', '2021', '2022'])
  expect(String(years)).toContain('2020 to 2022')
})

test('times stand in their order, however they are written', async () => {
  const rows = [
    [20260701, 1000, 2],
    [20260701, 930, 1],
    [20260702, 930, 3],
  ]
  const table = fromRows(rows, { columns: ['tradedate', 'trademin', 'v'] })
  const options = { x: ['tradedate', 'trademin'], y: 'v' } as const
  for (const data of [table, toDataFrame(table)])
    expect(String(await chart(data, options))).toBe('v  ▁▅█  1 to 3\n2026-07-01 09:30 to 2026-07-02 09:30')
  const mixed = fromRows([
    { day: '20260702', v: 2 },
    { day: '2026-07-01', v: 1 },
    { day: '20260703', v: 3 },
  ])
  expect(String(await chart(mixed, { x: 'day', y: 'v' }))).toContain('▁▅█')
})

test('names of columns are one line of text without control characters', async () => {
  const table = fromRows([
    { 'x\u0000': 'a', 'b\u0001\n<': 1 },
    { 'x\u0000': 'c', 'b\u0001\n<': 2 },
  ])
  const drawn = await chart(table, { x: 'x\u0000', y: 'b\u0001\n<' })
  for (const text of [drawn.svg().replaceAll('\n', ''), drawn.description, drawn.html().replaceAll('\n', '')])
    expect(text).not.toMatch(/\p{Cc}/u)
  expect(String(drawn)).toBe('b <  ▁█  1 to 2\na to c')
  expect(drawn.svg()).toContain('b &lt;')
})

test('a chart without rows says so, also by groups', async () => {
  const none = fromRows([], { kinds: { day: 'date', v: 'number', code: 'code' } })
  for (const by of [{}, { by: 'code' }]) {
    const drawn = await chart(none, { x: 'day', y: 'v', ...by })
    expect(words(drawn.svg())).toEqual(['v', 'no rows'])
    expect(String(drawn)).toBe('v    no values\nno rows')
  }
})

test('labels that find no room are counted', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ x: i / 1000, y: (i * 7) % 60, name: `示例转债${i}` }))
  const crowd = fromRows([...rows, { x: 100, y: 100, name: 'far' }])
  const svg = (await chart(crowd, { x: 'x', y: 'y', kind: 'points', label: 'name' })).svg()
  const shown = words(svg).filter((text) => /^示例转债|^far$/.test(text)).length
  expect(shown).toBeLessThan(61)
  expect(svg).toContain(`${61 - shown} labels without room left out`)
  const two = fromRows([rows[0], { x: 100, y: 100, name: '' }])
  expect((await chart(two, { x: 'x', y: 'y', kind: 'points', label: 'name' })).svg()).not.toContain('left out')
})
