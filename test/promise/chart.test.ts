import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { chart, connect, fromRows, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { tempDir } from '../helper/temp.js'
import { escaped, sha256 } from './helper/pages.js'
import { failureOf } from './helper/prices.js'

/** Charts: where their marks lie, what they say, and what they refuse. */

const days = ['20251230', '20251231', '20260105', '20260106']
const closes = fromRows(days.map((tradedate, at) => ({ tradedate, close: [1, 2, 4, 3][at] })))
const by = { x: 'tradedate', y: 'close' } as const
const blue = '#1d5b96'

/** Points of the paths drawn as lines in an ink. */
function lines(svg: string, ink = blue): { x: number; y: number }[][] {
  const paths = svg.matchAll(new RegExp(`<path d="([^"]*)" fill="none" stroke="${ink}" stroke-width="1.8"`, 'g'))
  return [...paths].flatMap(([, d = '']) =>
    d.split('M').flatMap((part) => {
      const numbers = (part.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)
      const points = numbers.flatMap((x, i) => (i % 2 === 0 ? [{ x, y: numbers[i + 1] ?? Number.NaN }] : []))
      return points.length > 0 ? [points] : []
    }),
  )
}

const texts = (svg: string): string[] => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)

test('a line runs through its values, day beside day over nights and holidays, however the rows come', async () => {
  const drawn = await chart(closes, by)
  const [[a, b, c, d] = []] = lines(drawn.svg())
  const [step, unit] = [(b?.x ?? 0) - (a?.x ?? 0), (a?.y ?? 0) - (b?.y ?? 0)]
  expect([(c?.x ?? 0) - (b?.x ?? 0), (d?.x ?? 0) - (c?.x ?? 0)].map((x) => Math.abs(x - step) < 0.2)).toEqual([
    true,
    true,
  ])
  expect(unit).toBeGreaterThan(10)
  expect((b?.y ?? 0) - (c?.y ?? 0)).toBeCloseTo(2 * unit, 0)
  expect((c?.y ?? 0) - (d?.y ?? 0)).toBeCloseTo(-unit, 0)
  const turned = fromRows([...days].reverse().map((tradedate, at) => ({ tradedate, close: [3, 4, 2, 1][at] })))
  expect((await chart(turned, by)).svg()).toBe(drawn.svg())
  expect(lines((await chart(toDataFrame(closes), by)).svg())).toEqual(lines(drawn.svg()))
  for (const label of ['2025-12-30', '12-31', '2026-01-05', '01-06']) expect(texts(drawn.svg())).toContain(label)
})

test('a missing value is a gap, an infinity is not drawn, a row without x is left out; a note counts them', async () => {
  const rows = [1, 2, null, 3, Number.POSITIVE_INFINITY, 9].map((close, at) => ({
    tradedate: days[at] ?? (at === 4 ? '20260107' : null),
    close,
  }))
  const drawn = await chart(fromRows(rows), by)
  expect(lines(drawn.svg())).toHaveLength(2)
  const note = '1 row without tradedate left out; 1 missing value not drawn; 1 infinite value not drawn'
  expect(drawn.svg()).toContain(note)
  expect(String(drawn)).toBe(`close  ▁▅ █   1 to 3\n2025-12-30 to 2026-01-07\n${note}`)
})

test('groups are series with a key, no two alike; units have axes of their own, and large numbers are written small', async () => {
  const groups = Array.from({ length: 9 }, (_, v) => ({ d: '20260105', name: `转债${v}`, v }))
  const svg = (await chart(fromRows(groups), { x: 'd', y: 'v', by: 'name' })).svg()
  const looks = svg.matchAll(
    /<path d="M0 5L24 5"[^>]* stroke="([^"]+)" stroke-width="2"(?: stroke-dasharray="([^"]+)")?/g,
  )
  expect(new Set([...looks].map(([, ink, dash]) => `${ink} ${dash}`)).size).toBe(9)
  for (const { name } of groups) expect(texts(svg)).toContain(name)
  const market = await connect()
  const bonds = await market.table.convertibleDaily({
    startdate: '20260720',
    enddate: '20260729',
    symbols: ['123124'],
  } as never)
  await market.close()
  const drawn = (await chart(bonds, { x: 'tradedate', y: ['amount', 'close', 'cb_over_rate'] })).svg()
  expect(texts(drawn)).toEqual(
    expect.arrayContaining(['turnover, close (million yuan)', 'conversion premium (percent)']),
  )
})

