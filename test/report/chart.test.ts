import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { chart } from '../../src/report/chart.js'
import { show } from '../../src/show/show-data.js'
import { tempDir } from '../helper/temp.js'
import { tableOf } from '../show/tables.js'

const price = { kind: 'number', unit: 'yuan', meaning: 'Close.' } as const
const date = { kind: 'date', meaning: 'Day.' } as const
const days = ['20251230', '20251231', '20260105', '20260106']
const closes = tableOf({ tradedate: days, close: [1, 2, 4, 3] }, { tradedate: date, close: price })

/** Points of the paths drawn as lines in an ink. */
function lines(svg: string, ink: string): { x: number; y: number }[][] {
  const paths = svg.matchAll(new RegExp(`<path d="([^"]*)" fill="none" stroke="${ink}" stroke-width="1.8"`, 'g'))
  return [...paths].flatMap(([, d = '']) =>
    d.split('M').flatMap((part) => {
      const numbers = (part.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)
      const points = numbers.flatMap((x, i) => (i % 2 === 0 ? [{ x, y: numbers[i + 1] ?? Number.NaN }] : []))
      return points.length > 0 ? [points] : []
    }),
  )
}

const blue = '#1d5b96'

describe('a line', () => {
  test('runs through its values, day beside day over nights and holidays', async () => {
    const [points = []] = lines((await chart(closes, { x: 'tradedate', y: 'close' })).svg(), blue)
    expect(points).toHaveLength(4)
    const [a, b, c, d] = points
    const step = (b?.x ?? 0) - (a?.x ?? 0)
    expect((c?.x ?? 0) - (b?.x ?? 0)).toBeCloseTo(step, 1)
    expect((d?.x ?? 0) - (c?.x ?? 0)).toBeCloseTo(step, 1)
    const unit = (a?.y ?? 0) - (b?.y ?? 0)
    expect(unit).toBeGreaterThan(10)
    expect((b?.y ?? 0) - (c?.y ?? 0)).toBeCloseTo(2 * unit, 0)
    expect((c?.y ?? 0) - (d?.y ?? 0)).toBeCloseTo(-unit, 0)
  })

  test('is the same however the rows come, and of a DataFrame', async () => {
    const options = { x: 'tradedate', y: 'close' } as const
    const turned = tableOf({ tradedate: [...days].reverse(), close: [3, 4, 2, 1] }, { tradedate: date, close: price })
    expect((await chart(turned, options)).svg()).toBe((await chart(closes, options)).svg())
    const [ofFrame] = lines((await chart(toDataFrame(closes), options)).svg(), blue)
    expect(ofFrame).toEqual(lines((await chart(closes, options)).svg(), blue)[0])
  })

  test('breaks at a missing value, and a note counts it', async () => {
    const gappy = tableOf({ tradedate: [...days, null], close: [1, 2, null, 3, 9] })
    const drawn = await chart(gappy, { x: 'tradedate', y: 'close' })
    expect(lines(drawn.svg(), blue)).toHaveLength(2)
    expect(drawn.svg()).toContain('1 row without tradedate left out; 1 missing value not drawn')
    expect(String(drawn)).toBe(
      'close  ▁▅ █  1 to 3\n2025-12-30 to 2026-01-06\n1 row without tradedate left out; 1 missing value not drawn',
    )
  })
})

test('units stand in the names of the axes, each unit has its own, and large numbers are written small', async () => {
  const amount = { kind: 'number', unit: 'yuan', meaning: '' } as const
  const rate = { kind: 'number', unit: 'percent', meaning: '' } as const
  const table = tableOf(
    { d: days, amount: [1e8, 2e8, 3.5e8, 2e8], net: [-5e7, 1, 2, 3], premium: [1, 2, 3, 4] },
    { d: date, amount, net: amount, premium: rate },
  )
  const svg = (await chart(table, { x: 'd', y: ['amount', 'net', 'premium'] })).svg()
  expect(svg).toContain('>amount, net (million yuan)</text>')
  expect(svg).toContain('>premium (percent)</text>')
  for (const label of ['>200</text>', '>-100</text>', '>amount</text>', '>net</text>']) expect(svg).toContain(label)
})

test('minutes of several days: the day once, then the clock', async () => {
  const table = tableOf({ d: ['20260105', '20260105', '20260106'], m: ['0930', '1500', '0930'], close: [1, 2, 3] })
  const svg = (await chart(table, { x: ['d', 'm'], y: 'close' })).svg()
  for (const label of ['>2026-01-05 09:30<', '>15:00<', '>01-06 09:30<']) expect(svg).toContain(label)
})