test('candles: what rose is hollow, what fell is full, what lacks a price is not there', async () => {
  const bars = { open: [1, 3, 2, 2], high: [3, 3, 4, 4], low: [1, 1, 1, 1], close: [2, 1, null, 2.5] }
  const rows = days.map((d, at) => ({
    d,
    ...Object.fromEntries(Object.entries(bars).map(([name, list]) => [name, list[at]])),
  }))
  const svg = (await chart(fromRows(rows), { x: 'd', kind: 'candles' } as never)).svg()
  const bodies = [...svg.matchAll(/<path d="M[^"]*Z[^"]*" fill="([^"]+)" stroke="([^"]+)" stroke-width="1.2"/g)]
  expect(bodies.map(([, fill, stroke]) => [fill, stroke])).toEqual([
    ['#fdfcf9', '#b3261e'],
    ['#1f6b3a', '#1f6b3a'],
    ['#fdfcf9', '#b3261e'],
  ])
})

test('candles have their volume below them, of what rose hollow and of what fell full; a notebook is handed the plot', async () => {
  const rows = days.map((d, at) => ({ d, open: 2, high: 4, low: 1, close: at % 2 ? 1 : 3, vol: 100 + at }))
  const drawn = await chart(fromRows(rows), { x: 'd', kind: 'candles' })
  expect(texts(drawn.svg())).toContain('vol')
  const plot = drawn.toJSON() as { panels: { series: { kind: string; ink?: string; at: unknown[] }[] }[] }
  expect(plot.panels.map(({ series }) => series.map(({ kind, ink }) => [kind, ink]))).toEqual([
    [['candles', undefined]],
    [
      ['bar', 'up'],
      ['bar', 'down'],
    ],
  ])
  expect(plot.panels[1]?.series[1]?.at.slice(0, 2)).toEqual([
    [0, null],
    [1, 101],
  ])
  const own = await chart(fromRows(rows), { x: 'd', kind: 'candles', volume: 'high' })
  expect(texts(own.svg())).toContain('high')
  // Dark where the screen is, in a notebook; a file keeps to the light one.
  const image = Buffer.from(/base64,([^"]+)/.exec(drawn.html())?.[1] ?? '', 'base64').toString()
  expect(image).toContain('@media (prefers-color-scheme:dark)')
  expect(image.replace(/<style>.*?<\/style>/, '')).toBe(drawn.svg())
})

test.each([[[1e9, 1e9 + 1, 1e9 + 3]], [[-9.99e12, -9.99e12 - 3000]], [[-999_999.123, -999_999.1233]], [[1e-9, 3e-9]]])(
  'each label of an axis is another number, and none is cut: %j',
  async (values) => {
    const svg = (await chart(fromRows(values.map((v, x) => ({ x, v }))), { x: 'x', y: 'v' })).svg()
    const labels = [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].flatMap(([, attributes = '', text = '']) => {
      const at = /transform="translate\((-?[\d.]+) /.exec(attributes)?.[1]
      return at !== undefined && attributes.includes('text-anchor="end"')
        ? [{ text, left: Number(at) - text.length * 6.5 }]
        : []
    })
    expect(labels.length).toBeGreaterThan(3)
    expect(new Set(labels.map(({ text }) => text)).size).toBe(labels.length)
    for (const { left } of labels) expect(left).toBeGreaterThan(-18)
  },
)

test('dates that are numbers are days, years are years, minutes are a clock; times stand in their order', async () => {
  const numbers = await chart(fromRows([20260629, 20260630, 20260701].map((day, v) => ({ day, v }))), {
    x: 'day',
    y: 'v',
  })
  expect(texts(numbers.svg())).toEqual(expect.arrayContaining(['2026-06-29', '06-30', '07-01']))
  const years = await chart(fromRows([2020, 2021, 2022].map((year, v) => ({ year, v: v * 10 }))), { x: 'year', y: 'v' })
  expect(String(years)).toContain('2020 to 2022')
  const rows = [
    [20260701, 1000, 2],
    [20260701, 930, 1],
    [20260702, 930, 3],
  ]
  const bars = await chart(fromRows(rows, { columns: ['tradedate', 'trademin', 'v'] }), {
    x: ['tradedate', 'trademin'],
    y: 'v',
  } as never)
  expect(String(bars)).toBe('v  ▁▅█  1 to 3\n2026-07-01 09:30 to 2026-07-02 09:30')
  expect(texts(bars.svg())).toEqual(expect.arrayContaining(['2026-07-01 09:30', '10:00', '07-02 09:30']))
})

test('labels of points that find no room are left out and counted', async () => {
  const crowd = Array.from({ length: 60 }, (_, i) => ({ x: i / 1000, y: (i * 7) % 60, name: `示例转债${i}` }))
  const rows = fromRows([...crowd, { x: 100, y: 100, name: 'far' }])
  const svg = (await chart(rows, { x: 'x', y: 'y', kind: 'points', label: 'name' })).svg()
  const shown = texts(svg).filter((text) => /^示例转债|^far$/.test(text)).length
  expect(shown).toBeLessThan(61)
  expect(svg).toContain(`${61 - shown} labels without room left out`)
})

/** The boxes of labels that begin with `#`, as wide as their letters are at most. */
function labelBoxes(svg: string) {
  const anchors = { start: 0, middle: 0.5, end: 1 }
  return [...svg.matchAll(/<text ([^>]*)>(#[^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const [, x, y] = /transform="translate\((-?[\d.]+) (-?[\d.]+)\)"/.exec(attributes) ?? []
    const anchor = (/text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start') as keyof typeof anchors
    const [wide, left] = [7 * text.length, Number(x) - 7 * text.length * anchors[anchor]]
    const [, dy = '0'] = / y="(-?[\d.]+)"/.exec(attributes) ?? []
    const middle = Number(y) + Number(dy)
    return { text, left, right: left + wide, top: middle - 6, bottom: middle + 6 }
  })
}

test('labels of points lie in the drawing, and cover neither each other nor a point', async () => {
  const spot = fc.record({ x: fc.integer({ min: 0, max: 40 }), y: fc.integer({ min: 0, max: 40 }) })
  const spots = fc.uniqueArray(spot, { minLength: 1, maxLength: 40, selector: ({ x, y }) => `${x} ${y}` })
  await fc.assert(
    fc.asyncProperty(spots, fc.integer({ min: 1, max: 14 }), async (given, length) => {
      const rows = given.map((one, i) => ({ ...one, name: `#${i}`.padEnd(length, 'm') }))
      const svg = (await chart(fromRows(rows), { x: 'x', y: 'y', kind: 'points', label: 'name' })).svg()
      const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
      const boxes = labelBoxes(svg)
      expect(boxes.length).toBeGreaterThan(0)
      const points = [...svg.matchAll(/matrix\(3,0,0,3,([\d.]+),([\d.]+)\)" fill="#1d5b96"/g)].map(([, x, y]) => [
        Number(x),
        Number(y),
      ])
      expect(points).toHaveLength(given.length)
      for (const [i, one] of boxes.entries()) {
        expect(one.left >= 0 && one.right <= Number(width) && one.top >= 0 && one.bottom <= Number(height)).toBe(true)
        const meets = boxes
          .slice(i + 1)
          .filter((o) => one.left < o.right && o.left < one.right && one.top < o.bottom && o.top < one.bottom)
        expect(meets).toEqual([])
        const covered = points.filter(
          ([x = 0, y = 0]) => x > one.left && x < one.right && y > one.top && y < one.bottom,
        )
        expect(covered).toEqual([])
      }
    }),
    { numRuns: 30 },
  )
})

test('lines that have names end with them, in the order of their last values, and no label covers another', async () => {
  const line = fc.record({ last: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 2, max: 30 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 9 }), async (given) => {
      const rows = given.flatMap(({ last, length }, i) =>
        days.map((d, at) => ({ d, name: `#${i}`.padEnd(length, 'm'), v: at < 3 ? 40 - last + i : last })),
      )
      const svg = (await chart(fromRows(rows), { x: 'd', y: 'v', by: 'name' })).svg()
      const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
      const all = [
        ...svg.matchAll(/<text [^>]*>●<\/text>\n<text [^>]* x="14"[^>]*translate\(([\d.]+) ([\d.]+)\)[^>]*>(#[^<]*)</g),
      ]
      const ends = all.map(([, x, y, text = '']) => ({
        x: Number(x),
        y: Number(y),
        i: Number.parseInt(text.slice(1), 10),
      }))
      expect(ends.map(({ i }) => i).sort((a, b) => a - b)).toEqual([...given.keys()])
      const right = Math.max(
        ...lines(svg)
          .flat()
          .map(({ x }) => x),
      )
      for (const { x, y, i } of ends) {
        expect(x > right && x + 14 + 6 * Math.min(20, given[i]?.length ?? 0) < Number(width)).toBe(true)
        expect(y > 0 && y < Number(height)).toBe(true)
      }
      const down = [...ends].sort((a, b) => a.y - b.y)
      for (const [at, { y, i }] of down.entries()) {
        const below = down[at + 1]
        if (!below) continue
        expect(below.y - y).toBeGreaterThanOrEqual(16.9)
        expect(given[i]?.last).toBeGreaterThanOrEqual(given[below.i]?.last ?? 0)
      }
    }),
    { numRuns: 30 },
  )
  const single = (await chart(closes, by)).svg()
  expect(texts(single)).not.toContain('●')
})

test('a drawing stands by itself: fixed inks, nothing from elsewhere, text escaped; equal data gives equal bytes', async () => {
  const hostile = '<script>alert(1)</script>"&'
  const drawn = await chart(closes, { ...by, title: hostile })
  expect(drawn.svg()).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="796" height="\d+" viewBox="0 0 796 \d+"/,
  )
  expect(drawn.svg()).not.toMatch(/var\(--|class=|<style|<script|href|url\(http/)
  expect(drawn.svg()).toContain(escaped(hostile))
  expect(drawn.html()).toMatch(
    /^<div style="overflow-x:auto"><img alt="[^"<>]*" style="[\w:;%-]+" src="data:image\/svg\+xml;base64,[\w+/=]+"><\/div>\n<details><summary style="display:list-item">The numbers as a table<\/summary>\n<div class="quotebook" tabindex="0">/,
  )
  expect(drawn.description).toBe(`${hostile}. Lines by tradedate, 2025-12-30 to 2026-01-06: close from 1 to 4, last 3.`)
  expect([inspect(drawn), String(drawn)]).toEqual([drawn.text(), drawn.text()])
  const [first, bars, again] = [
    await chart(closes, by),
    await chart(closes, { ...by, kind: 'bar' }),
    await chart(closes, by),
  ]
  expect(again.svg()).toBe(first.svg())
  expect([sha256(first.svg()), sha256(bars.svg())]).toMatchInlineSnapshot(`
    [
      "c2f7410adc7b677ee9e15508b9a547cbca9f2a508be5c38d552d3e11fba7b278",
      "2daa99eee07c5f2d12c7b9173ac86092b5d09873852a4e711bfe6967eda3ef4c",
    ]
  `)
  const none = await chart(fromRows([], { kinds: { day: 'date', v: 'number' } }), { x: 'day', y: 'v' })
  expect([texts(none.svg()), none.description]).toEqual([['v', 'no rows'], 'Lines by day, no rows: v has no values.'])
})

const twice = fromRows([
  { d: '20260105', v: 1, t: 'a', password: 'x' },
  { d: '20260105', v: 2, t: 'b', password: 'y' },
])
// biome-ignore format: a table, one mistake a line
test.each([
  [{ x: 'd', y: 'v' }, "INVALID_VALUE: chart: two rows have d = 20260105, and a line can show one; say by: 'code' or another column that tells them apart"],
  [{ x: 'd', y: 'w' }, "MISSING_COLUMN: chart: there is no column 'w'; did you mean 'd'?"],
  [{ x: 'd', y: 't' }, "INVALID_VALUE: chart: y must be a column of numbers, and 't' holds none"],
  [{ x: 'd' }, 'INVALID_VALUE: chart: x and y must name a column each'],
  [{ x: 'd', y: 'v', kind: 'pie' }, "INVALID_VALUE: chart: kind must be one of line, bar, points, candles, not 'pie'"],
  [{ x: 'd', y: 'v', kind: 'candles' }, 'INVALID_VALUE: chart: candles take four columns as y: open, high, low and close'],
  [{ x: 'd', y: 'v', volume: 'v' }, "INVALID_VALUE: chart: volume belongs to kind 'candles'"],
  [{ x: 'd', y: 'v', label: 't' }, "INVALID_VALUE: chart: label belongs to kind 'points'"],
  [{ x: 'password', y: 'v' }, "INVALID_VALUE: chart: column 'password' holds credentials"],
])('refused: %j', async (options, told) => {
  expect(await failureOf(chart(twice, options as never))).toBe(told)
})

test('too many rows, series, and numbers of no size are refused', async () => {
  const many = fromRows(Array.from({ length: 20_001 }, (_, i) => ({ d: `d${i}`, v: 1 })))
  expect(await failureOf(chart(many, { x: 'd', y: 'v' }))).toMatch(
    /^INVALID_VALUE: chart: 20001 rows are more than the 20000/,
  )
  expect(await failureOf(chart(many, { x: 'v', y: 'v', by: 'd' }))).toMatch(
    /^INVALID_VALUE: chart: it would have 20001 series/,
  )
  expect(await failureOf(chart(fromRows([{ d: 'a', v: 1e-200 }]), { x: 'd', y: 'v' }))).toMatch(
    /v holds 1e-200, and it draws/,
  )
})

test('a chart is saved as SVG and as PNG, complete or not at all', async () => {
  const dir = tempDir()
  const drawn = await chart(closes, { ...by, title: '收盘价' })
  await drawn.save(join(dir, 'new', 'x.svg'))
  expect(readFileSync(join(dir, 'new', 'x.svg'), 'utf8')).toBe(drawn.svg())
  await drawn.save(join(dir, 'x.png'))
  const png = readFileSync(join(dir, 'x.png'))
  const [, wide, high] = /width="(\d+)" height="(\d+)"/.exec(drawn.svg()) ?? []
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    'PNG',
    2 * Number(wide),
    2 * Number(high),
  ])
  expect(await failureOf(drawn.save(join(dir, 'x.gif')))).toMatch(/^USAGE: a chart is saved as \.svg or \.png/)
  expect(await failureOf(drawn.save(join(dir, 'x.png', 'y.svg')))).toMatch(/^FILE: /)
  expect(readdirSync(dir).sort()).toEqual(['new', 'x.png'])
})