test('groups are series with a key; no two look the same', async () => {
  const groups = Array.from({ length: 9 }, (_, i) => `转债${i}`)
  const table = tableOf({ d: groups.map(() => '20260105'), name: groups, v: groups.map((_, i) => i) })
  const svg = (await chart(table, { x: 'd', y: 'v', by: 'name' })).svg()
  for (const name of groups) expect(svg).toContain(`>${name}</text>`)
  const looks = [
    ...svg.matchAll(/<path d="M0 5L24 5"[^>]* stroke="([^"]+)" stroke-width="2"(?: stroke-dasharray="([^"]+)")?/g),
  ]
  expect(new Set(looks.map(([, ink, dash]) => `${ink} ${dash}`)).size).toBe(9)
})

test('candles: what rose is hollow, what fell is full, what lacks a price is not there', async () => {
  const bars = { open: [1, 3, 2, 2], high: [3, 3, 4, 4], low: [1, 1, 1, 1], close: [2, 1, null, 2.5] }
  const svg = (await chart(tableOf({ d: days, ...bars }), { x: 'd', kind: 'candles' })).svg()
  const bodies = [...svg.matchAll(/<path d="M[^"]*Z[^"]*" fill="([^"]+)" stroke="([^"]+)" stroke-width="1.2"/g)]
  expect(bodies.map(([, fill, stroke]) => [fill, stroke])).toEqual([
    ['#fdfcf9', '#b3261e'],
    ['#2c6e49', '#2c6e49'],
    ['#fdfcf9', '#b3261e'],
  ])
})

test('points lie where their numbers say, with their texts', async () => {
  const table = tableOf({ close: [100, 200, null], rate: [1, 2, 3], name: ['<b>&', 'two', 'three'] })
  const svg = (await chart(table, { x: 'close', y: 'rate', kind: 'points', label: 'name' })).svg()
  expect(svg).toContain('>&lt;b&gt;&amp;</text>')
  expect(svg).toContain('>close</text>')
  expect(svg).not.toContain('three')
  expect(svg).toContain('1 row without close left out')
})

test('a drawing stands by itself: paper, fixed inks, no rules, nothing from elsewhere; texts are escaped', async () => {
  const hostile = '<script>alert(1)</script>"&'
  const drawn = await chart(closes, { x: 'tradedate', y: 'close', title: hostile })
  expect(drawn.svg()).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="796" height="\d+" viewBox="0 0 796 \d+"/,
  )
  expect(drawn.svg()).not.toMatch(/var\(--|class=|<style|<script|href|url\(http/)
  expect(drawn.svg()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;')
  expect(drawn.html()).toMatch(
    /^<img alt="[^"<>]*" style="max-width:100%;height:auto" src="data:image\/svg\+xml;base64,[\w+/=]+">\n<details><summary>The numbers as a table<\/summary>\n<div class="quotebook">/,
  )
  const bundle = (drawn as unknown as Record<symbol, () => Record<string, string>>)[Symbol.for('Jupyter.display')]?.()
  expect(bundle).toEqual({ 'text/html': drawn.html(), 'text/plain': drawn.text() })
  expect(inspect(drawn)).toBe(drawn.text())
  expect(inspect([drawn])).toContain(` Chart of ${drawn.description}\n`)
  expect(drawn.description).toBe(
    `${hostile}. Lines by tradedate, 2025-12-30 to 2026-01-06: close from 1 to 4 yuan, last 3.`,
  )
})

test('the bytes do not depend on what was drawn before; other data has other ids', async () => {
  const one = () => chart(closes, { x: 'tradedate', y: 'close' })
  const two = () => chart(closes, { x: 'tradedate', y: 'close', kind: 'bar' })
  const [a, b, c, d] = [await one(), await two(), await two(), await one()]
  expect([d.svg(), c.svg()]).toEqual([a.svg(), b.svg()])
  const [x, y] = await Promise.all([one(), two()])
  expect([x.svg(), y.svg()]).toEqual([a.svg(), b.svg()])
  const id = (svg: string): string | undefined => /aria-labelledby="(chart-\w+)-title/.exec(svg)?.[1]
  expect(id(a.svg())).not.toBe(id(b.svg()))
})

test('any numbers can be drawn', async () => {
  const size = fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => (Math.abs(value) < 1e-9 ? 0 : value))
  const cells = fc.array(fc.option(size), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(cells, fc.constantFrom('line' as const, 'bar' as const, 'points' as const), async (y, kind) => {
      const table = tableOf({ x: y.map((_, i) => `p${i}`), y: [...y, 1].slice(0, y.length) })
      if (y.every((value) => value === null)) return
      const drawn = await chart(table, { x: 'x', y: 'y', kind })
      expect(drawn.svg()).toMatch(/^<svg /)
    }),
    { numRuns: 60 },
  )
})

test('an infinity is not drawn, and a note counts it', async () => {
  const table = tableOf({ d: days, v: [1, Number.POSITIVE_INFINITY, null, 2] })
  const drawn = await chart(table, { x: 'd', y: 'v' })
  expect(drawn.svg()).toContain('1 missing value not drawn; 1 infinite value not drawn')
  expect(drawn.description).toContain('v from 1 to 2, last 2')
})

test('nothing to draw is drawn as such', async () => {
  const none = await chart(closes.slice(0, 0), { x: 'tradedate', y: 'close' })
  expect(none.description).toBe('Lines by tradedate, no rows: close has no values.')
})

const twice = tableOf({ d: ['20260105', '20260105'], v: [1, 2], t: ['a', 'b'], password: ['x', 'y'] })
const many = tableOf({ d: Array.from({ length: 20_001 }, (_, i) => `d${i}`), v: Array(20_001).fill(1) })

test.each([
  ['two rows at one x', twice, { x: 'd', y: 'v' }, /two rows have d = 20260105, and a line can show one; say by/],
  ['a column that is not there', twice, { x: 'd', y: 'w' }, /there is no column 'w'; did you mean/],
  ['text as y', twice, { x: 'd', y: 't' }, /y must be a column of numbers, and 't' holds none/],
  ['numbers of no size', tableOf({ d: ['a'], v: [1e-200] }), { x: 'd', y: 'v' }, /v holds 1e-200, and it draws/],
  ['no y', twice, { x: 'd' }, /x and y must name a column each/],
  ['another kind', twice, { x: 'd', y: 'v', kind: 'pie' }, /kind must be one of line, bar, points, candles/],
  ['candles of one column', twice, { x: 'd', y: 'v', kind: 'candles' }, /candles take four columns/],
  ['a credential', twice, { x: 'password', y: 'v' }, /'password' holds credentials/],
  ['too many rows', many, { x: 'd', y: 'v' }, /20001 rows are more than the 20000/],
  ['too many series', many, { x: 'v', y: 'v', by: 'd' }, /it would have 20001 series/],
] as const)('refused: %s', async (_, table, options, message) => {
  await expect(chart(table, options as never)).rejects.toThrow(message)
})

test('a name that is not there is an error of the compiler', () => {
  const frame = toDataFrame(closes)
  const typed = null as unknown as import('../../src/table/typed-table.js').TableOf<'convertible_daily'>
  const wrong = () => [
    show(toDataFrame(typed)),
    chart(toDataFrame(typed), { x: 'tradedate', y: 'close' }),
    // @ts-expect-error closse is no column
    chart(toDataFrame(typed), { x: 'tradedate', y: 'closse' }),
    // @ts-expect-error closse is no column
    chart(typed, { x: 'tradedate', y: 'closse' }),
    chart(typed, { x: 'tradedate', y: ['close', 'amount'], by: 'name' }),
    chart(frame, { x: 'tradedate', y: 'close' }),
  ]
  expect(wrong).toBeTypeOf('function')
})

test('a chart is saved as SVG and as PNG, whole or not at all', async () => {
  const dir = tempDir()
  const drawn = await chart(closes, { x: 'tradedate', y: 'close', title: '收盘价' })
  await drawn.save(join(dir, 'new', 'x.svg'))
  expect(readFileSync(join(dir, 'new', 'x.svg'), 'utf8')).toBe(drawn.svg())
  await drawn.save(join(dir, 'x.png'))
  const png = readFileSync(join(dir, 'x.png'))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  const [, wide, high] = /width="(\d+)" height="(\d+)"/.exec(drawn.svg()) ?? []
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * Number(wide), 2 * Number(high)])
  await expect(drawn.save(join(dir, 'x.gif'))).rejects.toMatchObject({ code: 'USAGE' })
  await expect(drawn.save(join(dir, 'x.png', 'y.svg'))).rejects.toMatchObject({ code: 'FILE' })
  expect(readdirSync(dir).sort()).toEqual(['new', 'x.png'])
})
